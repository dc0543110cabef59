/** Random numbers and clocks of the realm: they give what they gave, and say so (see `tape/outside.ts`). */
import { call } from "../../../tape/callsite.js";
import { outside } from "../../../tape/outside.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

const { apply } = Reflect;

function told(what: string, original: any) {
  return {
    of(this: any, ...args: any[]): unknown {
      const result: unknown = apply(original, this, args);
      tell(what, typeof result === "number" ? result : NaN);
      return result;
    },
  }.of;
}

function tell(what: string, value: number): void {
  outside.listener?.({ what, value, site: call.site });
}

/** `new Date()` and `Date()`, which read the clock when they are given nothing. */
function patchDate(patches: Patches, realm: any): void {
  const original = realm.Date;
  const watched = new Proxy(original, {
    construct(target, args, made) {
      const date: any = Reflect.construct(target, args, made === watched ? target : made);
      if (args.length === 0) tell("new Date()", Number(date));
      return date;
    },
    apply(target, self, args) {
      tell("Date()", NaN);
      return apply(target, self, args);
    },
  });
  patches.value(original.prototype, "constructor", watched);
  patches.value(realm, "Date", watched);
}

export function patchOutside(patches: Patches, realm: any): void {
  patches.method(realm.Math, "random", (original) => told("Math.random()", original));
  patches.method(realm.Date, "now", (original) => told("Date.now()", original));
  patchDate(patches, realm);
  const clocks = [
    [realm.performance, "now", "performance.now()"],
    [realm.crypto, "getRandomValues", "crypto.getRandomValues()"],
    [realm.crypto, "randomUUID", "crypto.randomUUID()"],
  ] as const;
  for (const [holder, name, what] of clocks) {
    if (holder === undefined) continue;
    // the method is inherited
    const prototype = Object.getPrototypeOf(holder);
    patches.method(prototype, name, (original) => told(what, original));
  }
}

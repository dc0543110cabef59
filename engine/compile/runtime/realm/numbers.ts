/** `Number`, `Boolean`, `Object.is` and the tests of numbers. A conversion to number of a traced number is itself. */
import { activeRecorder } from "../../../ops/recorder.js";
import { call, callRow } from "../../../tape/callsite.js";
import { type Operand, primal } from "../../../tape/traced.js";
import { traced } from "../operators.js";
import { toPrimitive } from "../primitive.js";
import { decideTruth } from "../values.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

/** A constructor that stands for `original`: same statics, same prototype, `called` when it is called as a function. */
function standIn(
  patches: Patches,
  holder: any,
  name: string,
  called: (original: any, args: readonly any[]) => unknown,
): void {
  const original = holder[name];
  function constructor(...args: any[]): unknown {
    if (new.target === undefined) return called(original, args);
    return Reflect.construct(original, args, (new.target as unknown) === constructor ? original : new.target);
  }
  for (const key of Reflect.ownKeys(original)) {
    const descriptor = Object.getOwnPropertyDescriptor(original, key)!;
    Object.defineProperty(constructor, key, descriptor);
  }
  patches.value(original.prototype, "constructor", constructor);
  patches.value(holder, name, constructor);
}

/** A test of a number's kind: of the primal, recorded as a decision. */
function testOf(name: string, original: (x: any) => boolean) {
  return {
    of(x: any): boolean {
      if (typeof x === "number" || !traced(x)) return original(x);
      const outcome = original(primal(x));
      activeRecorder()?.decision(name, x, 0, outcome, call.site, callRow());
      return outcome;
    },
  }.of;
}

export function patchNumbers(patches: Patches, realm: any): void {
  for (const name of ["isFinite", "isInteger", "isNaN", "isSafeInteger"]) {
    patches.method(realm.Number, name, (original) => testOf(name, original));
  }
  for (const name of ["isFinite", "isNaN"]) patches.method(realm, name, (original) => testOf(name, original));
  standIn(patches, realm, "Number", (original, args) => {
    const x = args[0];
    if (typeof x === "number") return x;
    if (args.length === 0) return original();
    const value = toPrimitive(x, "number");
    return traced(value) ? value : original(value);
  });
  standIn(patches, realm, "Boolean", (original, args) => {
    const x = args[0];
    return traced(x) ? decideTruth(x, call.site, callRow()) : original(x);
  });
  patches.method(
    realm.Object,
    "is",
    (original) =>
      ({
        of(a: any, b: any): boolean {
          if (!traced(a) && !traced(b)) return original(a, b);
          const outcome = original(traced(a) ? primal(a) : a, traced(b) ? primal(b) : b);
          const side = (x: any): Operand => (traced(x) || typeof x === "number" ? x : Number.NaN);
          activeRecorder()?.decision("Object.is", side(a), side(b), outcome, call.site, callRow());
          return outcome;
        },
      }).of,
  );
}

/**
 * Array methods that look at truth, equality or order. They act only while something is recorded, and only where a
 * traced number turns up; then the outcome is a recorded decision.
 */
import { primal } from "../../../tape/traced.js";
import { activeRecorder } from "../../../ops/recorder.js";
import { call, callRow } from "../../../tape/callsite.js";
import { traced } from "../operators.js";
import { decideTruth } from "../values.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

const byTruth = ["filter", "find", "findIndex", "findLast", "findLastIndex", "some", "every"];
const bySearch = ["includes", "indexOf", "lastIndexOf"];
const byOrder = ["sort", "toSorted"];

const { apply } = Reflect;

function truthMethod(original: any) {
  return {
    of(this: any, ...args: any[]): unknown {
      const callback = args[0];
      if (activeRecorder() === null || typeof callback !== "function") return apply(original, this, args);
      const site = call.site;
      args[0] = function (this: any, ...values: any[]): unknown {
        const result = apply(callback, this, values);
        return traced(result) ? decideTruth(result, site, callRow()) : result;
      };
      return apply(original, this, args);
    },
  }.of;
}

function searchMethod(name: string, original: any) {
  return {
    of(this: any, ...args: any[]): unknown {
      const wanted = args[0];
      if (activeRecorder() === null || typeof this !== "object" || this === null)
        return apply(original, this, args);
      // `this` may be any array-like thing
      const elements: unknown[] = Array.isArray(this) ? this : Array.prototype.slice.call(this);
      if (!traced(wanted) && (typeof wanted !== "number" || !elements.some(traced)))
        return apply(original, this, args);
      const primals = elements.map((x) => (traced(x) ? primal(x) : x));
      if (traced(wanted)) args[0] = primal(wanted);
      const result = apply(original, primals, args);
      if (traced(wanted)) {
        activeRecorder()?.decision(
          name,
          wanted,
          primal(wanted),
          result !== false && result !== -1,
          call.site,
          callRow(),
        );
      }
      return result;
    },
  }.of;
}

function orderMethod(original: any) {
  return {
    of(this: any, ...args: any[]): unknown {
      const compare = args[0];
      if (activeRecorder() === null || typeof compare !== "function") return apply(original, this, args);
      const site = call.site;
      args[0] = (a: unknown, b: unknown): unknown => {
        const result = compare(a, b);
        if (!traced(result)) return result;
        activeRecorder()?.decision("sort", result, 0, primal(result) > 0, site, callRow());
        return primal(result);
      };
      return apply(original, this, args);
    },
  }.of;
}

export function patchArrays(patches: Patches, realm: any): void {
  const typed = Object.getPrototypeOf(realm.Uint8Array.prototype);
  for (const prototype of [realm.Array.prototype, typed]) {
    for (const name of byTruth) patches.method(prototype, name, truthMethod);
    for (const name of byOrder) patches.method(prototype, name, orderMethod);
  }
  for (const name of bySearch) {
    patches.method(realm.Array.prototype, name, (original) => searchMethod(name, original));
    patches.method(
      typed,
      name,
      (original) =>
        ({
          of(this: any, ...args: any[]): unknown {
            if (traced(args[0])) args[0] = primal(args[0]);
            return apply(original, this, args);
          },
        }).of,
    );
  }
}

/**
 * Array methods that look at truth, equality or order. They act only while something is recorded, and only where a
 * traced number turns up; then the outcome is a recorded decision.
 */
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
      if (activeRecorder() === null || !Array.isArray(this)) return apply(original, this, args);
      if (!traced(wanted) && (typeof wanted !== "number" || !this.some(traced)))
        return apply(original, this, args);
      const primals = this.map((x) => (traced(x) ? x.value : x));
      if (traced(wanted)) args[0] = wanted.value;
      const result = apply(original, primals, args);
      if (traced(wanted)) {
        activeRecorder()?.decision(
          name,
          wanted,
          wanted.value,
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
        activeRecorder()?.decision("sort", result, 0, result.value > 0, site, callRow());
        return result.value;
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
            if (traced(args[0])) args[0] = args[0].value;
            return apply(original, this, args);
          },
        }).of,
    );
  }
}

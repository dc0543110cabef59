/**
 * `structuredClone` of something that holds traced numbers: the clone holds their primals, and the cut is noted. Left
 * alone it would make dead objects of them, which compare and add like nothing at all.
 */
import { call } from "../../../tape/callsite.js";
import { cutInCall } from "../notes.js";
import { traced } from "../operators.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

/** Objects whose parts are gone through: those that structured cloning goes through itself. */
function partsOf(x: object): Iterable<unknown> | null {
  if (Array.isArray(x) || Object.prototype.toString.call(x) === "[object Object]") return Object.values(x);
  if (x instanceof Map) return [...x.keys(), ...x.values()];
  if (x instanceof Set) return x.values();
  return null;
}

function holdsTraced(root: unknown): boolean {
  const seen = new Set<unknown>();
  const stack = [root];
  while (stack.length > 0) {
    const x = stack.pop();
    if (traced(x)) return true;
    if (typeof x !== "object" || x === null || seen.has(x)) continue;
    seen.add(x);
    for (const part of partsOf(x) ?? []) stack.push(part);
  }
  return false;
}

/** A copy with primals, to the depth of containers; what is no container is left to the real clone. */
function withPrimals(x: unknown, copies: Map<unknown, unknown>): unknown {
  if (traced(x)) return cutInCall(x, call.site, "copied by structuredClone");
  if (typeof x !== "object" || x === null || partsOf(x) === null) return x;
  const known = copies.get(x);
  if (known !== undefined) return known;
  if (x instanceof Map) {
    const copy = new Map<unknown, unknown>();
    copies.set(x, copy);
    for (const [key, value] of x) copy.set(withPrimals(key, copies), withPrimals(value, copies));
    return copy;
  }
  if (x instanceof Set) {
    const copy = new Set<unknown>();
    copies.set(x, copy);
    for (const value of x) copy.add(withPrimals(value, copies));
    return copy;
  }
  const copy: any = Array.isArray(x) ? new Array(x.length) : {};
  copies.set(x, copy);
  for (const key of Object.keys(x)) copy[key] = withPrimals((x as any)[key], copies);
  return copy;
}

export function patchClone(patches: Patches, realm: any): void {
  patches.method(
    realm,
    "structuredClone",
    (original) =>
      ({
        of(...args: any[]): unknown {
          if (args.length > 0 && holdsTraced(args[0])) args[0] = withPrimals(args[0], new Map());
          return original(...args);
        },
      }).of,
  );
}

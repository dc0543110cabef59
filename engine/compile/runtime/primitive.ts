/**
 * ToPrimitive (ECMA-262, 7.1.1) with a difference: a method of the user's object may answer a traced number, which is a
 * primitive to the program though an object to the engine that runs it.
 */
import { isTraced } from "../../tape/traced.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- user values of any type are converted here */

/** True for what the language calls an object; a traced number is none. */
export function isObject(x: unknown): x is object {
  return (typeof x === "object" && x !== null && !isTraced(x)) || typeof x === "function";
}

/** The primitive of an operand, perhaps a traced number; what is no object comes back as it is. */
export function toPrimitive(x: any, hint: "number" | "default"): any {
  if (!isObject(x)) return x;
  const exotic = (x as any)[Symbol.toPrimitive];
  // a thing that cannot be called is left to the operator, whose error is the language's own
  if (exotic !== undefined && exotic !== null && typeof exotic !== "function") return x;
  const answer = exotic === undefined || exotic === null ? ordinary(x) : exotic.call(x, hint);
  if (isObject(answer)) throw new TypeError("Cannot convert object to primitive value");
  return answer;
}

function ordinary(x: any): any {
  for (const method of ["valueOf", "toString"]) {
    const found = x[method];
    if (typeof found !== "function") continue;
    const answer = found.call(x);
    if (!isObject(answer)) return answer;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

/** The same for an operand of arithmetic: a symbol throws before the other operand is converted. */
export function toNumeric(x: any): any {
  const primitive = toPrimitive(x, "number");
  return typeof primitive === "symbol" ? +(primitive as any) : primitive;
}

/**
 * A traced number: the handle user code holds. It knows its node and its primal. The loader's rewritten code treats it
 * as a number; code that does not know meets the conversion methods below.
 */
import type { Tape } from "./tape.js";

/** What the conversion asks for: a ToPrimitive hint, or the name of the method called. */
export type Conversion =
  | "number"
  | "string"
  | "default"
  | "valueOf"
  | "toString"
  | "toJSON"
  | "toFixed"
  | "toPrecision"
  | "toExponential"
  | "toLocaleString";

export type ConversionHook = (traced: TracedNumber, how: Conversion) => number;

/** Thrown where a traced number would silently become a plain one in a file the loader never saw. */
export const NOT_LOADED =
  "this file was not loaded by Backsweep: use `node --import backsweep/register`, or explicit calls";

const refuse: ConversionHook = () => {
  throw new TypeError(NOT_LOADED);
};

let hook: ConversionHook = refuse;

/** Installs what implicit conversion does (the loader's runtime notes a cut); null restores the refusal. */
export function setConversionHook(next: ConversionHook | null): void {
  hook = next ?? refuse;
}

export class TracedNumber {
  /** private, so that asking for it fires no trap of a user's Proxy, which `instanceof` would */
  readonly #brand = true;

  static is(x: object): x is TracedNumber {
    return #brand in x;
  }

  /** true once a variable or property has named the node: the first name wins */
  named = false;

  constructor(
    readonly id: number,
    readonly value: number,
    readonly tape: Tape,
  ) {}

  [Symbol.toPrimitive](hint: "number" | "string" | "default"): number | string {
    const primal = hook(this, hint);
    return hint === "string" ? String(primal) : primal;
  }
  valueOf(): number {
    return hook(this, "valueOf");
  }
  toString(radix?: number): string {
    return hook(this, "toString").toString(radix);
  }
  toJSON(): number {
    return hook(this, "toJSON");
  }
  toFixed(digits?: number): string {
    return hook(this, "toFixed").toFixed(digits);
  }
  toPrecision(digits?: number): string {
    return hook(this, "toPrecision").toPrecision(digits);
  }
  toExponential(digits?: number): string {
    return hook(this, "toExponential").toExponential(digits);
  }
  toLocaleString(locales?: string | string[], options?: object): string {
    return hook(this, "toLocaleString").toLocaleString(locales, options);
  }
}

/** An operand as user code passes it. */
export type Operand = TracedNumber | number;

export function isTraced(x: unknown): x is TracedNumber {
  return typeof x === "object" && x !== null && TracedNumber.is(x);
}

/** The primal of a traced number, or the number itself. */
export function primal(x: Operand): number {
  return typeof x === "number" ? x : x.value;
}

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

/**
 * Everything it holds is private: to user code that looks at its keys, clones it or reads `x.value` it is as empty as a
 * number. `#id in x` also fires no trap of a user's Proxy, which `instanceof` would.
 */
export class TracedNumber {
  // begun with a small integer and a double, so that the host's compiler keeps them as such
  readonly #id: number = 0;
  readonly #value: number = NaN;
  readonly #tape: Tape;
  /** true once a variable or property has named the node: the first name wins */
  #named = false;

  constructor(id: number, value: number, tape: Tape) {
    this.#id = id;
    this.#value = value;
    this.#tape = tape;
  }

  static is(x: object): x is TracedNumber {
    return #id in x;
  }
  /** The same for operands of arithmetic: what is no number there is nearly always traced, and hosts remember what they saw here. */
  static operand(x: unknown): x is TracedNumber {
    return typeof x === "object" && x !== null && #id in x;
  }
  static id(x: TracedNumber): number {
    return x.#id;
  }
  static primal(x: TracedNumber): number {
    return x.#value;
  }
  static tape(x: TracedNumber): Tape {
    return x.#tape;
  }
  static named(x: TracedNumber): boolean {
    return x.#named;
  }
  static setNamed(x: TracedNumber): void {
    x.#named = true;
  }

  get [Symbol.toStringTag](): string {
    return "Number";
  }
  /** how Node prints it */
  [Symbol.for("nodejs.util.inspect.custom")](): number {
    return this.#value;
  }
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

// `x.constructor === Number`, and methods that a program adds to Number.prototype, hold for traced numbers too
delete (TracedNumber.prototype as { constructor?: unknown }).constructor;
Object.setPrototypeOf(TracedNumber.prototype, Number.prototype);

/** An operand as user code passes it. */
export type Operand = TracedNumber | number;

export function isTraced(x: unknown): x is TracedNumber {
  return typeof x === "object" && x !== null && TracedNumber.is(x);
}

/** Id of the node a traced number stands for. */
export const idOf = TracedNumber.id;
/** The tape its node is on. */
export const tapeOf = TracedNumber.tape;
export const isNamed = TracedNumber.named;
export const setNamed = TracedNumber.setNamed;

/** The primal of a traced number, or the number itself. */
export function primal(x: Operand): number {
  return typeof x === "number" ? x : TracedNumber.primal(x);
}

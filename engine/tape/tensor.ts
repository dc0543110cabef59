/**
 * The handle user code holds for an n-d array: plain, or a node of a recording. Its methods are entered by the graph
 * room, which knows the operations; here is only what it is. Everything it holds is private, as with a traced number.
 */
import { BacksweepError } from "../trace/failure.js";
import { shapeText, sizeOf, toNested, type NDArray, type Nested, type Shape } from "./ndarray.js";
import type { Tape } from "./tape.js";

/** Told when elements of a traced array are read as plain numbers, where a gradient path ends. */
type ReadHook = (tensor: Tensor, how: string) => void;

let readHook: ReadHook = () => {};

export function setTensorReadHook(hook: ReadHook): void {
  readHook = hook;
}

export class Tensor {
  readonly #value: NDArray;
  /** node id, -1 for a plain array */
  readonly #id: number;
  readonly #tape: Tape | null;
  #named = false;

  /** @param id node of `tape`; absent: a plain array that no derivative flows through */
  constructor(value: NDArray, id = -1, tape: Tape | null = null) {
    this.#value = value;
    this.#id = id;
    this.#tape = tape;
  }

  static is(x: object): x is Tensor {
    return #id in x;
  }
  static id(x: Tensor): number {
    return x.#id;
  }
  static tape(x: Tensor): Tape | null {
    return x.#tape;
  }
  static value(x: Tensor): NDArray {
    return x.#value;
  }
  static named(x: Tensor): boolean {
    return x.#named;
  }
  static setNamed(x: Tensor): void {
    x.#named = true;
  }

  /** Lengths by axis. */
  get shape(): Shape {
    return this.#value.shape;
  }
  /** Number of axes. */
  get rank(): number {
    return this.#value.shape.length;
  }
  /** Number of elements. */
  get size(): number {
    return sizeOf(this.#value.shape);
  }

  /** The elements as nested arrays of plain numbers; no derivative flows through them. */
  toArray(): Nested {
    return toNested(this.#read("toArray"));
  }

  /** A copy of the elements in row-major order; no derivative flows through it. */
  toFloat64Array(): Float64Array {
    return Float64Array.from(this.#read("toFloat64Array").data);
  }

  toJSON(): Nested {
    return toNested(this.#read("toJSON"));
  }

  /** The elements, for code that wants plain numbers. */
  #read(how: string): NDArray {
    if (this.#tape?.released === true) {
      throw new BacksweepError(
        "definition",
        `${how}: this tensor is of a run that is over; read its elements while the graph function runs`,
      );
    }
    readHook(this, how);
    return this.#value;
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString();
    throw new TypeError(
      `a Tensor of shape ${shapeText(this.shape)} is used as a number: use its methods, such as a.mul(b) for a * b`,
    );
  }

  toString(): string {
    return `Tensor${shapeText(this.shape)}`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

export function isTensor(x: unknown): x is Tensor {
  return typeof x === "object" && x !== null && Tensor.is(x);
}

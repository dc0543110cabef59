/** The algebra of plain arrays: rows compute. */
import { Op, type Kernels, type KernelSet } from "../../kernels/kernels.js";
import { sameShape, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Rounder } from "../dtype.js";
import { Algebra } from "./algebra.js";
import { broadcastData, summedTo } from "./broadcast.js";
import { Embedded } from "./embedded.js";
import { rowOf } from "./lookup.js";
import { Repeated } from "./repeated.js";
import type { ArrayPrimitive, Params } from "./row.js";

const none: Params = Object.freeze({});
const WORTH_A_CALL = 48;

export class NumericAlgebra extends Algebra<NDArray> {
  /** `alloc`, for whoever allocates later. */
  readonly room = (n: number): Float64Array => this.alloc(n);

  /**
   * @param round rounding of every operation's result, null for f64
   * @param kernels where results are put and which kernels work on them; null: ordinary arrays, that may be kept for good
   */
  constructor(
    readonly round: Rounder | null = null,
    readonly kernels: KernelSet | null = null,
  ) {
    super();
  }

  /** Room for n elements, whose contents are unspecified: all of them must be written. */
  alloc(n: number): Float64Array {
    return this.kernels === null ? new Float64Array(n) : this.kernels.arena.float64(n);
  }

  /** n zeros. */
  zeros(n: number): Float64Array {
    return this.kernels === null ? new Float64Array(n) : this.kernels.arena.zeros64(n);
  }

  /** The double-precision kernels for arrays of n elements, where they are worth a call; else null. */
  fast(n: number): Kernels<Float64Array> | null {
    return this.kernels === null || this.round !== null || n < WORTH_A_CALL ? null : this.kernels.f64;
  }

  row(name: string): ArrayPrimitive {
    return rowOf(name);
  }

  shape(x: NDArray): Shape {
    return x.shape;
  }

  constant(value: NDArray): NDArray {
    return value;
  }

  apply(name: string, operands: readonly NDArray[], params: Params = none): NDArray {
    return this.evaluate(rowOf(name), operands, params);
  }

  /** Applies a row: checks shapes, computes, rounds. */
  evaluate(row: ArrayPrimitive, operands: readonly NDArray[], params: Params): NDArray {
    const shapes = new Array<Shape>(operands.length);
    for (let i = 0; i < shapes.length; i++) shapes[i] = operands[i].shape;
    const shape = row.shape(shapes, params);
    const data = row.value(operands, params, shape, this);
    const { round } = this;
    if (round !== null && !row.exact) {
      for (let i = 0; i < data.length; i++) data[i] = round(data[i]);
    }
    return { shape, data: this.within(data) };
  }

  /** The elements where the kernels reach them: what a row without kernels has put elsewhere, others will read. */
  private within(data: Float64Array): Float64Array {
    if (this.kernels === null) return data;
    const { arena } = this.kernels;
    return arena.place(data) >= 0 || !arena.has64(data.length) ? data : this.copied(data);
  }

  /** Contribution of a row to an operand slot for the output cotangent `g`; null: none. */
  contribution(
    row: ArrayPrimitive,
    slot: number,
    g: NDArray,
    operands: readonly NDArray[],
    output: NDArray,
    params: Params,
  ): NDArray | null {
    if (this.round === null && row.pull !== undefined) {
      const part = row.pull(slot, this, g, operands, output, params);
      if (part !== undefined) return part;
    }
    return row.vjp(slot, this, g, operands, output, params);
  }

  /** The sum of what had arrived at a node and one contribution more, in an array of its own. */
  accumulated(before: NDArray, part: NDArray): NDArray {
    const { shape } = part;
    const { round } = this;
    if (round === null && (part instanceof Embedded || before instanceof Embedded)) {
      const [run, rest] = part instanceof Embedded ? [part, before] : [before as Embedded, part];
      return { shape, data: this.withRun(rest, run) };
    }
    const data = this.alloc(part.data.length);
    const kernels = this.fast(data.length);
    if (kernels !== null) kernels.binary(Op.add, data, before.data, part.data);
    else for (let i = 0; i < data.length; i++) data[i] = before.data[i] + part.data[i];
    if (round !== null) for (let i = 0; i < data.length; i++) data[i] = round(data[i]);
    return { shape, data };
  }

  /** The sum of elements and a run among zeros: 0 is added outside the run, as adding the zeros would, which makes 0 of -0. */
  private withRun(rest: NDArray, { run, from }: Embedded): Float64Array {
    const data = rest instanceof Embedded ? rest.written() : this.alloc(rest.data.length);
    const given = rest instanceof Embedded ? data : rest.data;
    const end = from + run.length;
    const kernels = this.fast(data.length);
    if (kernels === null) {
      for (let i = 0; i < from; i++) data[i] = given[i] + 0;
      for (let i = from; i < end; i++) data[i] = given[i] + run[i - from];
      for (let i = end; i < data.length; i++) data[i] = given[i] + 0;
      return data;
    }
    const part = (array: Float64Array, start: number, stop: number): Float64Array =>
      array.subarray(start, stop);
    if (from > 0) kernels.binaryScalar(Op.add, part(data, 0, from), part(given, 0, from), 0);
    kernels.binary(Op.add, part(data, from, end), part(given, from, end), run);
    if (end < data.length)
      kernels.binaryScalar(Op.add, part(data, end, data.length), part(given, end, data.length), 0);
    return data;
  }

  private copied(from: Float64Array): Float64Array {
    const data = this.alloc(from.length);
    data.set(from);
    return data;
  }

  /** The elements are written out when they are read, where the arrays are not to be kept. */
  override broadcastTo(x: NDArray, shape: Shape): NDArray {
    if (sameShape(x.shape, shape)) return x;
    if (this.round !== null) return this.apply("broadcastTo", [x], { shape });
    if (this.kernels === null || sizeOf(shape) <= sizeOf(x.shape))
      return { shape, data: broadcastData(x, shape, this.room) };
    return new Repeated(shape, x, this.room);
  }

  override sumTo(x: NDArray, shape: Shape): NDArray {
    if (sameShape(x.shape, shape)) return x;
    if (this.round !== null) return this.apply("sumTo", [x], { shape });
    return { shape, data: summedTo(x, shape, this) };
  }

  override reshape(x: NDArray, shape: Shape): NDArray {
    return sizeOf(x.shape) === sizeOf(shape) ? { shape, data: x.data } : super.reshape(x, shape);
  }
}

/** Double precision. */
export const numeric = new NumericAlgebra();

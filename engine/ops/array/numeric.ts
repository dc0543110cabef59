/** The algebra of plain arrays: rows compute. */
import type { Kernels, KernelSet } from "../../kernels/kernels.js";
import type { NDArray, Shape } from "../../tape/ndarray.js";
import type { Rounder } from "../dtype.js";
import { Algebra } from "./algebra.js";
import type { ArrayPrimitive, Params } from "./row.js";
import { rowOf } from "./lookup.js";

const none: Params = Object.freeze({});
const WORTH_A_CALL = 48;

export class NumericAlgebra extends Algebra<NDArray> {
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
    const shape = row.shape(
      operands.map((operand) => operand.shape),
      params,
    );
    const data = row.value(operands, params, shape, this);
    const { round } = this;
    if (round !== null && !row.exact) {
      for (let i = 0; i < data.length; i++) data[i] = round(data[i]);
    }
    return { shape, data };
  }
}

/** Double precision. */
export const numeric = new NumericAlgebra();

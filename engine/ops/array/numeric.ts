/** The algebra of plain arrays: rows compute. */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import type { Rounder } from "../dtype.js";
import { Algebra } from "./algebra.js";
import type { ArrayPrimitive, Params } from "./row.js";
import { rowOf } from "./lookup.js";

const none: Params = Object.freeze({});

export class NumericAlgebra extends Algebra<NDArray> {
  /** @param round rounding of every operation's result, null for f64 */
  constructor(readonly round: Rounder | null = null) {
    super();
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

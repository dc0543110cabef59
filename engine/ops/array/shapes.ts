/** The algebra of shapes: rows only say what shape comes out, and what it would cost. Counts a rule's unit operations. */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import { Algebra } from "./algebra.js";
import { rowOf } from "./lookup.js";
import type { ArrayPrimitive, Params } from "./row.js";

const none: Params = Object.freeze({});

export class ShapeAlgebra extends Algebra<Shape> {
  /** unit operations of everything applied so far */
  cost = 0;

  row(name: string): ArrayPrimitive {
    return rowOf(name);
  }
  shape(x: Shape): Shape {
    return x;
  }
  constant(value: NDArray): Shape {
    return value.shape;
  }
  apply(name: string, operands: readonly Shape[], params: Params = none): Shape {
    const row = rowOf(name);
    const shape = row.shape(operands, params);
    this.cost += row.cost(operands, shape, params);
    return shape;
  }
}

/** Unit operations of one slot's contribution, by running the rule on shapes. */
export function pullCost(
  row: ArrayPrimitive,
  slot: number,
  shapes: readonly Shape[],
  shape: Shape,
  params: Params,
): number {
  const counting = new ShapeAlgebra();
  row.vjp(slot, counting, shape, shapes, shape, params);
  return counting.cost;
}

/** Reading axis parameters: negative ones count from the end, lists name each axis once. */
import { shapeText, type Shape } from "../../tape/ndarray.js";
import { ShapeError, type Params } from "./row.js";

/** One axis as a number from 0. Throws ShapeError naming the operation, the axis and the shape. */
export function axisOf(name: string, axis: unknown, shape: Shape): number {
  if (typeof axis !== "number" || !Number.isInteger(axis))
    throw new ShapeError(`${name}: the axis must be an integer, not ${String(axis)}`);
  const positive = axis < 0 ? axis + shape.length : axis;
  if (positive < 0 || positive >= shape.length)
    throw new ShapeError(`${name}: axis ${axis} does not exist in the shape ${shapeText(shape)}`);
  return positive;
}

/** The axes of a reduction, ascending; `axis` absent or null: all. */
export function axesOf(name: string, axis: unknown, shape: Shape): number[] {
  if (axis === undefined || axis === null) return shape.map((_, i) => i);
  const given = Array.isArray(axis) ? axis : [axis];
  const axes = given.map((one) => axisOf(name, one, shape)).sort((a, b) => a - b);
  axes.forEach((one, i) => {
    if (i > 0 && axes[i - 1] === one) throw new ShapeError(`${name}: axis ${one} is named twice`);
  });
  return axes;
}

/** Shape after a reduction over these axes. */
export function reducedShape(shape: Shape, axes: readonly number[], keepdims: boolean): Shape {
  if (keepdims) return shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
  return shape.filter((_, axis) => !axes.includes(axis));
}

export interface Reduction {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
  readonly shape: Shape;
  /** the result's shape with reduced axes of length 1 */
  readonly kept: Shape;
}

/** The parameters `axis` and `keepdims` of a reduction over an operand of this shape. */
export function reductionOf(name: string, params: Params, shape: Shape): Reduction {
  const { axis, keepdims = false } = params;
  if (typeof keepdims !== "boolean") throw new ShapeError(`${name}: keepdims must be true or false`);
  const axes = axesOf(name, axis, shape);
  return {
    axes,
    keepdims,
    shape: reducedShape(shape, axes, keepdims),
    kept: reducedShape(shape, axes, true),
  };
}

/** One element or sub-array by its leading indices, and its adjoint, which puts it back among zeros. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** The index as numbers from 0, checked against the shape. */
function indexOf(params: Params, shape: Shape): number[] {
  const index = params.index as readonly unknown[];
  if (index.length > shape.length)
    throw new ShapeError(`at: ${index.length} indices for the shape ${shapeText(shape)}`);
  return index.map((given, axis) => {
    if (typeof given !== "number" || !Number.isInteger(given))
      throw new ShapeError(`at: index ${String(given)} is not an integer`);
    const positive = given < 0 ? given + shape[axis] : given;
    if (positive < 0 || positive >= shape[axis])
      throw new ShapeError(`at: index ${given} is outside axis ${axis} of the shape ${shapeText(shape)}`);
    return positive;
  });
}

/** Where the sub-array begins, and how many elements it has. */
function block(index: readonly number[], shape: Shape): { start: number; count: number } {
  const count = sizeOf(shape.slice(index.length));
  let start = 0;
  index.forEach((i, axis) => (start += i * sizeOf(shape.slice(axis + 1))));
  return { start, count };
}

export const indexed: readonly ArrayPrimitive[] = [
  defineArray({
    name: "at",
    operands: ["x"],
    shape: ([x], params) => x.slice(indexOf(params, x).length),
    value([x], params) {
      const { start, count } = block(indexOf(params, x.shape), x.shape);
      return x.data.slice(start, start + count);
    },
    vjp: (_slot, k, g, [x], _output, params) =>
      k.apply("placeAt", [g], { index: params.index, shape: k.shape(x) }),
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("at", [t], params)),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "x[i, ...]",
    rule: "g among zeros",
    doc: "The element or sub-array at the leading indices; negative ones count from the end.",
  }),
  defineArray({
    name: "placeAt",
    operands: ["x"],
    shape(_shapes, params) {
      const shape = params.shape as Shape;
      indexOf(params, shape);
      return shape;
    },
    value([x], params, shape) {
      const out = new Float64Array(sizeOf(shape));
      out.set(x.data, block(indexOf(params, shape), shape).start);
      return out;
    },
    vjp: (_slot, k, g, _operands, _output, params) => k.apply("at", [g], { index: params.index }),
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("placeAt", [t], params)),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "zeros with x at i",
    rule: "g[i, ...]",
    doc: "Zeros of a shape with a sub-array at the leading indices: the adjoint of at.",
  }),
];

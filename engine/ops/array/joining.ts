/** Arrays put together along an axis: concat, stack. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axisOf } from "./axes.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** The axis along which operands are joined. Throws naming the two shapes that do not fit. */
function joinAxis(shapes: readonly Shape[], params: Params): number {
  if (shapes.length === 0) throw new ShapeError("concat: at least one array is needed");
  const [first] = shapes;
  const axis = axisOf("concat", params.axis ?? 0, first);
  shapes.forEach((shape, slot) => {
    const fits = shape.length === first.length && shape.every((n, i) => i === axis || n === first[i]);
    if (!fits)
      throw new ShapeError(
        `concat: operand ${slot} of shape ${shapeText(shape)} does not fit ${shapeText(first)} along axis ${axis}: the other lengths must be equal`,
      );
  });
  return axis;
}

/** Blocks of the operands one after the other. */
function concatData(xs: readonly NDArray[], axis: number, shape: Shape): Float64Array {
  const out = new Float64Array(sizeOf(shape));
  if (out.length === 0) return out;
  const blocks = xs.map((x) => sizeOf(x.shape.slice(axis)));
  const outer = sizeOf(shape.slice(0, axis));
  let at = 0;
  for (let i = 0; i < outer; i++) {
    xs.forEach(({ data }, slot) => {
      const block = blocks[slot];
      out.set(data.subarray(i * block, (i + 1) * block), at);
      at += block;
    });
  }
  return out;
}

const zerosFor = <T>(k: Algebra<T>, tangents: readonly (T | null)[], operands: readonly T[]): T[] | null =>
  tangents.every((t) => t === null)
    ? null
    : tangents.map((t, slot) => t ?? k.filled(k.shape(operands[slot]), 0));

/** The axis that a stack makes, counted in the result. */
function stackAxis(shapes: readonly Shape[], params: Params): number {
  if (shapes.length === 0) throw new ShapeError("stack: at least one array is needed");
  const [first] = shapes;
  shapes.forEach((shape, slot) => {
    if (shape.join() !== first.join())
      throw new ShapeError(
        `stack: operand ${slot} has shape ${shapeText(shape)}, operand 0 ${shapeText(first)}: they must be equal`,
      );
  });
  return axisOf("stack", params.axis ?? 0, [...first, 1]);
}

const withAxis = (shape: Shape, axis: number, length: number): number[] => [
  ...shape.slice(0, axis),
  length,
  ...shape.slice(axis),
];

export const joining: readonly ArrayPrimitive[] = [
  defineArray({
    name: "concat",
    operands: ["...xs"],
    shape(shapes, params) {
      const axis = joinAxis(shapes, params);
      const total = shapes.reduce((sum, shape) => sum + shape[axis], 0);
      return shapes[0].map((length, i) => (i === axis ? total : length));
    },
    value: (xs, params, shape) =>
      concatData(
        xs,
        joinAxis(
          xs.map((x) => x.shape),
          params,
        ),
        shape,
      ),
    // shapes were checked when the value was made: once more for each slot would be quadratic in their number
    vjp(slot, k, g, operands, _output, params) {
      const own = k.shape(operands[slot]);
      const axis = axisOf("concat", params.axis ?? 0, own);
      let start = 0;
      for (let i = 0; i < slot; i++) start += k.shape(operands[i])[axis];
      const slices = own.map((length, i) => (i === axis ? [start, start + length, 1] : null));
      return k.apply("slice", [g], { slices });
    },
    jvp(k, tangents, operands, _output, params) {
      const all = zerosFor(k, tangents, operands);
      return all === null ? null : k.apply("concat", all, params);
    },
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "concat(xs, axis)",
    rule: "the operand's part of g",
    doc: "Arrays one after the other along an axis they all have.",
  }),
  defineArray({
    name: "stack",
    operands: ["...xs"],
    shape(shapes, params) {
      const axis = stackAxis(shapes, params);
      return withAxis(shapes[0], axis, shapes.length);
    },
    value(xs, params, shape) {
      const axis = stackAxis(
        xs.map((x) => x.shape),
        params,
      );
      const rows = xs.map(({ shape: own, data }) => ({ shape: withAxis(own, axis, 1), data }));
      return concatData(rows, axis, shape);
    },
    vjp(slot, k, g, operands, _output, params) {
      const axis = axisOf("stack", params.axis ?? 0, [...k.shape(operands[slot]), 1]);
      return k.apply("slice", [g], { slices: [...new Array<null>(axis).fill(null), slot] });
    },
    jvp(k, tangents, operands, _output, params) {
      const all = zerosFor(k, tangents, operands);
      return all === null ? null : k.apply("stack", all, params);
    },
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "stack(xs, axis)",
    rule: "the operand's part of g",
    doc: "Arrays of one shape side by side along a new axis.",
  }),
];

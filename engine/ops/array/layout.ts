/** Operations that only arrange elements anew: reshape, transpose and what follows from them. */
import { sizeOf, shapeText, stridesOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { axesOf, axisOf } from "./axes.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** The shape asked for, one length of -1 filled in. */
function reshaped(from: Shape, params: Params): Shape {
  const given = params.shape;
  const size = sizeOf(from);
  if (!Array.isArray(given) || !given.every((length) => Number.isInteger(length) && length >= -1))
    throw new ShapeError("reshape: the shape must be a list of lengths such as [2, -1]");
  const shape = [...(given as number[])];
  const open = shape.indexOf(-1);
  if (open >= 0 && shape.indexOf(-1, open + 1) < 0) {
    const rest = shape.reduce((product, length) => (length === -1 ? product : product * length), 1);
    shape[open] = rest === 0 ? 0 : size / rest;
  }
  if (!shape.every((length) => Number.isInteger(length) && length >= 0) || sizeOf(shape) !== size)
    throw new ShapeError(
      `reshape: ${shapeText(from)} has ${size} elements, which do not fit ${shapeText(given)}`,
    );
  return shape;
}

/** Order of axes: absent or null reverses them. */
export function permutationOf(from: Shape, params: Params): number[] {
  const { axes } = params;
  if (axes === undefined || axes === null) return from.map((_, i) => from.length - 1 - i);
  if (!Array.isArray(axes) || axes.length !== from.length)
    throw new ShapeError(
      `transpose: axes must name the ${from.length} axes of ${shapeText(from)}, each once`,
    );
  const order = axes.map((axis) => axisOf("transpose", axis, from));
  if (new Set(order).size !== order.length)
    throw new ShapeError(`transpose: axes [${order.join(", ")}] name an axis twice`);
  return order;
}

/** Elements in a new order of axes. */
export function transposeData(
  { shape, data }: NDArray,
  order: readonly number[],
  alloc = (n: number): Float64Array => new Float64Array(n),
): Float64Array {
  const rank = shape.length;
  const out = alloc(data.length);
  if (rank < 2 || data.length === 0) {
    out.set(data);
    return out;
  }
  const own = stridesOf(shape);
  const to = order.map((axis) => shape[axis]);
  const strides = order.map((axis) => own[axis]);
  const inner = to[rank - 1];
  const step = strides[rank - 1];
  const index = new Array<number>(rank).fill(0);
  let from = 0;
  for (let at = 0; at < out.length; at += inner) {
    for (let i = 0, j = from; i < inner; i++, j += step) out[at + i] = data[j];
    for (let axis = rank - 2; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < to[axis]) break;
      from -= strides[axis] * to[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/** The shape with axes of length 1 dropped; `axis` absent or null: all of them. */
function squeezed(x: Shape, params: Params): Shape {
  const { axis } = params;
  if (axis === undefined || axis === null) return x.filter((length) => length !== 1);
  const axes = new Set(axesOf("squeeze", axis, x));
  for (const one of axes)
    if (x[one] !== 1)
      throw new ShapeError(`squeeze: axis ${one} of ${shapeText(x)} has length ${x[one]}, not 1`);
  return x.filter((_, i) => !axes.has(i));
}

/** The shape with new axes of length 1, their places counted in the result. */
function expanded(x: Shape, params: Params): Shape {
  const { axis } = params;
  const rank = x.length + (Array.isArray(axis) ? axis.length : 1);
  const places = new Set(axesOf("expandDims", axis ?? 0, new Array<number>(rank).fill(1)));
  let from = 0;
  return Array.from({ length: rank }, (_, i) => (places.has(i) ? 1 : x[from++]));
}

/** A row that gives the same elements another shape. */
function defineReshaping(
  name: string,
  shape: (x: Shape, params: Params) => Shape,
  formula: string,
  doc: string,
): ArrayPrimitive {
  return defineArray({
    name,
    operands: ["x"],
    shape: ([x], params) => shape(x, params),
    value: ([x]) => x.data,
    vjp: (_slot, k, g, [x]) => k.reshape(g, k.shape(x)),
    jvp: (k, [t], _operands, output) => (t === null ? null : k.reshape(t, k.shape(output))),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula,
    rule: "reshape(g, shape of x)",
    doc,
  });
}

export const layout: readonly ArrayPrimitive[] = [
  defineReshaping(
    "reshape",
    reshaped,
    "reshape(x, shape)",
    "The same elements under another shape; one length may be -1.",
  ),
  defineReshaping(
    "squeeze",
    squeezed,
    "squeeze(x, axis)",
    "Axes of length 1 dropped, all of them by default.",
  ),
  defineReshaping(
    "expandDims",
    expanded,
    "expandDims(x, axis)",
    "New axes of length 1 at these places of the result, at the front by default.",
  ),
  defineArray({
    name: "transpose",
    operands: ["x"],
    shape: ([x], params) => permutationOf(x, params).map((axis) => x[axis]),
    value: ([x], params, _shape, k) => transposeData(x, permutationOf(x.shape, params), k.room),
    vjp(_slot, k, g, [x], _output, params) {
      const order = permutationOf(k.shape(x), params);
      const back = new Array<number>(order.length);
      order.forEach((axis, i) => (back[axis] = i));
      return k.transpose(g, back);
    },
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("transpose", [t], params)),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "transpose(x, axes)",
    rule: "transpose(g, inverse of axes)",
    doc: "Axes in a new order, reversed by default.",
  }),
];

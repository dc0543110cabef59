/** Broadcasting as NumPy does it: shapes aligned at their last axes, a length of 1 repeated. */
import { sameShape, shapeText, sizeOf, stridesOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/**
 * The common shape of operands.
 *
 * @throws ShapeError naming the operation and both shapes
 */
export function broadcastShapes(name: string, shapes: readonly Shape[]): Shape {
  let result = shapes[0];
  for (let i = 1; i < shapes.length; i++) {
    const next = shapes[i];
    if (sameShape(result, next)) continue;
    const rank = Math.max(result.length, next.length);
    const out = new Array<number>(rank);
    for (let axis = 1; axis <= rank; axis++) {
      const a = result[result.length - axis] ?? 1;
      const b = next[next.length - axis] ?? 1;
      if (a !== b && a !== 1 && b !== 1) {
        throw new ShapeError(
          `${name}: shapes ${shapeText(result)} and ${shapeText(next)} cannot be broadcast together: lengths ${a} and ${b} on axis -${axis}`,
        );
      }
      out[rank - axis] = a === 1 ? b : a;
    }
    result = out;
  }
  return result;
}

/** Strides to read an array of `shape` as if it had the shape `to`: 0 along repeated axes. */
export function broadcastStrides(shape: Shape, to: Shape): number[] {
  const own = stridesOf(shape);
  const offset = to.length - shape.length;
  return to.map((_, axis) => (axis < offset || shape[axis - offset] === 1 ? 0 : own[axis - offset]));
}

const heap = (n: number): Float64Array => new Float64Array(n);

/** [n] to [m, n]: the whole array again and again. */
function repeatWhole(shape: Shape, data: Float64Array, to: Shape, out: Float64Array): boolean {
  let lead = 0;
  while (lead < shape.length && shape[lead] === 1) lead++;
  if (!sameShape(shape.slice(lead), to.slice(to.length - shape.length + lead))) return false;
  out.set(data);
  // doubling what is there: few calls however short the block
  for (let done = data.length; done < out.length; done *= 2)
    out.copyWithin(done, 0, Math.min(done, out.length - done));
  return true;
}

/** [m, 1] to [m, n]: each element n times. */
function repeatEach(shape: Shape, data: Float64Array, to: Shape, out: Float64Array): boolean {
  if (shape.length !== to.length) return false;
  let kept = shape.length;
  while (kept > 0 && shape[kept - 1] === 1) kept--;
  if (!sameShape(shape.slice(0, kept), to.slice(0, kept))) return false;
  const times = out.length / data.length;
  let at = 0;
  for (let i = 0; i < data.length; i++) {
    const x = data[i];
    for (let j = 0; j < times; j++) out[at++] = x;
  }
  return true;
}

/** Elements repeated to a shape. Shares the data where nothing is repeated. */
export function broadcastData(
  { shape, data }: NDArray,
  to: Shape,
  alloc: (n: number) => Float64Array = heap,
): Float64Array {
  if (sizeOf(shape) === sizeOf(to) && data.length > 0) return data;
  const out = alloc(sizeOf(to));
  if (out.length === 0) return out;
  if (data.length === 1) return out.fill(data[0]);
  if (repeatWhole(shape, data, to, out) || repeatEach(shape, data, to, out)) return out;
  const strides = broadcastStrides(shape, to);
  const rank = to.length;
  const inner = to[rank - 1];
  const innerStride = strides[rank - 1];
  const index = new Array<number>(rank).fill(0);
  let from = 0;
  for (let at = 0; at < out.length; at += inner) {
    if (innerStride === 1) out.set(data.subarray(from, from + inner), at);
    else out.fill(data[from], at, at + inner);
    for (let axis = rank - 2; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < to[axis]) break;
      from -= strides[axis] * to[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/** Sums over the axes along which `to` was repeated to give the array's shape; rows in ascending order. */
export function sumToData(
  { shape, data }: NDArray,
  to: Shape,
  round: ((x: number) => number) | null,
  zeros: (n: number) => Float64Array = heap,
): Float64Array {
  if (sizeOf(shape) === sizeOf(to) && data.length > 0) return data;
  const out = zeros(sizeOf(to));
  if (data.length === 0) return out;
  const strides = broadcastStrides(to, shape);
  const rank = shape.length;
  const inner = shape[rank - 1];
  const innerStride = strides[rank - 1];
  const index = new Array<number>(rank).fill(0);
  let target = 0;
  for (let at = 0; at < data.length; at += inner) {
    if (round !== null) {
      for (let i = 0; i < inner; i++) {
        const j = target + i * innerStride;
        out[j] = round(out[j] + data[at + i]);
      }
    } else if (innerStride === 0) {
      let sum = out[target];
      for (let i = 0; i < inner; i++) sum += data[at + i];
      out[target] = sum;
    } else {
      for (let i = 0; i < inner; i++) out[target + i] += data[at + i];
    }
    for (let axis = rank - 2; axis >= 0; axis--) {
      target += strides[axis];
      if (++index[axis] < shape[axis]) break;
      target -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/** The sums over what was repeated of `to`, by the kernels where they can. */
export function summedTo(x: NDArray, to: Shape, k: NumericAlgebra): Float64Array {
  return leadingSums(x, to, k) ?? sumToData(x, to, k.round, (n) => k.zeros(n));
}

/** Sums over leading axes alone, or over everything, by the kernels; null for other sums. */
function leadingSums({ shape, data }: NDArray, to: Shape, k: NumericAlgebra): Float64Array | null {
  const kernels = k.fast(data.length);
  if (kernels === null) return null;
  const inner = sizeOf(to);
  let rest = to.length;
  while (rest > 0 && to[to.length - rest] === 1) rest--;
  const offset = shape.length - to.length;
  for (let axis = to.length - rest; axis < to.length; axis++)
    if (shape[axis + offset] !== to[axis]) return null;
  const out = k.alloc(inner);
  kernels.sumAxis(out, data, 1, data.length / inner, inner);
  return out;
}

function wanted(name: string, params: Params): Shape {
  const shape = params.shape;
  if (!Array.isArray(shape) || !shape.every((length) => Number.isInteger(length) && length >= 0)) {
    throw new ShapeError(`${name}: the shape must be a list of lengths such as [2, 3]`);
  }
  return shape as number[];
}

function checkRepeats(name: string, from: Shape, to: Shape): void {
  const offset = to.length - from.length;
  const fits = offset >= 0 && from.every((length, axis) => length === 1 || length === to[axis + offset]);
  if (!fits)
    throw new ShapeError(`${name}: shape ${shapeText(from)} cannot be broadcast to ${shapeText(to)}`);
}

export const broadcasting: readonly ArrayPrimitive[] = [
  defineArray({
    name: "broadcastTo",
    operands: ["x"],
    shape([from], params) {
      const to = wanted("broadcastTo", params);
      checkRepeats("broadcastTo", from, to);
      return to;
    },
    value: ([x], _params, shape, k) => broadcastData(x, shape, (n) => k.alloc(n)),
    vjp: (_slot, k, g, [x]) => k.sumTo(g, k.shape(x)),
    jvp: (k, [t], _operands, output) => (t === null ? null : k.broadcastTo(t, k.shape(output))),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula: "broadcastTo(x, shape)",
    rule: "sumTo(g, shape of x)",
    doc: "Repeats axes of length 1, and new leading axes, to a shape.",
  }),
  defineArray({
    name: "sumTo",
    operands: ["x"],
    shape([from], params) {
      const to = wanted("sumTo", params);
      checkRepeats("sumTo", to, from);
      return to;
    },
    value: ([x], _params, shape, k) => summedTo(x, shape, k),
    vjp: (_slot, k, g, [x]) => k.broadcastTo(g, k.shape(x)),
    jvp: (k, [t], _operands, output) => (t === null ? null : k.sumTo(t, k.shape(output))),
    saves: () => [],
    cost: ([from], to) => Math.max(0, sizeOf(from) - sizeOf(to)),
    formula: "sumTo(x, shape)",
    rule: "broadcastTo(g, shape of x)",
    doc: "Sums repeated axes back to a shape: the adjoint of broadcastTo.",
  }),
];

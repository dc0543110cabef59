/**
 * An array as groups of the elements a reduction takes together: [groups, n] row-major, the reduced axes last in their
 * own order. Without a copy where they are the trailing axes already.
 */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { transposeData } from "./layout.js";

export interface Groups {
  readonly count: number;
  /** elements a group */
  readonly n: number;
  /** element j of group i is data[i * n + j] */
  readonly data: Float64Array;
  /** puts elements in this arrangement back into the array's own order */
  restore(elements: Float64Array): Float64Array;
}

export function groupsOf(x: NDArray, axes: readonly number[]): Groups {
  const { shape } = x;
  const reduced = new Set(axes);
  const kept = shape.map((_, axis) => axis).filter((axis) => !reduced.has(axis));
  const order = [...kept, ...axes];
  const n = sizeOf(axes.map((axis) => shape[axis]));
  const count = sizeOf(kept.map((axis) => shape[axis]));
  if (order.every((axis, i) => axis === i))
    return { count, n, data: x.data, restore: (elements) => elements };
  const arranged: Shape = order.map((axis) => shape[axis]);
  const back = new Array<number>(order.length);
  order.forEach((axis, i) => (back[axis] = i));
  return {
    count,
    n,
    data: transposeData(x, order),
    restore: (elements) => transposeData({ shape: arranged, data: elements }, back),
  };
}

/** A result of the operand's shape, made group by group: `fill(from, to, start, n)` writes n elements from `start` on. */
export function byGroup(
  x: NDArray,
  axes: readonly number[],
  fill: (from: Float64Array, to: Float64Array, start: number, n: number) => void,
): Float64Array {
  const { count, n, data, restore } = groupsOf(x, axes);
  const out = new Float64Array(data.length);
  for (let i = 0; i < count; i++) fill(data, out, i * n, n);
  return restore(out);
}

/** One number a group: `reduce(data, start, n)`. */
export function reduceGroups(
  x: NDArray,
  axes: readonly number[],
  reduce: (data: Float64Array, start: number, n: number) => number,
): Float64Array {
  const { count, n, data } = groupsOf(x, axes);
  const out = new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = reduce(data, i * n, n);
  return out;
}

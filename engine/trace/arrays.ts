/** Reads the arrays of a trace: which values are arrays, their shape, statistics and kept elements. */
import type { Trace } from "./trace.js";

export interface ArraySummary {
  readonly shape: readonly number[];
  readonly size: number;
  readonly norm: number;
  readonly min: number;
  readonly max: number;
  readonly nonfinite: number;
  /** the first elements in row-major order, all of them where `data.length === size` */
  readonly data: Float64Array;
}

/** The array a values row stands for, or null for a number. */
export function arrayAt(trace: Trace, row: number): ArraySummary | null {
  const { arrays } = trace;
  if (arrays === undefined) return null;
  let low = 0;
  let high = arrays.n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (arrays.value[middle] < row) low = middle + 1;
    else high = middle;
  }
  if (low === arrays.n || arrays.value[low] !== row) return null;
  const shape = [...arrays.lengths.subarray(arrays.axesStart[low], arrays.axesStart[low + 1])];
  return {
    shape,
    size: shape.reduce((product, length) => product * length, 1),
    norm: arrays.norm[low],
    min: arrays.min[low],
    max: arrays.max[low],
    nonfinite: arrays.nonfinite[low],
    data: arrays.data.subarray(arrays.dataStart[low], arrays.dataStart[low + 1]),
  };
}

/** Nested arrays of the kept elements; null where not all are kept. */
export function nestedElements({ shape, size, data }: ArraySummary): unknown {
  if (data.length !== size) return null;
  const build = (axis: number, at: number, block: number): unknown => {
    if (axis === shape.length) return data[at];
    const step = shape[axis] === 0 ? 0 : block / shape[axis];
    return Array.from({ length: shape[axis] }, (_, i) => build(axis + 1, at + i * step, step));
  };
  return build(0, 0, size);
}

/** Reads the arrays of a trace: which values are arrays, their shape, statistics and kept elements. */
import type { ArraysTable, Trace } from "./trace.js";

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

/** The summary of an array given whole: row-major elements of a shape. */
export function summaryOf(shape: readonly number[], data: Float64Array): ArraySummary {
  const size = data.length;
  let min = Infinity;
  let max = -Infinity;
  let nonfinite = 0;
  let squares = 0;
  // by index and without calls: this runs over every array that views show
  for (let i = 0; i < size; i++) {
    const x = data[i];
    // NaN for those that are not finite
    if (x - x !== 0) nonfinite++;
    if (x < min) min = x;
    if (x > max) max = x;
    squares += x * x;
  }
  if (size === 0) min = max = NaN;
  return { shape, size, norm: normOf(data, squares, nonfinite), min, max, nonfinite, data };
}

/** Euclidean norm; scaled by the largest magnitude where squares overflowed or may have vanished. */
function normOf(data: Float64Array, squares: number, nonfinite: number): number {
  if (squares > 1e-300 && squares < Infinity) return Math.sqrt(squares);
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]));
  if (largest === 0 || nonfinite > 0) return largest;
  squares = 0;
  for (let i = 0; i < data.length; i++) {
    const x = data[i] / largest;
    squares += x * x;
  }
  return largest * Math.sqrt(squares);
}

/** The arrays whose values rows are kept, at their new rows: `newRow` gives -1 for a row that is left out, and ascends. */
export function moveArrays(arrays: ArraysTable, newRow: (row: number) => number): ArraysTable {
  const kept: number[] = [];
  for (let i = 0; i < arrays.n; i++) if (newRow(arrays.value[i]) >= 0) kept.push(i);
  const column = (from: Float64Array): Float64Array => Float64Array.from(kept, (i) => from[i]);
  const axesStart = starts(arrays.axesStart, kept);
  const dataStart = starts(arrays.dataStart, kept);
  const lengths = new Int32Array(axesStart[kept.length]);
  const data = new Float64Array(dataStart[kept.length]);
  kept.forEach((i, at) => {
    lengths.set(arrays.lengths.subarray(arrays.axesStart[i], arrays.axesStart[i + 1]), axesStart[at]);
    data.set(arrays.data.subarray(arrays.dataStart[i], arrays.dataStart[i + 1]), dataStart[at]);
  });
  return {
    n: kept.length,
    value: Int32Array.from(kept, (i) => newRow(arrays.value[i])),
    axesStart,
    lengths,
    norm: column(arrays.norm),
    min: column(arrays.min),
    max: column(arrays.max),
    nonfinite: Int32Array.from(kept, (i) => arrays.nonfinite[i]),
    dataStart,
    data,
  };
}

function starts(from: Int32Array, kept: readonly number[]): Int32Array {
  const out = new Int32Array(kept.length + 1);
  kept.forEach((i, at) => (out[at + 1] = out[at] + from[i + 1] - from[i]));
  return out;
}

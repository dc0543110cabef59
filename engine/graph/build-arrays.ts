/** The arrays table of a trace: primals, contributions, cotangents and seeds that are n-d arrays. */
import { nodeArray, type FlatTape } from "../sweep/flat.js";
import { meanOf } from "../sweep/mixed.js";
import type { Seed, SweepResult } from "../sweep/reverse.js";
import type { NDArray } from "../tape/ndarray.js";
import { summaryOf } from "../trace/arrays.js";
import type { ArraysTable } from "../trace/trace.js";
import { keptCount, MOST_ELEMENTS, type Kept } from "./kept.js";
import type { Shown, ShownSweep } from "./shown.js";

/** An array of the sweep, or what was kept of one that was dropped. */
type Row = readonly [row: number, array: NDArray | Kept];

const isKept = (array: NDArray | Kept): array is Kept => "summary" in array;

/**
 * Builds the table for the rows of `mean` as `completeTrace` lays them out (primals, locals, contributions, cotangents,
 * seeds, constants), and writes the arrays' means into it. Null for a tape of scalars.
 */
export function buildArrays(
  flat: FlatTape,
  mean: Float64Array,
  sweep: SweepResult | null,
  seeds: readonly Seed[],
  constants: readonly (NDArray | Kept)[],
  shown: Shown | null = null,
  shownSweep: ShownSweep | null = null,
): ArraysTable | null {
  if (flat.arrays === null) return null;
  const { n } = flat;
  const E = flat.edgeFrom.length;
  const rows: Row[] = [];
  for (const [node, { value }] of flat.arrays.entries()) {
    if (value === null || node >= n) continue;
    const kept = shown?.arrays.get(node);
    rows.push([node, kept ?? nodeArray(flat, node)]);
    mean[node] = kept?.mean ?? meanOf(value);
  }
  if (shownSweep !== null) {
    for (const [edge, value] of shownSweep.contributions) rows.push([n + E + edge, value]);
    for (const [node, value] of shownSweep.cotangents) rows.push([n + 2 * E + node, value]);
  }
  if (sweep?.arrays !== undefined) {
    for (const [edge, value] of sweep.arrays.contribution) rows.push([n + E + edge, value]);
    for (const [node, value] of sweep.arrays.cotangent) rows.push([n + 2 * E + node, value]);
    seeds.forEach(({ array }, i) => {
      if (array !== undefined) rows.push([2 * n + 2 * E + i, array]);
    });
  }
  constants.forEach((array, i) => rows.push([mean.length - constants.length + i, array]));
  rows.sort(([a], [b]) => a - b);
  return tableOf(rows);
}

function tableOf(rows: readonly Row[]): ArraysTable {
  const count = rows.length;
  const kept = keptCounts(rows);
  const axesStart = new Int32Array(count + 1);
  const dataStart = new Int32Array(count + 1);
  rows.forEach(([, { shape }], i) => {
    axesStart[i + 1] = axesStart[i] + shape.length;
    dataStart[i + 1] = dataStart[i] + kept[i];
  });
  const table = {
    n: count,
    value: Int32Array.from(rows, ([row]) => row),
    axesStart,
    lengths: new Int32Array(axesStart[count]),
    norm: new Float64Array(count),
    min: new Float64Array(count),
    max: new Float64Array(count),
    nonfinite: new Int32Array(count),
    dataStart,
    data: new Float64Array(dataStart[count]),
  };
  rows.forEach(([, array], i) => {
    const { shape, data } = array;
    table.lengths.set(shape, axesStart[i]);
    table.data.set(data.subarray(0, kept[i]), dataStart[i]);
    const { norm, min, max, nonfinite } = isKept(array) ? array.summary : summaryOf(shape, data);
    table.norm[i] = norm;
    table.min[i] = min;
    table.max[i] = max;
    table.nonfinite[i] = nonfinite;
  });
  return table;
}

/** How many elements of each array are kept. */
function keptCounts(rows: readonly Row[]): number[] {
  let room = MOST_ELEMENTS;
  return rows.map(([, array]) => {
    const count = isKept(array) ? array.data.length : keptCount(array.data.length, room);
    room -= count;
    return count;
  });
}

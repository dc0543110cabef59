/** How large the contributions of a sweep were: roundings are relative to them, not to what is left when they cancel. */
import type { RunOutcome } from "../graph/run.js";
import { arrayAt } from "../trace/arrays.js";
import type { Trace } from "../trace/trace.js";
import { Timeline } from "../timeline/timeline.js";
import type { InputLayout } from "./point.js";

/** Magnitude of the largest number in a values row. */
function largestIn(trace: Trace, row: number): number {
  if (row < 0) return 0;
  const array = arrayAt(trace, row);
  if (array === null) return Math.abs(trace.values.mean[row]);
  return array.size === 0 ? 0 : Math.max(Math.abs(array.min), Math.abs(array.max));
}

/** Magnitude of the largest contribution of a sweep, elements of arrays among them. */
export function largestContribution({ trace }: RunOutcome): number {
  const timeline = new Timeline(trace);
  let most = 0;
  for (let edge = 0; edge < trace.edges.n; edge++) {
    const size = largestIn(trace, timeline.contributionRow(edge));
    if (size > most && size < Infinity) most = size;
  }
  return most;
}

/**
 * Sum of the magnitudes of the contributions into every element of the inputs. Of an array too large for the trace to keep
 * whole, its largest element stands for each.
 */
export function arrivingAt(layout: InputLayout, { trace }: RunOutcome): Float64Array {
  const out = new Float64Array(layout.size);
  const placeOf = new Map<number, { readonly first: number; readonly count: number }>();
  for (const [i, { first, count, tensor }] of trace.header.inputs.entries()) {
    const entry = layout.entries[i];
    if (tensor === true) placeOf.set(first, entry);
    else for (let k = 0; k < count; k++) placeOf.set(first + k, { first: entry.first + k, count: 1 });
  }
  const timeline = new Timeline(trace);
  for (let edge = 0; edge < trace.edges.n; edge++) {
    const place = placeOf.get(trace.edges.from[edge]);
    const row = timeline.contributionRow(edge);
    if (place === undefined || row < 0) continue;
    const array = arrayAt(trace, row);
    const whole = array !== null && array.data.length === array.size;
    const most = whole ? 0 : largestIn(trace, row);
    for (let k = 0; k < place.count; k++) out[place.first + k] += whole ? Math.abs(array.data[k]) : most;
  }
  return out;
}

/** How large the contributions of a sweep were: roundings are relative to them, not to what is left when they cancel. */
import type { RunOutcome } from "../graph/run.js";
import { Timeline } from "../timeline/timeline.js";
import type { InputLayout } from "./point.js";

/** Magnitude of the largest contribution of a sweep; of arrays, what the trace has of them. */
export function largestContribution({ trace }: RunOutcome): number {
  const timeline = new Timeline(trace);
  let most = 0;
  for (let edge = 0; edge < trace.edges.n; edge++) {
    const size = Math.abs(timeline.contribution(edge) ?? 0);
    if (size > most && size < Infinity) most = size;
  }
  return most;
}

/** Sum of the magnitudes of the contributions into every element of the inputs; 0 for inputs that are one tensor. */
export function arrivingAt(layout: InputLayout, { trace }: RunOutcome): Float64Array {
  const out = new Float64Array(layout.size);
  const indexOf = new Map<number, number>();
  for (const [i, { first, count, tensor }] of trace.header.inputs.entries()) {
    if (tensor === true) continue;
    for (let k = 0; k < count; k++) indexOf.set(first + k, layout.entries[i].first + k);
  }
  const timeline = new Timeline(trace);
  for (let edge = 0; edge < trace.edges.n; edge++) {
    const index = indexOf.get(trace.edges.from[edge]);
    if (index !== undefined) out[index] += Math.abs(timeline.contribution(edge) ?? 0);
  }
  return out;
}

/**
 * The reverse sweep over a recording with segments, from the last to the first. Before a segment is swept its executor
 * brings the primals of its nodes back; afterwards it lets them go.
 */
import { BacksweepError } from "../trace/failure.js";
import { queueStarts } from "../sweep/order.js";
import type { RunningSweep } from "../sweep/reverse.js";
import { Did } from "../checkpoint/execute/log.js";
import type { Regions } from "./regions.js";
import type { Segments } from "./segments.js";

/**
 * Sweeps in pieces, several sweeps over one execution.
 *
 * @param atSegment called when the primals of a segment's nodes are there, before the sweeps visit them
 * @throws BacksweepError `order` where the order does not go through the segments one by one, last to first
 */
export function sweepSegments(
  regions: Regions,
  segments: Segments,
  order: Int32Array,
  active: Uint8Array,
  sweeps: readonly RunningSweep[],
  atSegment: (row: number) => void,
): void {
  const starts = queueStarts(active, segments);
  checkOrder(order, segments, starts);
  regions.log?.push(Did.seed, -1);
  for (let row = segments.n - 1; row >= 0; row--) {
    const region = segments.region[row] < 0 ? null : regions.list[segments.region[row]];
    const executor = region?.executor ?? null;
    const step = segments.step[row];
    executor?.backTo(step);
    const end = row === 0 ? order.length : starts[row - 1];
    regions.log?.push(Did.sweep, starts[row], end);
    atSegment(row);
    for (const sweep of sweeps) sweep.visit(starts[row], end);
    executor?.reversed();
    if (step === 0) executor?.finish();
  }
}

function checkOrder(order: Int32Array, segments: Segments, starts: Int32Array): void {
  for (let row = segments.n - 1; row >= 0; row--) {
    const end = row === 0 ? order.length : starts[row - 1];
    for (let i = starts[row]; i < end; i++) {
      if (order[i] >= segments.first[row] && order[i] < segments.end[row]) continue;
      throw new BacksweepError(
        "order",
        `invalid order: under a schedule the sweep goes through the steps one by one, last to first; node ${order[i]} stands among those of another step`,
      );
    }
  }
}

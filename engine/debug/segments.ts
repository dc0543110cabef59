/** Segments of a trace made under a schedule: rows of nodes that are advanced, recorded and reversed together. */
import type { Trace } from "../trace/trace.js";

export interface SegmentRows {
  /** first node of the segment an event row is about, -1: none */
  firstNode(eventRow: number): number;
  /** "step 3 of chain", null where the row names no segment */
  title(eventRow: number): string | null;
}

/** Null: the trace has no segments. */
export function segmentsOf(trace: Trace): SegmentRows | null {
  const { segments } = trace;
  const { a } = trace.events;
  if (segments === undefined || a === undefined) return null;
  const rowOf = (event: number): number => (a[event] >= 0 && a[event] < segments.n ? a[event] : -1);
  return {
    firstNode(event) {
      const row = rowOf(event);
      return row < 0 || segments.first[row] >= segments.end[row] ? -1 : segments.first[row];
    },
    title(event) {
      const row = rowOf(event);
      if (row < 0) return null;
      const owner = segments.owner[row] < 0 ? "the graph" : trace.strings[segments.owner[row]];
      return segments.step[row] < 0 ? owner : `step ${segments.step[row]} of ${owner}`;
    },
  };
}

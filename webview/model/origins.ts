/** The first value that is NaN or infinite: in forward order, and of the reverse sweep. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { nodeExpression, nodeTitle } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";

export interface Origin {
  readonly node: number;
  readonly title: string;
  /** position at which it is there */
  readonly step: number;
  readonly value: string;
  /** what it was computed from, in words; "" where there is nothing to say */
  readonly from: string;
}

/** Whether a values row has a number in it that is not finite. */
function isBad(trace: Trace, nonfinite: ReadonlyMap<number, number>, row: number): boolean {
  return row >= 0 && (!Number.isFinite(trace.values.mean[row]) || (nonfinite.get(row) ?? 0) > 0);
}

export function nonFiniteOrigins(timeline: Timeline): {
  readonly forward: Origin | null;
  readonly reverse: Origin | null;
} {
  const { trace } = timeline;
  const { nodes, values, edges } = trace;
  const nonfinite = new Map<number, number>();
  for (let i = 0; i < (trace.arrays?.n ?? 0); i++)
    nonfinite.set(trace.arrays!.value[i], trace.arrays!.nonfinite[i]);
  const text = (row: number): string => {
    const count = nonfinite.get(row) ?? 0;
    return count > 0 ? `${count} elements not finite` : String(values.mean[row]);
  };
  let forward: Origin | null = null;
  for (let node = 0; node < nodes.n && forward === null; node++) {
    const row = nodes.value[node];
    if (!isBad(trace, nonfinite, row)) continue;
    const step = Math.max(0, timeline.evaluationStep(node));
    const title = nodeTitle(trace, node);
    const expression = nodeExpression(trace, node);
    forward = { node, title, step, value: text(row), from: expression === title ? "" : expression };
  }
  let reverse: Origin | null = null;
  for (let step = 1; step <= timeline.steps && reverse === null; step++) {
    const edge = timeline.edgeAt(step);
    if (edge < 0) continue;
    const row = timeline.contributionRow(edge);
    if (!isBad(trace, nonfinite, row)) continue;
    const node = edges.from[edge];
    const local = edges.local[edge];
    const child = nodeTitle(trace, edges.to[edge]);
    const times = local < 0 ? "" : `, local derivative ${String(values.mean[local])}`;
    reverse = { node, title: nodeTitle(trace, node), step, value: text(row), from: `${child}${times}` };
  }
  return { forward, reverse };
}

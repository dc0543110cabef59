/** What a checkpoint schedule does with one node, in a few words; null where the sweep keeps everything. */
import { CheckpointStates, type PrimalState } from "../timeline/checkpoints.js";
import type { Timeline } from "../timeline/timeline.js";
import { SegmentKind, type Trace } from "../trace/trace.js";
import { plural } from "./text/format.js";

const words: Readonly<Record<PrimalState, string>> = {
  "not-yet": "not computed yet",
  stored: "its value is kept",
  dropped: "its value is dropped",
  replayed: "its value is there again, replayed",
  freed: "its value is freed",
  "never-needed": "no reverse rule reads its value",
};

const known = new WeakMap<Timeline, CheckpointStates>();

/** "step 3 of chain; its value is dropped at step 40 of the sweep; computed again 2 times in all" */
export function retentionText(timeline: Timeline, node: number, position: number): string | null {
  const { trace } = timeline;
  if (trace.segments === undefined) return null;
  let states = known.get(timeline);
  if (states === undefined) known.set(timeline, (states = new CheckpointStates(timeline)));
  const parts = [segmentText(trace, node)].filter((text) => text !== "");
  parts.push(`${words[states.stateAt(node, position)]} at step ${position} of ${timeline.steps}`);
  const replays = states.replaysOf(node, timeline.steps);
  parts.push(replays === 0 ? "never computed again" : `computed again ${plural(replays, "time")} in all`);
  return parts.join("; ");
}

/** "step 3 of chain", "" outside of every segment. */
function segmentText({ segments, strings }: Trace, node: number): string {
  let low = 0;
  let high = segments!.n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segments!.end[middle] <= node) low = middle + 1;
    else high = middle;
  }
  if (low === segments!.n || segments!.first[low] > node || segments!.kind[low] === SegmentKind.outside)
    return "";
  const owner = segments!.owner[low] < 0 ? "" : ` of ${strings[segments!.owner[low]]}`;
  const step = segments!.step[low];
  return step < 0 ? `segment${owner}` : `step ${step}${owner}`;
}

/** What stands on the scrub bar: steps at which a fan-out is complete, and where forward turns into reverse. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { Event, isStep } from "../../engine/trace/events.js";
import { nodeTitle, siteRange } from "../../engine/trace/read.js";

export interface Mark {
  readonly step: number;
  readonly title: string;
}

const cache = new WeakMap<Timeline, readonly Mark[]>();

/** Steps at which the last of two or more children of a node pays, ascending. */
export function fanOutMarks(timeline: Timeline): readonly Mark[] {
  const known = cache.get(timeline);
  if (known !== undefined) return known;
  const marks: Mark[] = [];
  const { edges, nodes } = timeline.trace;
  const child = new Int32Array(nodes.n).fill(-1);
  const several = new Uint8Array(nodes.n);
  for (let e = 0; e < edges.n; e++) {
    if (timeline.stepOfEdge(e) < 0) continue;
    const node = edges.from[e];
    if (child[node] >= 0 && child[node] !== edges.to[e]) several[node] = 1;
    child[node] = edges.to[e];
  }
  for (let node = 0; node < nodes.n; node++) {
    const step = timeline.finalStep(node);
    if (several[node] === 1 && step > 0) marks.push({ step, title: nodeTitle(timeline.trace, node, 18) });
  }
  marks.sort((a, b) => a.step - b.step);
  cache.set(timeline, marks);
  return marks;
}

/** The next (or last) fan-out completion from a step; the end (or start) where there is none. */
export function nextMark(timeline: Timeline, step: number, direction: 1 | -1): number {
  const marks = fanOutMarks(timeline);
  if (direction === 1) return marks.find((mark) => mark.step > step)?.step ?? timeline.steps;
  return marks.findLast((mark) => mark.step < step)?.step ?? 0;
}

/** "breakpoint, line 5" of the step a breakpoint stops at. */
export function breakpointText(timeline: Timeline, step: number): string {
  const { trace } = timeline;
  const node = step > 0 && step <= timeline.steps ? timeline.nodeAt(step) : -1;
  const line = node < 0 ? 0 : (siteRange(trace, trace.nodes.site[node])?.line ?? 0);
  return line > 0 ? `breakpoint, line ${line}` : "breakpoint";
}

export interface StorageMarks {
  /** steps at which something is put into a slot */
  readonly snapshots: readonly number[];
  /** stretches of steps, from the one before the first, in which something is computed again */
  readonly replays: readonly (readonly [from: number, to: number])[];
}

const storage = new WeakMap<Timeline, StorageMarks>();

/** What a schedule stores and replays, along the steps; nothing where everything is kept. */
export function storageMarks(timeline: Timeline): StorageMarks {
  const known = storage.get(timeline);
  if (known !== undefined) return known;
  const snapshots: number[] = [];
  const replays: [number, number][] = [];
  const { events } = timeline.trace;
  let step = 0;
  let replaying = false;
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    if (isStep[kind] === 0) continue;
    step++;
    if (kind === Event.snapshot) snapshots.push(step);
    const again = step > timeline.forwardSteps && isForward(kind);
    if (again && !replaying) replays.push([step - 1, step]);
    else if (again) replays[replays.length - 1][1] = step;
    replaying = again;
  }
  const made = { snapshots, replays };
  storage.set(timeline, made);
  return made;
}

function isForward(kind: number): boolean {
  return (
    kind === Event.advance ||
    kind === Event.record ||
    kind === Event.replay ||
    kind === Event.restore ||
    kind === Event.snapshot ||
    kind === Event.uncompute
  );
}

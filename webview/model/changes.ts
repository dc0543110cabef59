/**
 * Which nodes may look different after the index moved: those with an event in the steps between. Made once a timeline,
 * so that a step costs what it changes and not what is drawn.
 */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { isStep } from "../../engine/trace/events.js";

/** a longer way is drawn anew */
const FAR = 64;

/** nodes of step s: node[start[s] .. start[s + 1]) */
interface Index {
  readonly start: Int32Array;
  readonly node: Int32Array;
}

const cache = new WeakMap<Timeline, Index>();

function indexOf(timeline: Timeline): Index {
  const known = cache.get(timeline);
  if (known !== undefined) return known;
  const { events } = timeline.trace;
  const start = new Int32Array(timeline.steps + 2);
  let step = 0;
  for (let row = 0; row < events.n; row++) {
    step += isStep[events.kind[row]];
    start[step + 1]++;
  }
  for (let s = 0; s <= timeline.steps; s++) start[s + 1] += start[s];
  // rows of one step lie together, so they fill the table in order
  const made = { start, node: Int32Array.from(events.node.subarray(0, events.n)) };
  cache.set(timeline, made);
  return made;
}

/** Nodes that may differ between two positions; null: all of them may. Edges differ only where an end does. */
export function changedNodes(timeline: Timeline, from: number, to: number): Set<number> | null {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  if (high - low > FAR || high > timeline.steps || low < 0) return null;
  // an edge on no path to an output is told apart from a waiting one once the reverse sweep has begun
  if (low <= timeline.forwardSteps !== high <= timeline.forwardSteps) return null;
  const { start, node } = indexOf(timeline);
  const changed = new Set<number>();
  for (let i = start[low]; i < start[high + 1]; i++) if (node[i] >= 0) changed.add(node[i]);
  return changed;
}

/** What is on screen, as far as it decides what the next update must touch. */
export class Shown {
  private timeline: Timeline | null = null;
  private step = 0;
  private selected = -1;

  /** Everything is drawn anew next time. */
  forget(): void {
    this.timeline = null;
  }

  /** Moves on; returns the nodes to touch, or null for all. */
  move(timeline: Timeline, step: number, selected: number): Set<number> | null {
    const changed = timeline === this.timeline ? changedNodes(timeline, this.step, step) : null;
    changed?.add(selected).add(this.selected);
    this.timeline = timeline;
    this.step = step;
    this.selected = selected;
    return changed;
  }
}

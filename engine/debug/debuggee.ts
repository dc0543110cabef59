/** What is debugged: one recorded sweep, and what is worked out of it once. */
import { Timeline } from "../timeline/timeline.js";
import { Event } from "../trace/events.js";
import type { Trace } from "../trace/trace.js";
import { Names } from "./names.js";
import { homeOf } from "./places.js";
import { Running } from "./running.js";
import { Slots } from "./slots.js";

export class Debuggee {
  readonly timeline: Timeline;
  readonly running: Running;
  private namesMade: Names | null = null;
  private slotsMade: Slots | null = null;
  private homesMade: Map<number, Int32Array> | null = null;
  private outputsMade: ReadonlySet<number> | null = null;
  private readonly reachedMade = new Map<number, Reached>();
  /**
   * The true sweep, node for node and step for step the same: where this is a what-if the one without it, where this loses
   * contributions the one that adds up.
   */
  truth: Debuggee | null = null;
  /** nodes whose cotangent a what-if gave: it is no sum of what arrived */
  given: ReadonlySet<number> = new Set();

  constructor(readonly trace: Trace) {
    this.timeline = new Timeline(trace);
    this.running = new Running(this.timeline);
  }

  get names(): Names {
    return (this.namesMade ??= new Names(this.trace));
  }

  get slots(): Slots {
    return (this.slotsMade ??= new Slots(this.timeline));
  }

  /** Output nodes of the graph. */
  get outputs(): ReadonlySet<number> {
    return (this.outputsMade ??= new Set(
      this.trace.header.outputs.map((output) => output.node).filter((node) => node >= 0),
    ));
  }

  /** Nodes made in a function instance itself (0: the graph function, with its inputs), ascending. */
  nodesOf(home: number): Int32Array {
    if (this.homesMade === null) {
      const { scopes, nodes } = this.trace;
      const homes = Int32Array.from({ length: scopes.n }, (_, scope) => homeOf(this.trace, scope));
      const lists = new Map<number, number[]>();
      for (let node = 0; node < nodes.n; node++) {
        const at = homes[nodes.scope[node]] ?? 0;
        const list = lists.get(at);
        if (list === undefined) lists.set(at, [node]);
        else list.push(node);
      }
      this.homesMade = new Map(Array.from(lists, ([at, list]) => [at, Int32Array.from(list)]));
    }
    return this.homesMade.get(home) ?? new Int32Array(0);
  }

  /** Nodes of a function instance that the sweep has reached at a position: how many, and each by its order of arrival. */
  reachedOf(home: number): Reached {
    const known = this.reachedMade.get(home);
    if (known !== undefined) return known;
    const { timeline } = this;
    const first = (node: number): number => {
      if (timeline.seed(node) !== undefined) return timeline.forwardSteps;
      return timeline.slots(node) > 0 ? timeline.stepOfEdge(timeline.arrivalEdgeAt(node, 0)) : -1;
    };
    // one key a node, its step first: typed arrays sort as numbers, without a function to call
    const { n } = this.trace.nodes;
    const keys = new Float64Array(this.nodesOf(home).length);
    let count = 0;
    for (const node of this.nodesOf(home)) {
      const step = first(node);
      if (step >= 0) keys[count++] = step * n + node;
    }
    keys.subarray(0, count).sort();
    const made = { nodes: new Int32Array(count), step: new Int32Array(count) };
    for (let i = 0; i < count; i++) {
      made.nodes[i] = keys[i] % n;
      made.step[i] = Math.floor(keys[i] / n);
    }
    this.reachedMade.set(home, made);
    return made;
  }

  /** The child that pays at a contribution step, -1 for other steps. */
  payerAt(step: number): number {
    const edge = this.isContribution(step) ? this.timeline.edgeAt(step) : -1;
    return edge < 0 ? -1 : this.trace.edges.to[edge];
  }

  isContribution(step: number): boolean {
    return this.timeline.kindAt(step) === Event.contribute;
  }

  isEvaluation(step: number): boolean {
    return this.timeline.kindAt(step) === Event.eval;
  }

  /** A storage action or a replayed operation: neither a first evaluation nor a contribution. */
  isAction(step: number): boolean {
    return !this.isContribution(step) && !this.isEvaluation(step);
  }
}

/** Nodes in the order in which the sweep first reaches them, with the step at which it does. */
export interface Reached {
  readonly nodes: Int32Array;
  readonly step: Int32Array;
}

/** Number of entries of an ascending column that are at most `limit`. */
export function countUpTo(column: Int32Array, limit: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Random access to the state of a sweep at any step. A position is an integer 0..steps: 0 is before the first event,
 * p means that events 1..p have happened. Nothing is replayed: every answer is a lookup or a binary search over
 * arrays made once from the trace, in time linear in its length. Stepping back is moving the index.
 */
import { Event, isStep } from "../trace/events.js";
import type { Trace } from "../trace/trace.js";

/** A contribution into one node, in arrival order. */
export interface Arrival {
  readonly edge: number;
  /** the child (consumer) that pays */
  readonly child: number;
  readonly slot: number;
  readonly step: number;
  readonly value: number;
  /** local derivative, NaN where unknown */
  readonly local: number;
}

export class Timeline {
  readonly trace: Trace;
  /** number of steps */
  readonly steps: number;
  /** steps before the reverse sweep begins (the forward evaluations) */
  readonly forwardSteps: number;
  /** row of the event of each step 1..steps (index 0 unused) */
  private readonly rowOfStep: Int32Array;
  /** step of the node's evaluation; 0 for inputs; -1 never */
  private readonly evalStep: Int32Array;
  /** step at which the node became final, -1 never */
  private readonly finalStepOf: Int32Array;
  /** step at which an edge's contribution flowed, -1 never */
  private readonly edgeStep: Int32Array;
  private readonly edgeValue: Int32Array;
  private readonly seedValue: Map<number, number>;
  private readonly seedStep: Map<number, number>;
  private readonly finalValue: Int32Array;
  /** arrivals by node: edges of node v are arrivalEdge[arrivalStart[v] .. arrivalStart[v + 1]), in arrival order */
  private readonly arrivalStart: Int32Array;
  private readonly arrivalEdge: Int32Array;

  constructor(trace: Trace) {
    this.trace = trace;
    const { events, edges, nodes } = trace;
    const N = nodes.n;
    let steps = 0;
    for (let row = 0; row < events.n; row++) steps += isStep[events.kind[row]];
    this.steps = steps;
    this.rowOfStep = new Int32Array(steps + 1).fill(-1);
    this.evalStep = new Int32Array(N).fill(-1);
    this.finalStepOf = new Int32Array(N).fill(-1);
    this.finalValue = new Int32Array(N).fill(-1);
    this.edgeStep = new Int32Array(edges.n).fill(-1);
    this.edgeValue = new Int32Array(edges.n).fill(-1);
    this.seedValue = new Map();
    this.seedStep = new Map();
    this.arrivalStart = new Int32Array(N + 1);
    let step = 0;
    let forward = 0;
    for (let row = 0; row < events.n; row++) {
      const kind = events.kind[row];
      if (isStep[kind]) this.rowOfStep[++step] = row;
      const node = events.node[row];
      if (kind === Event.eval) {
        this.evalStep[node] = step;
        forward = step;
      } else if (kind === Event.seed) {
        this.seedValue.set(node, events.value[row]);
        this.seedStep.set(node, step);
      } else if (kind === Event.contribute) {
        const edge = events.edge[row];
        this.edgeStep[edge] = step;
        this.edgeValue[edge] = events.value[row];
        this.arrivalStart[node + 1]++;
      } else if (kind === Event.final) {
        this.finalStepOf[node] = step;
        this.finalValue[node] = events.value[row];
      }
    }
    this.forwardSteps = forward;
    for (let v = 0; v < N; v++) this.arrivalStart[v + 1] += this.arrivalStart[v];
    this.arrivalEdge = new Int32Array(this.arrivalStart[N]);
    const fill = this.arrivalStart.slice(0, N);
    for (let row = 0; row < events.n; row++) {
      if (events.kind[row] === Event.contribute)
        this.arrivalEdge[fill[events.node[row]]++] = events.edge[row];
    }
    for (let v = 0; v < N; v++) if (this.evalStep[v] < 0 && trace.nodes.kind[v] !== 0) this.evalStep[v] = 0;
  }

  /** The trace row of a step 1..steps. */
  rowAt(step: number): number {
    return this.rowOfStep[step];
  }

  /** Code of the event kind of a step. */
  kindAt(step: number): number {
    return this.trace.events.kind[this.rowOfStep[step]];
  }

  /** The node a step is about: evaluated, or paid into. */
  nodeAt(step: number): number {
    return this.trace.events.node[this.rowOfStep[step]];
  }

  /** The edge a contribution step flows along, -1 for other steps. */
  edgeAt(step: number): number {
    return this.trace.events.edge[this.rowOfStep[step]];
  }

  /** True when the node has its primal at this position. */
  isEvaluated(node: number, position: number): boolean {
    const step = this.evalStep[node];
    return step >= 0 && step <= position;
  }

  evaluationStep(node: number): number {
    return this.evalStep[node];
  }

  /** Position at which the node is final (all uses have paid, or seeded), -1 if it never is. */
  finalStep(node: number): number {
    return this.finalStepOf[node];
  }

  isFinal(node: number, position: number): boolean {
    const step = this.finalStepOf[node];
    return step >= 0 && step <= position;
  }

  /** The output cotangent the sweep starts with at this node, or undefined for a node that is not seeded (yet). */
  seed(node: number, position = this.steps): number | undefined {
    const step = this.seedStep.get(node);
    return step === undefined || step > position
      ? undefined
      : this.trace.values.mean[this.seedValue.get(node)!];
  }

  /** The final cotangent, undefined where the sweep never reaches the node. */
  cotangent(node: number): number | undefined {
    const row = this.finalValue[node];
    return row < 0 ? undefined : this.trace.values.mean[row];
  }

  /** Values row of the final cotangent, -1 where the sweep never reaches the node. */
  cotangentRow(node: number): number {
    return this.finalValue[node];
  }

  /** Values row of the contribution along an edge, -1 if none flows. */
  contributionRow(edge: number): number {
    return this.edgeValue[edge];
  }

  /** Values row of the output cotangent the sweep starts with at this node, -1 for a node that is not seeded. */
  seedRow(node: number): number {
    return this.seedValue.get(node) ?? -1;
  }

  /** Step at which the edge's contribution flows, -1 if it never does (not on a path to an output). */
  stepOfEdge(edge: number): number {
    return this.edgeStep[edge];
  }

  /** The contribution along an edge, undefined if none flows. */
  contribution(edge: number): number | undefined {
    const row = this.edgeValue[edge];
    return row < 0 ? undefined : this.trace.values.mean[row];
  }

  /** Number of operand slots that will ever pay into the node. */
  slots(node: number): number {
    return this.arrivalStart[node + 1] - this.arrivalStart[node];
  }

  /** Number of slots that have paid at this position. */
  arrived(node: number, position: number): number {
    const start = this.arrivalStart[node];
    let low = start;
    let high = this.arrivalStart[node + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.edgeStep[this.arrivalEdge[middle]] <= position) low = middle + 1;
      else high = middle;
    }
    return low - start;
  }

  /** The edge of the node's `index`-th contribution in arrival order, from 0. */
  arrivalEdgeAt(node: number, index: number): number {
    return this.arrivalEdge[this.arrivalStart[node] + index];
  }

  /** Contributions into the node up to a position (default: all), in arrival order. */
  arrivals(node: number, position = this.steps): Arrival[] {
    const start = this.arrivalStart[node];
    const count = this.arrived(node, position);
    const { edges, values } = this.trace;
    const out: Arrival[] = [];
    for (let i = start; i < start + count; i++) {
      const edge = this.arrivalEdge[i];
      const local = edges.local[edge];
      out.push({
        edge,
        child: edges.to[edge],
        slot: edges.slot[edge],
        step: this.edgeStep[edge],
        value: values.mean[this.edgeValue[edge]],
        local: local < 0 ? NaN : values.mean[local],
      });
    }
    return out;
  }
}

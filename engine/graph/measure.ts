/**
 * Sizes and costs of a graph's chains, taken from the graph itself: the graph function runs once, every step keeps nothing
 * but the state it hands on, and what each computed is added up. One more forward pass, in the memory of one step.
 */
import type { Schedule } from "../checkpoint/actions.js";
import { Primals } from "../checkpoint/execute/primals.js";
import type { HeteroChain } from "../checkpoint/hetero/index.js";
import { arrayPrimitive } from "../ops/array/table.js";
import type { Recorder } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import type { Shape } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUT, SEGMENT_BITS, SEGMENT_MASK, type Tape } from "../tape/tape.js";
import type { SegmentKind } from "../trace/trace.js";
import { record, type Subject } from "./record.js";
import { Regions, useRegions, type Region } from "./regions.js";

/** One region as it ran. */
export interface Measured {
  readonly kind: SegmentKind;
  readonly name: string;
  readonly steps: number;
  /** bytes of all primals its steps compute */
  readonly allBytes: number;
  /** bytes of the largest state and of the primals of the largest step */
  readonly stateBytes: number;
  readonly stepBytes: number;
  /** bytes of the last state: it stays until the sweep comes back */
  readonly finalBytes: number;
  /** the chain for a planner; bytes of primals, costs in unit operations */
  readonly chain: HeteroChain;
}

/** Runs every step once; the stream is never asked for the way back. */
const onceForward: Schedule = {
  name: "measure",
  *actions(steps) {
    yield { kind: "advance", from: 0, to: steps };
  },
};

/** Costs of pulling a step back, in forward evaluations of it: the bound for + - * / is 4 (Baur and Strassen 1983), 2 is usual. */
const BACKWARD = 2;

/** Runs the graph function once. Throws as a run does. */
export function measureRegions(subject: Subject): Measured[] {
  const states: number[][] = [];
  const nodes: number[][] = [];
  const costs: number[][] = [];
  const { collect } = subject.context;
  let regions: Regions | null = null;
  record(subject, {}, undefined, undefined, (recorder: Recorder) => {
    const made = new Regions(recorder, () => onceForward);
    regions = made;
    made.primals = new Primals(recorder.tape, null, collect ?? null);
    made.observers.push({
      firstRun(region: Region, step, first, end) {
        if (step === 0) {
          states[region.index] = [0];
          nodes[region.index] = [0];
          costs[region.index] = [0];
        }
        let bytes = 0;
        let cost = 0;
        for (let v = first; v < end; v++) {
          bytes += made.primals!.size(v);
          cost += tapeCost(recorder.tape, v);
        }
        let state = 0;
        for (const v of region.leaves(step + 1)) state += made.primals!.size(v);
        states[region.index].push(state);
        nodes[region.index].push(bytes);
        costs[region.index].push(cost);
      },
    });
    useRegions(recorder, made);
  });
  return (regions as unknown as Regions).list.map(({ kind, name, count }, i) => ({
    kind,
    name,
    steps: count,
    allBytes: nodes[i].reduce((a, b) => a + b, 0),
    stateBytes: states[i].reduce((a, b) => Math.max(a, b), 0),
    stepBytes: nodes[i].reduce((a, b) => Math.max(a, b), 0),
    finalBytes: states[i][count],
    chain: chainOf(states[i], nodes[i], costs[i]),
  }));
}

/** A tape holds what its step computed and the state the step began with; running a step takes all it computes. */
export function chainOf(
  state: readonly number[],
  nodes: readonly number[],
  cost: readonly number[],
): HeteroChain {
  const n = state.length - 1;
  const zeros = new Float64Array(n + 1);
  return {
    model: "selfcontained",
    n,
    state,
    tape: nodes.map((bytes, i) => (i === 0 ? 0 : bytes + state[i - 1])),
    cotangent: zeros,
    forward: cost,
    backward: cost.map((c) => BACKWARD * c),
    forwardOverhead: nodes.map((bytes, i) => Math.max(0, bytes - state[i])),
    backwardOverhead: zeros,
  };
}

/** Unit operations of a node that is on a tape. */
function tapeCost(tape: Tape, v: number): number {
  const segment = tape.segments[v >>> SEGMENT_BITS];
  const at = v & SEGMENT_MASK;
  const op = segment.op[at];
  if (op !== OP_ARRAY) return op >= OP_CUT ? 1 : primitives[op].cost.value;
  const record = tape.arrays.get(v)!;
  const shapes: Shape[] = [];
  for (let k = 0; k < segment.b[at]; k++) {
    const reference = tape.args.at(segment.a[at] + k);
    shapes.push(
      (reference >= 0 ? tape.arrays.get(reference)?.shape : tape.arrays.constant(reference)?.shape) ?? [],
    );
  }
  return arrayPrimitive(record.op!).cost(shapes, record.shape, record.params);
}

/**
 * A recording that was cut into steps: dropped primals are computed again from the instructions on the tape, so the replay
 * is exact whatever the user's code would do a second time. What has no instruction (inputs, cut values) stays.
 */
import type { Schedule } from "../checkpoint/actions.js";
import { Executor } from "../checkpoint/execute/executor.js";
import type { StorageLog } from "../checkpoint/execute/log.js";
import type { Primals } from "../checkpoint/execute/primals.js";
import { hasInstruction, type Evaluator } from "../sweep/evaluate.js";
import type { FlatTape } from "../sweep/flat.js";
import { SegmentKind } from "../trace/trace.js";
import { forwardCost, primalBytes } from "../sweep/cost.js";
import { chainOf, type Measured } from "./measure.js";
import type { Cuts } from "./cuts.js";
import type { AnyRegion } from "./regions.js";
import type { InstructionObserver } from "./replay-observer.js";

export class CutRegion implements AnyRegion {
  readonly index = 0;
  readonly kind = SegmentKind.cut;
  readonly name = "cut";
  executor: Executor | null = null;

  constructor(
    private readonly flat: FlatTape,
    private readonly cuts: Cuts,
    private readonly evaluator: Evaluator,
    private readonly observer: InstructionObserver | null,
  ) {}

  get count(): number {
    return this.cuts.starts.length - 1;
  }

  get ran(): number {
    return this.count;
  }

  first(step: number): number {
    return this.cuts.starts[step];
  }

  end(step: number): number {
    return this.cuts.starts[step + 1];
  }

  leaves(state: number): Int32Array {
    return this.cuts.states[state];
  }

  /** Its sizes and costs for a planner, of the tables. */
  measured(): Measured {
    const { flat, count } = this;
    const nodes = [0];
    const states = [0];
    const costs = [0];
    for (let step = 0; step < count; step++) {
      let bytes = 0;
      let cost = 0;
      for (let v = this.first(step); v < this.end(step); v++) {
        bytes += primalBytes(flat, v);
        cost += forwardCost(flat, v);
      }
      nodes.push(bytes);
      costs.push(cost);
      states.push(this.leaves(step + 1).reduce((sum, v) => sum + primalBytes(flat, v), 0));
    }
    return {
      kind: this.kind,
      name: this.name,
      steps: count,
      allBytes: nodes.reduce((a, b) => a + b, 0),
      stateBytes: Math.max(...states),
      stepBytes: Math.max(...nodes),
      finalBytes: states[count],
      chain: chainOf(states, nodes, costs),
    };
  }

  stays(node: number): boolean {
    return !hasInstruction(this.flat, node);
  }

  /** The first time the recording has just done it. */
  run(step: number, again: boolean): void {
    if (!again) return;
    const { flat, evaluator, observer } = this;
    observer?.instructionsBegin();
    for (let v = this.first(step); v < this.end(step); v++) if (hasInstruction(flat, v)) evaluator.run(v);
    observer?.instructionsReplayed({ region: this, step }, this.first(step), this.end(step), evaluator.round);
  }

  /** Carries out the first sweep of a schedule on the values that the recording left. */
  begin(schedule: Schedule, primals: Primals, log: StorageLog | null): void {
    const { flat } = this;
    this.observer?.recorded(flat.n);
    for (let v = this.first(0); v < flat.n; v++) if (!hasInstruction(flat, v)) primals.hold(v);
    this.executor = new Executor(schedule, this.index, this, primals, log);
    this.executor.forward();
  }
}

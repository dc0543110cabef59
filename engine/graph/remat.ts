/**
 * `budget:bytes`: single nodes of any graph dropped and computed again, as the plan of `checkpoint/dag` says. The plan is
 * one sequence of computing, dropping and reversing; what it computes for the first time the recording has computed.
 */
import { rematerialise, sweepProblem, type SweepPlan } from "../checkpoint/dag/index.js";
import { Did, type StorageLog } from "../checkpoint/execute/log.js";
import type { Primals } from "../checkpoint/execute/primals.js";
import { forwardCost, primalBytes, reverseCost } from "../sweep/cost.js";
import { hasInstruction, type Evaluator } from "../sweep/evaluate.js";
import type { FlatTape } from "../sweep/flat.js";
import type { RunningSweep } from "../sweep/reverse.js";
import { SegmentKind } from "../trace/trace.js";
import type { Replayed } from "./contract-words.js";
import type { InstructionObserver } from "./replay-observer.js";

/** A node that is computed again by itself. */
const SINGLE: Replayed = { region: { name: "a node", kind: SegmentKind.outside }, step: -1 };

export class Rematerialisation {
  private readonly plan: SweepPlan;
  /** operations computed again, and all that were computed */
  recomputed = 0;
  private computed = 0;
  private readonly plainCost: number;

  /** @throws BacksweepError `option` where no order of operations fits the budget */
  constructor(
    private readonly flat: FlatTape,
    outputs: readonly number[],
    private readonly order: Int32Array,
    private readonly budget: number,
  ) {
    const problem = sweepProblem(flat, outputs, order, {
      bytes: (v) => primalBytes(flat, v),
      forward: (v) => forwardCost(flat, v),
      reverse: (v) => reverseCost(flat, v),
      given: (v) => !hasInstruction(flat, v),
    });
    this.plan = rematerialise(problem, budget);
    let cost = 0;
    for (let v = 0; v < flat.n; v++) if (hasInstruction(flat, v)) cost += forwardCost(flat, v);
    for (const v of order) cost += reverseCost(flat, v);
    this.plainCost = cost;
  }

  /** Carries the plan out. */
  run(
    primals: Primals,
    evaluator: Evaluator,
    log: StorageLog | null,
    sweeps: readonly RunningSweep[],
    atNode: (node: number) => void,
    observer: InstructionObserver | null,
  ): void {
    const { flat, order } = this;
    observer?.recorded(flat.n);
    const known = new Uint8Array(flat.n);
    for (let v = 0; v < flat.n; v++) if (!hasInstruction(flat, v)) primals.hold(v);
    let reversed = 0;
    for (const { kind, node } of this.plan.ops) {
      if (kind === "compute") {
        this.computed++;
        if (known[node] === 1) {
          this.recomputed++;
          observer?.instructionsBegin();
          evaluator.run(node);
          observer?.instructionsReplayed(SINGLE, node, node + 1, evaluator.round);
          log?.push(Did.replay, node);
        } else log?.push(Did.reach, node + 1);
        known[node] = 1;
        primals.hold(node);
        primals.note();
      } else if (kind === "drop") primals.release(node);
      else {
        if (reversed === 0) log?.push(Did.seed, -1);
        log?.push(Did.sweep, reversed, reversed + 1);
        atNode(node);
        for (const sweep of sweeps) sweep.visit(reversed, reversed + 1);
        reversed++;
      }
    }
    if (reversed === 0) log?.push(Did.seed, -1);
    if (reversed !== order.length) throw new Error(`${reversed} of ${order.length} rules ran`);
  }

  get counts(): { readonly computed: number; readonly recomputed: number } {
    return { computed: this.computed, recomputed: this.recomputed };
  }

  remarks(): string[] {
    const { cost, peak, exact, lowerBound } = this.plan;
    const again = `${this.recomputed} operation${this.recomputed === 1 ? "" : "s"}`;
    const ratio = (x: number): string => String(Number((x / Math.max(1, this.plainCost)).toPrecision(4)));
    return [
      `budget:${this.budget}: ${again} computed again, ${ratio(cost)} times the cost of a run that keeps everything; planned peak ${peak} bytes of primals.`,
      exact
        ? "No plan within the budget costs less."
        : `The plan is a heuristic one: at most ${ratio(cost - lowerBound)} of that cost above the optimum.`,
      "While the graph function runs, everything it computes is held; the budget holds for the sweep.",
    ];
  }
}

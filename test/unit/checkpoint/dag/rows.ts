/** The reference rows of rematerialisation. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DagProblem, RematOp } from "../../../../engine/checkpoint/dag/index.js";

export interface DagRow extends DagProblem {
  readonly id: string;
  readonly n: number;
  readonly parents: number[][];
  readonly cost: number[];
  readonly size: number[];
  readonly targets: number[];
  readonly min_budget: number;
  readonly min_budget_no_recompute: number;
  readonly total_cost_once: number;
  readonly budgets: {
    readonly budget: number;
    readonly optimal_cost: number;
    readonly checkmate_stage_cost: number | null;
    readonly optimal_ops: string;
  }[];
}

export const rows = (
  JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../fixtures/checkpointing/dag-remat.json"), "utf8"),
  ) as {
    dag: DagRow[];
  }
).dag;

/** "C0 D1" as operations, with the one demand met at the end. */
export function parse(text: string): RematOp[] {
  const ops = text
    .split(" ")
    .map((word): RematOp => ({ kind: word[0] === "C" ? "compute" : "drop", node: Number(word.slice(1)) }));
  return [...ops, { kind: "meet", node: 0 }];
}

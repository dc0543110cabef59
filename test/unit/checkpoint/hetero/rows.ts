/** The reference rows of heterogeneous chains as the engine's plain data. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HeteroChain } from "../../../../engine/checkpoint/hetero/index.js";

export interface Budget {
  readonly budget: number;
  readonly optimal_cost: number;
  readonly persistent_cost?: number;
  readonly peak: number;
  readonly optimal_ops: string;
}

interface Row {
  readonly id: string;
  readonly n: number;
  readonly size_a: number[];
  readonly size_abar?: number[];
  readonly size_tape?: number[];
  readonly size_delta: number[];
  readonly cost_f: number[];
  readonly cost_b: number[];
  readonly over_f: number[];
  readonly over_b: number[];
  readonly min_budget: number;
  readonly storeall_cost: number;
  readonly storeall_peak?: number;
  readonly budgets: Budget[];
}

const file = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/checkpointing/hetero-chain.json"), "utf8"),
) as { rotor_model: Row[]; selfcontained_model: Row[] };

export const contained = file.rotor_model;
export const selfcontained = file.selfcontained_model;

export function chainOf(row: Row): HeteroChain {
  return {
    model: row.size_abar === undefined ? "selfcontained" : "contained",
    n: row.n,
    state: row.size_a,
    tape: row.size_abar ?? row.size_tape!,
    cotangent: row.size_delta,
    forward: row.cost_f,
    backward: row.cost_b,
    forwardOverhead: row.over_f,
    backwardOverhead: row.over_b,
  };
}

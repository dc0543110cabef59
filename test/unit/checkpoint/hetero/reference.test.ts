import { describe, expect, it } from "vitest";
import {
  exactChain,
  exactLeastBudget,
  leastBudget,
  parseOps,
  planChain,
  printOps,
  refereeOps,
} from "../../../../engine/checkpoint/hetero/index.js";
import { chainOf, contained, selfcontained } from "./rows.js";

describe("heterogeneous chains, reference rows", () => {
  it("are all there", () => {
    expect(contained.flatMap((row) => row.budgets).length).toBe(319);
    expect(selfcontained.flatMap((row) => row.budgets).length).toBe(145);
  });

  it("replay their witnesses to the listed cost and peak", () => {
    for (const row of [...contained, ...selfcontained]) {
      for (const { budget, optimal_cost, peak, optimal_ops } of row.budgets) {
        const ops = parseOps(optimal_ops);
        expect(printOps(ops)).toBe(optimal_ops);
        expect([row.id, budget, refereeOps(chainOf(row), ops)]).toEqual([
          row.id,
          budget,
          { cost: optimal_cost, peak },
        ]);
      }
    }
  });

  it("have the optimal cost, with a legal witness, and the least budget", () => {
    for (const row of [...contained, ...selfcontained]) {
      const chain = chainOf(row);
      expect([row.id, exactLeastBudget(chain)]).toEqual([row.id, row.min_budget]);
      expect(exactChain(chain, row.min_budget - 1)).toBeNull();
      for (const { budget, optimal_cost } of row.budgets) {
        const exact = exactChain(chain, budget);
        if (exact === null || exact === "limit") throw new Error(`${row.id} ${budget}: ${exact}`);
        expect([row.id, budget, exact.cost]).toEqual([row.id, budget, optimal_cost]);
        const replayed = refereeOps(chain, exact.ops);
        expect(replayed.cost).toBe(optimal_cost);
        expect(replayed.peak).toBeLessThanOrEqual(budget);
      }
    }
  });

  it("have the memory-persistent cost of Rotor's programme", () => {
    for (const row of contained) {
      const chain = chainOf(row);
      for (const { budget, persistent_cost, optimal_cost } of row.budgets) {
        if (budget < leastBudget(chain)) throw new Error(`${row.id} ${budget}: no persistent schedule`);
        const plan = planChain(chain, budget, { certificate: true });
        expect([row.id, budget, plan.cost]).toEqual([row.id, budget, persistent_cost]);
        expect(plan.peak).toBeLessThanOrEqual(budget);
        expect(plan.persistentOptimum).toBe(true);
        expect(plan.optimum).toBe(optimal_cost);
        expect(plan.storeAllCost).toBe(row.storeall_cost);
      }
      const last = row.budgets[row.budgets.length - 1];
      expect(planChain(chain, row.storeall_peak!).cost).toBe(row.storeall_cost);
      expect(last.optimal_cost).toBeGreaterThanOrEqual(row.storeall_cost);
    }
  });

  it("of self-contained tapes are planned legally, never below the optimum", () => {
    let equal = 0;
    let all = 0;
    for (const row of selfcontained) {
      const chain = chainOf(row);
      for (const { budget, optimal_cost } of row.budgets) {
        if (budget < leastBudget(chain)) continue;
        const plan = planChain(chain, budget);
        expect(plan.cost).toBeGreaterThanOrEqual(optimal_cost);
        expect(plan.peak).toBeLessThanOrEqual(budget);
        all++;
        if (plan.cost === optimal_cost) equal++;
      }
      expect(planChain(chain, row.budgets[row.budgets.length - 1].budget).cost).toBe(row.storeall_cost);
    }
    expect(equal / all).toBeGreaterThan(0.5);
  });
});

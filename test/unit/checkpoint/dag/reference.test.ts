import { describe, expect, it } from "vitest";
import {
  exactLeastBytes,
  exactRemat,
  lowerBound,
  planRemat,
  problemOf,
  refereeRemat,
  stageOptimum,
} from "../../../../engine/checkpoint/dag/index.js";
import { BacksweepError } from "../../../../engine/trace/failure.js";
import { parse, rows } from "./rows.js";

describe("rematerialisation, reference rows", () => {
  it("are all there, with legal witnesses", () => {
    expect(rows.flatMap((row) => row.budgets).length).toBe(77);
    for (const row of rows) {
      for (const { budget, optimal_cost, optimal_ops } of row.budgets) {
        const { cost, peak } = refereeRemat(problemOf(row), parse(optimal_ops));
        expect([row.id, budget, cost]).toEqual([row.id, budget, optimal_cost]);
        expect(peak).toBeLessThanOrEqual(budget);
      }
    }
  });

  it("have the optimal cost and the least budget", () => {
    for (const row of rows) {
      const problem = problemOf(row);
      expect([row.id, exactLeastBytes(problem)]).toEqual([row.id, row.min_budget]);
      expect(exactRemat(problem, row.min_budget - 1)).toBeNull();
      expect(() => planRemat(problem, row.min_budget - 1)).toThrow(/^budget:\d+: (no order|some operation)/);
      expect(planRemat(problem, row.min_budget_no_recompute).cost).toBe(row.total_cost_once);
      for (const { budget, optimal_cost } of row.budgets) {
        const plan = planRemat(problem, budget);
        expect([row.id, budget, plan.cost, plan.exact]).toEqual([row.id, budget, optimal_cost, true]);
        expect(refereeRemat(problem, plan.ops)).toEqual({ cost: plan.cost, peak: plan.peak });
        expect(plan.peak).toBeLessThanOrEqual(budget);
        expect(lowerBound(problem, budget)).toBeLessThanOrEqual(optimal_cost);
      }
    }
  });

  it("have the optimum under Checkmate's stages, or none", () => {
    for (const row of rows.filter(({ n }) => n <= 8)) {
      for (const { budget, checkmate_stage_cost } of row.budgets)
        expect([row.id, budget, stageOptimum(problemOf(row), budget)]).toEqual([
          row.id,
          budget,
          checkmate_stage_cost,
        ]);
    }
  });

  it("are planned greedily within a stated gap", () => {
    // cost over the optimum, as a table of how often
    const gaps: Record<string, number> = {};
    for (const row of rows) {
      const problem = problemOf(row);
      for (const { budget, optimal_cost } of row.budgets) {
        const gap = ((): string => {
          try {
            const plan = planRemat(problem, budget, { method: "greedy" });
            expect(refereeRemat(problem, plan.ops)).toEqual({ cost: plan.cost, peak: plan.peak });
            expect(plan.cost).toBeGreaterThanOrEqual(optimal_cost);
            expect(plan.lowerBound).toBeLessThanOrEqual(optimal_cost);
            expect(plan.peak).toBeLessThanOrEqual(budget);
            if (plan.exact) expect(plan.cost).toBe(optimal_cost);
            return (plan.cost / optimal_cost).toFixed(2);
          } catch (error) {
            if (!(error instanceof BacksweepError)) throw error;
            return "none";
          }
        })();
        gaps[gap] = (gaps[gap] ?? 0) + 1;
      }
    }
    expect(gaps).toEqual({ "1.00": 72, "1.01": 1, "1.06": 1, "1.08": 1, none: 2 });
  });
});

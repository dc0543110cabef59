import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exactLeastBytes,
  exactRemat,
  lowerBound,
  planRemat,
  problemOf,
  refereeRemat,
  type DagProblem,
  type RematProblem,
} from "../../../../engine/checkpoint/dag/index.js";

const dags = (most: number): fc.Arbitrary<DagProblem> =>
  fc
    .array(
      fc.record({
        parents: fc.array(fc.nat(1000), { maxLength: 3 }),
        size: fc.integer({ min: 0, max: 9 }),
        cost: fc.integer({ min: 0, max: 9 }),
        target: fc.boolean(),
      }),
      { minLength: 1, maxLength: most },
    )
    .map((nodes) => ({
      parents: nodes.map(({ parents }, v) => (v === 0 ? [] : parents.map((p) => p % v))),
      size: nodes.map(({ size }) => size),
      cost: nodes.map(({ cost }) => cost),
      targets: nodes
        .map((_, v) => v)
        .filter((v) => v === nodes.length - 1 || (nodes[v].target && v % 2 === 0)),
    }));

/** Several demands with reserved bytes, and the first node given. */
const sequences = (most: number): fc.Arbitrary<RematProblem> =>
  fc
    .tuple(
      dags(most),
      fc.array(
        fc.record({
          nodes: fc.array(fc.nat(1000), { maxLength: 3 }),
          during: fc.nat(4),
          before: fc.nat(4),
          cost: fc.nat(3),
        }),
        { maxLength: 4 },
      ),
    )
    .map(([dag, more]) => {
      const problem = problemOf(dag);
      const given = new Uint8Array(problem.n);
      given[0] = 1;
      const demands = more.map((demand) => ({
        ...demand,
        nodes: [...new Set(demand.nodes.map((v) => v % problem.n))],
      }));
      return { ...problem, given, demands: [...problem.demands, ...demands] };
    });

/** Cheapest cost by relaxing every move of the whole state graph until nothing falls any more (Bellman and Ford). */
function relaxed(problem: RematProblem, budget: number): number {
  const { n, demands, size } = problem;
  const width = 1 << n;
  const start = problem.given === null ? 0 : problem.given.reduce((mask, g, v) => mask | (g << v), 0);
  const cost = new Float64Array(width * (demands.length + 1)).fill(Infinity);
  cost[start] = 0;
  const bytes = (mask: number): number =>
    Array.from({ length: n }, (_, v) => (mask >> v) & 1).reduce((sum, on, v) => sum + on * size[v], 0);
  const sums = Array.from({ length: width }, (_, mask) => bytes(mask));
  for (let changed = true; changed;) {
    changed = false;
    const lower = (state: number, value: number): void => {
      if (value < cost[state]) {
        cost[state] = value;
        changed = true;
      }
    };
    for (let k = 0; k <= demands.length; k++) {
      for (let mask = 0; mask < width; mask++) {
        const here = cost[k * width + mask];
        if (here === Infinity || k === demands.length) continue;
        const { nodes, during, before, cost: price } = demands[k];
        if (Array.from(nodes).every((v) => (mask >> v) & 1) && sums[mask] + during <= budget)
          lower((k + 1) * width + mask, here + price);
        for (let v = 0; v < n; v++) {
          if (problem.given?.[v] === 1) continue;
          const to = mask ^ (1 << v);
          if ((mask >> v) & 1) lower(k * width + to, here);
          else if (
            Array.from(problem.parent.subarray(problem.parentStart[v], problem.parentStart[v + 1])).every(
              (p) => (mask >> p) & 1,
            ) &&
            sums[to] + before <= budget
          )
            lower(k * width + to, here + problem.cost[v]);
        }
      }
    }
  }
  return Math.min(...cost.subarray(demands.length * width));
}

describe("random rematerialisations", () => {
  it("have the optimum that relaxation over the whole state graph finds", () => {
    fc.assert(
      fc.property(sequences(7), fc.integer({ min: 0, max: 40 }), (problem, budget) => {
        const want = relaxed(problem, budget);
        const got = exactRemat(problem, budget);
        if (got === "limit") throw new Error(got);
        expect(got?.cost ?? Infinity).toBe(want);
        expect(lowerBound(problem, budget)).toBeLessThanOrEqual(want);
        const least = exactLeastBytes(problem);
        expect(want < Infinity).toBe(Number(least) <= budget);
        if (got === null) expect(() => planRemat(problem, budget)).toThrow("budget:");
        else {
          const plan = planRemat(problem, budget);
          expect([plan.cost, plan.exact, plan.lowerBound]).toEqual([want, true, want]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("are planned greedily: legal, within the budget, not below the optimum or the bound", () => {
    fc.assert(
      fc.property(sequences(12), fc.double({ min: 0, max: 1, noNaN: true }), (problem, share) => {
        const least = Number(exactLeastBytes(problem));
        const all = Array.from(problem.size).reduce((a, b) => a + b, 8);
        const budget = least + Math.floor(share * Math.max(0, all - least));
        const exact = exactRemat(problem, budget);
        if (exact === null || exact === "limit") throw new Error(String(exact));
        let plan;
        try {
          plan = planRemat(problem, budget, { method: "greedy" });
        } catch (error) {
          expect(String(error)).toMatch(/no plan found for so few bytes/);
          return;
        }
        expect(refereeRemat(problem, plan.ops)).toEqual({ cost: plan.cost, peak: plan.peak });
        expect(plan.peak).toBeLessThanOrEqual(budget);
        expect(plan.cost).toBeGreaterThanOrEqual(exact.cost);
        expect(plan.lowerBound).toBeLessThanOrEqual(exact.cost);
        if (plan.exact) expect(plan.cost).toBe(exact.cost);
      }),
      { numRuns: 100 },
    );
  });

  it("with room for everything compute each needed value once", () => {
    fc.assert(
      fc.property(dags(200), (dag) => {
        const problem = problemOf(dag);
        const plan = planRemat(problem, 9 * 200, { method: "greedy" });
        expect(plan.exact).toBe(true);
        expect(plan.cost).toBe(lowerBound(problem, 9 * 200));
      }),
      { numRuns: 40 },
    );
  });

  it("of long chains come near the bound with little memory", () => {
    const n = 5000;
    const problem: RematProblem = {
      n,
      parentStart: Int32Array.from({ length: n + 1 }, (_, v) => Math.max(0, v - 1)),
      parent: Int32Array.from({ length: n - 1 }, (_, v) => v),
      size: new Uint8Array(n).fill(8),
      cost: new Uint8Array(n).fill(1),
      given: new Uint8Array(n).fill(1, 0, 1),
      demands: Array.from({ length: n }, (_, k) => ({ nodes: [n - 1 - k], cost: 0, during: 0, before: 0 })),
    };
    const plan = planRemat(problem, 8 * 160);
    expect(refereeRemat(problem, plan.ops).peak).toBeLessThanOrEqual(8 * 160);
    expect(plan.cost / plan.lowerBound).toBeLessThan(1.03);
  });

  it("refuse what is no problem", () => {
    expect(() => problemOf({ parents: [[0]], size: [1], cost: [1], targets: [0] })).toThrow(
      "has the parent 0",
    );
    expect(() => problemOf({ parents: [[]], size: [-1], cost: [1], targets: [0] })).toThrow(
      "node 0 has -1 bytes",
    );
    expect(() => problemOf({ parents: [[]], size: [1], cost: [1], targets: [3] })).toThrow(
      "there is no node 3",
    );
    const one = problemOf({ parents: [[]], size: [8], cost: [1], targets: [0] });
    expect(() => planRemat(one, 7)).toThrow("some operation of this graph needs more bytes");
    expect(() => planRemat(one, NaN)).toThrow("whole number of bytes");
  });
});

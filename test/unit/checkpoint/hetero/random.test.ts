import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  actionsOf,
  chainBudgetSchedule,
  coarsen,
  exactChain,
  leastBudget,
  planChain,
  refereeOps,
  refine,
  storeAllCost,
  type ChainOp,
  type HeteroChain,
} from "../../../../engine/checkpoint/hetero/index.js";

const chains = (longest: number, model?: HeteroChain["model"], most = 12): fc.Arbitrary<HeteroChain> =>
  fc.integer({ min: 1, max: longest }).chain((n) => {
    const sizes = fc.array(fc.integer({ min: 0, max: most }), { minLength: n + 1, maxLength: n + 1 });
    return fc
      .record({
        model: model === undefined ? fc.constantFrom("contained", "selfcontained") : fc.constant(model),
        state: sizes,
        more: sizes,
        cotangent: sizes,
        forward: sizes,
        backward: sizes,
        forwardOverhead: sizes,
        backwardOverhead: sizes,
      })
      .map(({ more, ...chain }) => ({
        ...chain,
        n,
        tape: more.map((extra, i) => extra + (chain.model === "contained" ? chain.state[i] : 0)),
      }));
  });

/** Budgets from the least one to one in which everything can be recorded. */
const budgets = (chain: HeteroChain, share: number): number => {
  const all = [chain.state, chain.tape, chain.cotangent, chain.forwardOverhead, chain.backwardOverhead]
    .flatMap((sizes) => Array.from(sizes))
    .reduce((a, b) => a + b, 0);
  const least = leastBudget(chain);
  return least + Math.floor(share * (all + 1 - least));
};

/** The memory-persistent optimum in so many words: plain recursion over whole lists of operations, each replayed by the referee. */
function persistent(chain: HeteroChain, budget: number): number {
  const lists = (s: number, t: number): ChainOp[][] => {
    const contained = chain.model === "contained";
    const out: ChainOp[][] = [];
    const record: ChainOp[] = [{ kind: "T", i: s }];
    if (!contained && s > 1) record.push({ kind: "dA", i: s - 1 });
    if (!contained && s === t) record.push({ kind: "dA", i: s });
    const rest = s === t ? [[]] : lists(s + 1, t);
    for (const list of rest) out.push([...record, ...list, { kind: "B", i: s }]);
    for (let c = s + 1; c <= t; c++) {
      const run: ChainOp[] = [];
      for (let i = s; i < c; i++) {
        run.push({ kind: "F", i });
        if (i > s) run.push({ kind: "dA", i: i - 1 });
      }
      const drop: ChainOp[] = contained ? [{ kind: "dA", i: c - 1 }] : [];
      for (const behind of lists(c, t))
        for (const before of lists(s, c - 1)) out.push([...run, ...behind, ...drop, ...before]);
    }
    return out;
  };
  let best = Infinity;
  for (const ops of lists(1, chain.n)) {
    const { cost, peak } = refereeOps(chain, ops);
    if (peak <= budget) best = Math.min(best, cost);
  }
  return best;
}

/** Runs a stream as an executor would: states in slots, tapes that hold the state before their step. Returns the most bytes. */
function run(chain: HeteroChain, ops: readonly ChainOp[]): { peak: number; forwards: number } {
  const slots = new Map<number, number>();
  const tapes = new Set<number>();
  const reversed: number[] = [];
  let working = 0;
  let forwards = 0;
  let back = chain.n;
  let peak = 0;
  const touch = (more: number): void => {
    const states = new Set([0, working, ...slots.values()]);
    for (const step of tapes) states.add(step);
    let bytes = chain.cotangent[back] + more;
    for (const step of tapes) {
      states.delete(step + 1);
      bytes += chain.tape[step + 1];
    }
    for (const state of states) if (state >= 0) bytes += chain.state[state];
    peak = Math.max(peak, bytes);
  };
  for (const action of actionsOf(ops)) {
    if (action.kind === "advance" || action.kind === "record") {
      const step = action.kind === "advance" ? action.from : action.step;
      expect(working).toBe(step);
      const made = action.kind === "advance" ? chain.state[step + 1] : chain.tape[step + 1];
      touch(made + chain.forwardOverhead[step + 1]);
      if (action.kind === "record") tapes.add(step);
      working = step + 1;
      forwards++;
    } else if (action.kind === "reverse") {
      expect(tapes.has(action.step)).toBe(true);
      touch(chain.cotangent[action.step] + chain.backwardOverhead[action.step + 1]);
      tapes.delete(action.step);
      reversed.push(action.step);
      back = action.step;
      if (working > action.step) working = -1;
    } else if (action.kind === "store") {
      expect([slots.has(action.slot), action.state]).toEqual([false, working]);
      slots.set(action.slot, action.state);
    } else if (action.kind === "restore") {
      expect(slots.has(action.slot)).toBe(true);
      working = slots.get(action.slot)!;
    } else if (action.kind === "free") {
      expect(slots.delete(action.slot)).toBe(true);
    } else throw new Error(action.kind);
  }
  expect(slots.size).toBe(0);
  expect(reversed).toEqual(Array.from({ length: chain.n }, (_, i) => chain.n - 1 - i));
  return { peak, forwards };
}

describe("random heterogeneous chains", () => {
  it("are planned at the cost of the best of all memory-persistent schedules", () => {
    fc.assert(
      fc.property(chains(5), fc.double({ min: 0, max: 1, noNaN: true }), (chain, share) => {
        const budget = budgets(chain, share);
        const plan = planChain(chain, budget, { certificate: true });
        expect(plan.cost).toBe(persistent(chain, budget));
        expect(plan.persistentOptimum).toBe(true);
        expect(persistent(chain, leastBudget(chain) - 1)).toBe(Infinity);
        const exact = exactChain(chain, budget);
        if (exact === null || exact === "limit") throw new Error(String(exact));
        expect(plan.optimum).toBe(exact.cost);
        expect(plan.cost).toBeGreaterThanOrEqual(exact.cost);
        expect(refereeOps(chain, exact.ops).cost).toBe(exact.cost);
        expect(refereeOps(chain, exact.ops).peak).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 150 },
    );
  });

  it("never exceed the budget, whatever the memory classes", () => {
    fc.assert(
      fc.property(
        chains(40, undefined, 100_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 200 }),
        (chain, share, classes) => {
          const budget = budgets(chain, share);
          const plan = planChain(chain, budget, { classes });
          expect(plan.peak).toBeLessThanOrEqual(budget);
          expect(plan.cost).toBeGreaterThanOrEqual(storeAllCost(chain));
          expect(refereeOps(chain, plan.ops)).toEqual({ cost: plan.cost, peak: plan.peak });
          expect(chainBudgetSchedule(plan).remarks!(chain.n).join(" ")).toContain(`of ${budget} bytes`);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("run as actions within the same bytes", () => {
    fc.assert(
      fc.property(chains(25, "contained"), fc.double({ min: 0, max: 1, noNaN: true }), (chain, share) => {
        const budget = budgets(chain, share);
        const plan = planChain(chain, budget);
        const ran = run(chain, plan.ops);
        expect(ran.peak).toBeLessThanOrEqual(budget);
        expect(ran.forwards).toBe(plan.ops.filter(({ kind }) => kind === "F" || kind === "T").length);
      }),
      { numRuns: 100 },
    );
  });

  it("in blocks unfold to legal schedules within the blocks' bytes", () => {
    fc.assert(
      fc.property(
        chains(30),
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (chain, block, share) => {
          const coarse = coarsen(chain, block);
          const plan = planChain(coarse, budgets(coarse, share));
          const { cost, peak } = refereeOps(chain, refine(chain, block, plan.ops));
          expect(cost).toBeCloseTo(plan.cost, 6);
          expect(peak).toBeLessThanOrEqual(plan.budget);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("of 900 steps are planned by blocks", () => {
    const steps = Float64Array.from({ length: 901 }, (_, i) => 1 + ((i * 7919) % 13));
    const chain: HeteroChain = {
      model: "contained",
      n: 900,
      state: steps,
      tape: steps.map((x) => 3 * x),
      cotangent: steps,
      forward: steps,
      backward: steps,
      forwardOverhead: new Float64Array(901),
      backwardOverhead: new Float64Array(901),
    };
    const plan = planChain(chain, 2 * leastBudget(chain), { classes: 40 });
    expect([plan.block, plan.persistentOptimum]).toEqual([3, false]);
    expect(plan.peak).toBeLessThanOrEqual(plan.budget);
  });

  it("say what they need when the budget is too small, and what is no chain", () => {
    const chain: HeteroChain = {
      model: "contained",
      n: 2,
      state: [8, 8, 8],
      tape: [0, 16, 16],
      cotangent: [8, 8, 8],
      forward: [0, 1, 1],
      backward: [0, 1, 1],
      forwardOverhead: [0, 0, 0],
      backwardOverhead: [0, 0, 0],
    };
    const least = leastBudget(chain);
    expect(() => planChain(chain, least - 1)).toThrow(`this chain needs ${least} bytes at least`);
    expect(() => planChain(chain, 1.5)).toThrow("the budget is a whole number of bytes");
    expect(() => planChain({ ...chain, tape: [0, 7, 16] }, 99)).toThrow("tape 1 is smaller than state 1");
    expect(() => planChain({ ...chain, forward: [0, NaN, 1] }, 99)).toThrow("step 1 costs NaN");
    expect(() => planChain({ ...chain, state: [8, 8] }, 99)).toThrow("has 2 entries, not 3");
    expect(() => chainBudgetSchedule(planChain(chain, 99)).actions(3)).toThrow("planned for 2 steps, not 3");
  });
});

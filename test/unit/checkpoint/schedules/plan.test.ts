import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leastAdvances } from "../../../../engine/checkpoint/binomial.js";
import { bestBlock, uniformCheckpointCost } from "../../../../engine/checkpoint/model.js";
import { parseSchedule } from "../../../../engine/checkpoint/parse.js";
import { planSchedule, planTable } from "../../../../engine/checkpoint/plan.js";
import { sweepBlock, sweepDepths } from "../../../../engine/checkpoint/sweep-block.js";
import { binomialCurve, tradeOff } from "../../../../engine/checkpoint/trade-off.js";
import { BacksweepError } from "../../../../engine/trace/failure.js";

const plan = (name: string, steps: number): ReturnType<typeof planSchedule> =>
  planSchedule(parseSchedule(name), steps);
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(BacksweepError);
    expect((error as BacksweepError).kind).toBe("option");
    return (error as BacksweepError).message;
  }
  throw new Error("planned");
};

describe("the textbook's numbers", () => {
  it("uniform:8 on 64 steps: 16 and 56 in the model, 15, 56 and 183 executed", () => {
    const { model, executed, countedBy, remarks } = plan("uniform:8", 64);
    expect(countedBy).toBe("stream");
    expect(model).toEqual({ peakStates: 16, replays: 56 });
    expect(executed).toMatchObject({
      ...{ peakStates: 15, peakTapes: 1, peakSlots: 8, advances: 119, records: 64 },
      ...{ totalForwards: 183, extraForwards: 119, replays: 56 },
    });
    expect(remarks.join(" ")).toMatch(/16 - 1 = 15/);
    expect(remarks.join(" ")).toMatch(/119 advances \+ 64 records = 183/);
  });

  it("uniform-tapes:8: 8 states, 8 tapes, 120 forwards", () => {
    expect(plan("uniform-tapes:8", 64).executed).toMatchObject({
      ...{ peakStates: 8, peakTapes: 8, totalForwards: 120, extraForwards: 56 },
    });
  });

  it("store-all keeps 65 states in the model", () => {
    expect(plan("store-all", 64).model).toEqual({ peakStates: 65, replays: 0 });
    expect(plan("sqrt", 64).model).toEqual({ peakStates: 16, replays: 56 });
  });

  it("uniformCheckpointCost", () => {
    expect(uniformCheckpointCost(64, 8)).toEqual({
      ...{ blockSize: 8, peakStateUnits: 16, recomputedForwardEvaluations: 56 },
    });
    expect(uniformCheckpointCost(10, 4)).toEqual({
      ...{ blockSize: 4, peakStateUnits: 7, recomputedForwardEvaluations: 7 },
    });
    for (const [depth, k] of [
      [0, 1],
      [4, 0],
      [4, 5],
      [4, 1.5],
      [NaN, 1],
    ])
      expect(refusal(() => uniformCheckpointCost(depth, k))).toMatch(/whole number/);
  });

  it("the best block length is the best of all, ties listed, the smallest chosen", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (depth) => {
        const peaks = Array.from({ length: depth }, (_, i) => Math.ceil(depth / (i + 1)) + i + 1);
        const least = Math.min(...peaks);
        const ties = peaks.flatMap((peak, i) => (peak === least ? [i + 1] : []));
        expect(bestBlock(depth)).toMatchObject({ blockSize: ties[0], ties, peakStateUnits: least });
      }),
    );
  });

  it("figure 11.2 and exercise 3", () => {
    const { rows, best, storeAll } = sweepBlock(64);
    expect(rows).toHaveLength(64);
    expect(storeAll).toBe(65);
    expect(best).toMatchObject({
      blockSize: 8,
      ties: [8],
      peakStateUnits: 16,
      recomputedForwardEvaluations: 56,
    });
    expect(rows[7]).toEqual({
      blockSize: 8,
      model: { peakStates: 16, replays: 56 },
      executed: { peakStates: 15, totalForwards: 183, replays: 56 },
    });
    for (const { blockSize, executed } of rows) {
      const counted = plan(`uniform:${blockSize}`, 64).executed;
      expect(counted).toMatchObject(executed);
    }
    const depths = sweepDepths(16, 4096);
    expect(depths.rows).toHaveLength(4081);
    expect(depths.rows.at(-1)).toMatchObject({ depth: 4096, blockSize: 64, peakStateUnits: 128 });
    // ceil(L / k) + k is never below 2 sqrt L, and the rounded root attains it
    expect(depths.rows.every(({ peakStateUnits, squareRoot }) => peakStateUnits >= 2 * squareRoot)).toBe(
      true,
    );
    expect(depths.roundedIsBest).toBe(4081);
    expect(depths.farthest.states).toBeLessThan(1);
    expect(refusal(() => sweepDepths(9, 4))).toMatch(/9\.\.4/);
    expect(refusal(() => sweepBlock(1e7))).toMatch(/1000000/);
  });
});

describe("plan", () => {
  it("counts long streams in closed form, as the stream would", () => {
    for (const name of [
      "revolve:7",
      "uniform:100",
      "uniform-tapes:100",
      "sqrt",
      "bisection",
      "store-all",
      "none",
    ]) {
      const schedule = parseSchedule(name);
      const long = planSchedule(schedule, 6_000_000);
      expect([name, long.countedBy]).toEqual([name, "closed form"]);
      const short = planSchedule(schedule, 5000);
      expect(short.countedBy).toBe("stream");
      const closed = Object.entries(schedule.closedForm!(5000)!).map(([key, value]) => [key, Number(value)]);
      expect(Object.fromEntries(closed)).toEqual(short.executed);
    }
  });

  it("is exact to 10^15 steps and beyond 2^53 forwards", () => {
    expect(plan("none", 1e15).executed.advances).toBe((10n ** 15n * (10n ** 15n - 1n)) / 2n);
    const { executed } = plan("revolve:3", 1e15);
    expect(executed.advances).toBe(136282544464246652124n);
    expect(executed.records).toBe(1e15);
  });

  it("clips what a chain cannot use, and says so", () => {
    expect(plan("revolve:100", 64).remarks[0]).toBe(
      "100 slots are more than a chain of 64 steps can use: clipped to 63.",
    );
    expect(plan("uniform:100", 64).remarks[0]).toBe(
      "Blocks of 100 are longer than the chain: clipped to 64.",
    );
    expect(plan("uniform:100", 64).executed).toEqual(plan("uniform:64", 64).executed);
  });

  it("plans chains of one and two steps with every schedule", () => {
    const names = [
      "store-all",
      "none",
      "uniform:1",
      "uniform-tapes:3",
      "sqrt",
      "bisection",
      "revolve:1",
      "multistage:1,0",
    ];
    names.push(
      "multistage:0,1",
      "mixed:1",
      "hrevolve:0,1",
      "disk-revolve",
      "online:1",
      "treeverse:1",
      "reversible",
      "auto:2",
    );
    for (const steps of [1, 2])
      for (const { schedule, problem } of planTable(steps, names))
        expect({ schedule, problem }).toEqual({ schedule, problem: null });
    expect(plan("revolve:1", 1).executed).toMatchObject({ peakStates: 0, totalForwards: 1 });
  });

  it("says what is wrong, in one line", () => {
    expect(refusal(() => parseSchedule("revolv:3"))).toMatch(
      /^unknown schedule "revolv:3"; use one of store-all, none, uniform:k, /,
    );
    expect(refusal(() => parseSchedule("revolve:0"))).toMatch(
      /whole number from 1, not "0"; its form is revolve:c/,
    );
    expect(refusal(() => parseSchedule("revolve"))).toMatch(/the number of slots c is missing/);
    expect(refusal(() => parseSchedule("revolve:1,2"))).toMatch(/"2" is one too many/);
    expect(refusal(() => parseSchedule("revolve:-1"))).toMatch(/not "-1"/);
    expect(refusal(() => parseSchedule("revolve:1.5"))).toMatch(/not "1.5"/);
    expect(refusal(() => parseSchedule("multistage:0,0"))).toMatch(/disk slots/);
    expect(refusal(() => parseSchedule("hrevolve:1,1,-2"))).toMatch(/cost uf of an advance/);
    expect(refusal(() => parseSchedule("sqrt:3"))).toMatch(/one too many/);
    expect(refusal(() => parseSchedule("auto:lots"))).toMatch(/number of bytes/);
    expect(refusal(() => parseSchedule("budget:64KiB"))).toMatch(/no plan without/);
    for (const steps of [0, -1, 1.5, NaN, Infinity, 2e15])
      expect(refusal(() => plan("sqrt", steps))).toMatch(/from 1 to 10\^15/);
    expect(refusal(() => plan("mixed:10", 1e6))).toMatch(/too large for 1000000 steps/);
    expect(refusal(() => plan("hrevolve:1,1", 1e6))).toMatch(/too large for 1000000 steps/);
    expect(refusal(() => plan("online:3", 1e12))).toMatch(/no closed form/);
    expect(refusal(() => plan("auto:1", 5))).toMatch(/2 units at least/);
  });

  it("auto takes the fastest that fits, and says what it rejected", () => {
    const { details, executed, remarks } = plan("auto:20", 64);
    expect(details.chosen).toBe("mixed:19");
    expect(details.rejected).toContain("store-all: needs 64 units");
    expect(executed.totalForwards).toBe(plan("mixed:19", 64).executed.totalForwards);
    expect(remarks.join(" ")).toMatch(/Rejected: store-all/);
    expect(plan("auto:64", 64).details.chosen).toBe("store-all");
    for (const budget of [2, 3, 5, 9, 17, 33]) {
      const { chosen } = plan(`auto:${budget}`, 64).details as { chosen: string };
      const others = [`revolve:${budget - 1}`, `mixed:${budget - 1}`];
      for (const other of others)
        expect(Number(plan(chosen, 64).executed.totalForwards)).toBeLessThanOrEqual(
          Number(plan(other, 64).executed.totalForwards),
        );
    }
  });
});

describe("the trade-off", () => {
  it("has no schedule of states only below the binomial curve", () => {
    for (const steps of [1, 2, 3, 64, 150]) {
      const points = tradeOff(steps);
      expect(points.length).toBeGreaterThan(8);
      for (const { schedule, x, y, peakStates, peakTapes, statesOnly } of points) {
        expect(x).toBe(peakStates + peakTapes);
        if (statesOnly && steps > 1 && peakStates > 0)
          expect([schedule, y >= leastAdvances(steps, x - 1)]).toEqual([schedule, true]);
      }
    }
  });

  it("marks the Pareto front", () => {
    const points = tradeOff(64);
    for (const point of points) {
      const beaten = points.some(
        (other) =>
          !other.couplingOnly &&
          other.x <= point.x &&
          other.y <= point.y &&
          (other.x < point.x || other.y < point.y),
      );
      expect([point.schedule, point.onFront]).toEqual([point.schedule, !beaten && !point.couplingOnly]);
    }
    expect(points.find(({ schedule }) => schedule === "store-all")!.onFront).toBe(true);
    expect(
      binomialCurve(64).every(({ slots, x, y }) => x === slots + 1 && y === leastAdvances(64, slots)),
    ).toBe(true);
  });
});

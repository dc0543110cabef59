import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { countStream } from "../../../../engine/checkpoint/count.js";
import { parseSchedule } from "../../../../engine/checkpoint/parse.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";
import type { RunOutcome } from "../../../../engine/graph/run.js";
import { chainSchedules } from "./schedules-for-tests.js";

const chainOf = (steps: number): GraphDefinition =>
  B.graph({ x: Float64Array.of(0.3, 0.1), w: 1.1 }, ({ x, w }) =>
    (B.chain(steps, x, (u) => B.tanh(u).mul(w)) as B.Tensor).sum(),
  ) as unknown as GraphDefinition;

const under = (graph: GraphDefinition, schedule: string): RunOutcome => run(graph, { schedule });

describe("what the executor did", () => {
  for (const schedule of chainSchedules) {
    it(`is what the stream of ${schedule} counts`, () => {
      for (const steps of [1, 2, 3, 7, 12]) {
        if (schedule === "pebble:5" && steps > 7) continue;
        const { checkpoint } = under(chainOf(steps), schedule).report;
        expect(checkpoint?.regions).toHaveLength(1);
        expect(checkpoint?.regions[0]?.executed).toEqual(
          countStream(schedule, steps, parseSchedule(schedule).actions(steps)),
        );
      }
    });
  }

  it("is uniform:8 of 64 steps: 15 states, 56 replays, 183 forwards", () => {
    const { checkpoint } = under(chainOf(64), "uniform:8").report;
    expect(checkpoint?.regions[0]?.executed).toMatchObject({
      peakStates: 15,
      replays: 56,
      totalForwards: 183,
      advances: 119,
      records: 64,
    });
  });

  it("holds fewer bytes with fewer slots, counted once a primal", () => {
    const graph = chainOf(64);
    const bytes = (schedule: string): number => under(graph, schedule).report.checkpoint!.allocatedBytes.peak;
    // a step computes two arrays of two numbers
    expect(bytes("store-all")).toBe(64 * 2 * 16);
    // two states in slots; the tape of a step (two arrays) with the state it began with
    expect(bytes("revolve:1")).toBeLessThan(bytes("revolve:4"));
    expect(bytes("revolve:4")).toBeLessThan(bytes("uniform:8"));
    expect(bytes("uniform:8")).toBeLessThan(bytes("store-all") / 4);
  });
});

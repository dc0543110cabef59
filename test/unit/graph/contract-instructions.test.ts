/** The replay contract of graphs without steps: recorded instructions are evaluated again, and compared by value. */
import { describe, expect, it } from "vitest";
import { replay, type ReplayAnalysis, type ReplayResult } from "../../../engine/analysis/replay.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import * as B from "../../../engine/index.js";
import { outside } from "../../../engine/tape/outside.js";
import { chainSchedules } from "../checkpoint/execute/schedules-for-tests.js";

const context = { name: "graph", graphs: ["graph"], root: "", limitBytes: Infinity };
const asked: ReplayAnalysis = { kind: "replay", stream: "matched", dtype: null, accumulate: null };
const replayed = (
  definition: GraphDefinition,
  schedule: string,
  change: Partial<ReplayAnalysis> = {},
): ReplayResult =>
  replay(
    { definition, settings: resolveOptions(definition, { schedule }), context },
    { ...asked, ...change },
  );
const broken = ({ points }: ReplayResult): string[] =>
  points.filter(({ holds }) => !holds).map(({ point }) => point);

/** Thirty layers, each with a rule of one's own that is made anew for every recording. */
const deep = (rule: () => (a: number) => number): GraphDefinition =>
  B.graph({ x: 0.4, w: 1.1 }, ({ x, w }) => {
    const own = B.custom({ forward: rule(), vjp: (g, _y, a) => [g * Math.cos(a)] });
    let u = x;
    for (let i = 0; i < 30; i++) u = B.add(B.mul(B.sin(u), w), B.mul(own(u), 0.1));
    return u;
  }) as unknown as GraphDefinition;

const honest = deep(() => (a) => Math.sin(a));
const budget = "budget:500";

describe("instructions that are evaluated again", () => {
  it.each(["revolve:3", "sqrt", "auto:900", budget])("are compared by value under %s", (schedule) => {
    const result = replayed(honest, schedule);
    expect(broken(result)).toEqual([]);
    expect(result.compared.replays).toBeGreaterThan(5);
    expect(result.compared.values).toBeGreaterThanOrEqual(result.compared.replays);
    expect(result.distance!.equal).toBe(true);
  });

  it("hold under every schedule of steps", () => {
    // the cut has more steps than five pebbles are enough for
    for (const schedule of chainSchedules.map((name) => (name === "pebble:5" ? "pebble:6" : name)))
      expect(broken(replayed(honest, schedule)), schedule).toEqual([]);
  });

  it.each(["revolve:3", budget])("name a rule that gives something else, under %s", (schedule) => {
    const counting = deep(() => {
      let calls = 0;
      return (a) => Math.sin(a) + (calls++ >= 30 ? 1e-9 : 0);
    });
    const result = replayed(counting, schedule);
    expect(broken(result)).toContain("state");
    const [first] = result.mismatches;
    expect(first.message).toMatch(
      /^the replay of (cut, step \d+|a node) computes another value: .*in the first run/,
    );
    expect(first.ulps).toBeGreaterThan(1);
    // under the budget no rule reads what was computed anew
    expect(result.distance!.equal).toBe(schedule === budget);
    // a run stops at the first
    expect(() => run(counting, { schedule })).toThrowError(
      expect.objectContaining({
        kind: "replay",
        message: expect.stringContaining("another value") as string,
      }) as Error,
    );
    expect(() => B.gradient({ ...counting, options: { schedule } })).toThrow("another value");
  });

  it("name a random number that a rule draws by itself", () => {
    const noisy = deep(() => {
      let calls = 0;
      return (a) => {
        const value = calls++ / 1000;
        // what the realm's stand-in does
        outside.listener?.({ what: "Math.random()", value, site: -1 });
        return Math.sin(a) + value;
      };
    });
    const result = replayed(noisy, "revolve:3");
    expect(broken(result)).toContain("random");
    expect(result.mismatches[0].message).toMatch(
      /^Math\.random\(\) gives 0\.0\d+ in the replay of cut, step/,
    );
    expect(result.outside[0]).toMatchObject({ what: "Math.random()" });
    expect(outside.listener).toBe(null);
  });

  it("show another format of the replay by value", () => {
    for (const schedule of ["revolve:3", budget]) {
      const result = replayed(honest, schedule, { dtype: "f32" });
      expect(broken(result), schedule).toEqual(["format"]);
      const value = result.mismatches.find(({ node }) => node >= 0)!;
      expect(Math.fround(value.replay!)).toBe(value.replay);
      expect(value.replay).not.toBe(value.first);
    }
  });

  it("compare arrays, too", () => {
    const arrays = B.graph({ u: Float64Array.from({ length: 20 }, (_, i) => i / 20), k: 0.7 }, ({ u, k }) => {
      let v: B.Tensor = u;
      for (let i = 0; i < 30; i++) v = B.tanh(v.mul(k).add(u));
      return v.sum();
    }) as unknown as GraphDefinition;
    const result = replayed(arrays, "revolve:3");
    expect(broken(result)).toEqual([]);
    expect(result.compared.values).toBeGreaterThan(60);
    const rounded = replayed(arrays, "revolve:3", { dtype: "f32" });
    expect(rounded.mismatches.some(({ index }) => index >= 0)).toBe(true);
  });
});

/** The replay contract of coupling layers: compared by value where they run again, by what they decide where they are inverted. */
import { describe, expect, it } from "vitest";
import { replay, type ReplayAnalysis, type ReplayResult } from "../../../engine/analysis/replay.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import * as B from "../../../engine/index.js";
import { activeRecorder } from "../../../engine/ops/recorder.js";
import type { Operand } from "../../../engine/tape/traced.js";

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

type Part = (half: number, i: number) => number;
const stack = (make: () => Part, depth = 8): GraphDefinition =>
  B.graph({ a: 0.7, b: -1.1 }, ({ a, b }) => {
    const f = make();
    const layer = B.coupling<number>(f, (half) => B.mul(B.tanh(half), 0.5));
    const [y1, y2] = B.chain(depth, [a, b], layer, { name: "rev" }) as [number, number];
    return B.mul(y1, B.add(y2, 2));
  }) as unknown as GraphDefinition;

const honest = stack(() => (half) => B.sin(half));

describe("coupling layers", () => {
  it("are compared by value where they run again", () => {
    const result = replayed(honest, "revolve:2");
    expect(broken(result)).toEqual([]);
    expect(result.compared.values).toBeGreaterThan(4 * result.compared.replays);
    const rounded = replayed(honest, "revolve:2", { dtype: "f32" });
    expect(rounded.mismatches.some(({ node, replay: now, first }) => node >= 0 && now !== first)).toBe(true);
  });

  it("hold where they are inverted: decisions and constants are compared, values have their own report", () => {
    const result = replayed(honest, "reversible");
    expect(broken(result)).toEqual([]);
    expect(result.compared.replays).toBe(16);
    expect(result.reversible).toBe(true);
    expect(result.checkpoint!.reconstruction!.layers).toHaveLength(8);
  });

  it("name a constant that is another, in either", () => {
    const counting = stack(() => {
      let calls = 0;
      return (half) => B.mul(B.sin(half), 1 + 1e-3 * calls++);
    });
    for (const schedule of ["revolve:2", "reversible"]) {
      const result = replayed(counting, schedule);
      expect(broken(result), schedule).toEqual(["state"]);
      expect(result.mismatches[0].message).toContain("reads another constant");
      expect(() => run(counting, { schedule })).toThrow("reads another constant");
    }
    expect(replayed(counting, "reversible").mismatches[0].message).toContain("rev, f of layer 7");
  });

  it("name a branch that rounding in the inverse flips, though both branches record the same", () => {
    // decided as user code decides on a traced number
    const flips = stack(() => {
      let calls = 0;
      return (half) => {
        const second = calls++ >= 8;
        const above = decide(half, second);
        return B.mul(half, above ? 0.5 : 0.25);
      };
    });
    const result = replayed(flips, "reversible");
    expect(broken(result)).toContain("decision");
    const flip = result.mismatches.find(({ point }) => point === "decision")!;
    expect(flip.message).toContain("rev, f of layer 7 takes another branch");
    expect(flip.message).toContain("rounding only");
    expect(() => run(flips, { schedule: "reversible" })).toThrow("takes another branch");
  });
});

/** `half > limit` as rewritten user code asks it; in a second run the limit is another. */
function decide(half: number, second: boolean): boolean {
  const limit = second ? Infinity : -Infinity;
  const outcome = !second;
  activeRecorder()?.decision(">", half as unknown as Operand, limit, outcome, -1, 0);
  return outcome;
}

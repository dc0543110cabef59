import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";
import { definition, randomGraph } from "../../random-graph.js";
import { chainSchedules } from "./schedules-for-tests.js";

describe("any traced graph", () => {
  it("cut into steps: the gradient of everything kept, in the same order, under every schedule", () => {
    fc.assert(
      fc.property(randomGraph(60), fc.constantFrom(...chainSchedules), (random, schedule) => {
        const graph = definition(random);
        const all = run(graph, { order: "tape" });
        const some = run(graph, { order: "tape", schedule });
        expect(some.report.gradient).toEqual(all.report.gradient);
        expect(some.trace.values.mean).toEqual(all.trace.values.mean);
        expect(B.gradient({ ...graph, options: { schedule } })).toEqual(all.report.gradient);
      }),
      { numRuns: 60 },
    );
  });

  it("within a budget of bytes, node by node", () => {
    fc.assert(
      fc.property(randomGraph(40), fc.double({ min: 0.2, max: 1, noNaN: true }), (random, part) => {
        const graph = definition(random);
        const all = run(graph, { order: "breadth" });
        const bytes = Math.max(64, Math.floor(part * 8 * all.trace.nodes.n));
        let some;
        try {
          some = run(graph, { order: "breadth", schedule: `budget:${bytes}` });
        } catch (error) {
          expect(String(error)).toContain("budget");
          return;
        }
        expect(some.report.gradient).toEqual(all.report.gradient);
        expect(some.trace.values.mean).toEqual(all.trace.values.mean);
        expect(some.report.checkpoint!.allocatedBytes.peak).toBeLessThanOrEqual(bytes);
      }),
      { numRuns: 60 },
    );
  });

  const layers = B.graph({ x: Float64Array.from({ length: 50 }, (_, i) => i / 50), w: 0.7 }, ({ x, w }) => {
    let u: B.Tensor = x;
    for (let i = 0; i < 40; i++) u = B.tanh(u.mul(w).add(B.sin(u)));
    return u.sum();
  }) as unknown as GraphDefinition;

  it("a deep one of arrays holds less, and says where it was cut", () => {
    const all = run(layers, { order: "tape" });
    for (const schedule of ["revolve:3", "sqrt", "budget:8000", "auto:9000", "chain-budget:9000"]) {
      const some = run(layers, { order: "tape", schedule });
      expect(some.report.gradient).toEqual(all.report.gradient);
      expect(some.trace.arrays).toEqual(all.trace.arrays);
      const { allocatedBytes, remarks } = some.report.checkpoint!;
      expect(allocatedBytes.peak).toBeLessThan(allocatedBytes.storeAll / 3);
      if (/:\d{4}$/.test(schedule))
        expect(allocatedBytes.peak).toBeLessThanOrEqual(Number(schedule.split(":")[1]));
      expect(remarks.join(" ")).toMatch(/cut into \d+ steps|computed again/);
    }
  });

  it("says what is too small to be cut", () => {
    const graph = B.graph({ x: 2 }, ({ x }) => x * 1) as unknown as GraphDefinition;
    expect(
      run({ ...graph, fn: (({ x }: { x: number }) => B.mul(x, x)) as never }, { schedule: "revolve:2" })
        .report.checkpoint?.remarks,
    ).toEqual(["The graph is too small to be cut into steps: everything is kept."]);
  });
});

describe("a budget on a chain", () => {
  const heat = B.graph({ u: Float64Array.from({ length: 40 }, (_, i) => Math.sin(i)), k: 0.1 }, ({ u, k }) =>
    (
      B.chain(60, u, (state) => {
        const moved = B.tanh(state as B.Tensor);
        return (state as B.Tensor).add(moved.mul(k));
      }) as B.Tensor
    ).sum(),
  ) as unknown as GraphDefinition;

  it("is kept, and the fastest that fits is taken, with reasons", () => {
    const all = run(heat, {});
    for (const budget of [4000, 8000, 20_000]) {
      for (const kind of ["auto", "chain-budget"]) {
        const some = run(heat, { schedule: `${kind}:${budget}` });
        expect(some.report.gradient).toEqual(all.report.gradient);
        expect(some.report.checkpoint!.allocatedBytes.peak).toBeLessThanOrEqual(budget);
        expect(some.report.checkpoint!.remarks.join("\n")).toContain("store-all was rejected");
      }
    }
    expect(run(heat, { schedule: "auto:1000000" }).report.checkpoint).toMatchObject({
      regions: [{ schedule: "store-all", executed: null }],
    });
    expect(() => run(heat, { schedule: "auto:500" })).toThrow("500 bytes are too few");
  });
});

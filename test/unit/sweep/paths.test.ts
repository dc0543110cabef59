import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, graph, mul } from "../../../engine/index.js";
import { paths, sweep } from "../../../engine/graph/queries.js";
import { countPaths, strongestPaths } from "../../../engine/sweep/paths.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { primalOf } from "../../../engine/trace/read.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { definition, randomGraph } from "../random-graph.js";

/** Products of all paths from a node to the outputs, by listing them. */
function listed(trace: Trace, from: number): number[] {
  const out: number[] = [];
  // a node returned twice is one end, seeded with the sum
  const seeds = trace.header.outputs
    .filter((output) => output.node === from)
    .map((output) => output.cotangent);
  if (seeds.length > 0) out.push(seeds.reduce((s, x) => s + x, 0));
  for (let e = 0; e < trace.edges.n; e++) {
    if (trace.edges.from[e] !== from) continue;
    const local = trace.values.mean[trace.edges.local[e]];
    for (const rest of listed(trace, trace.edges.to[e])) out.push(local * rest);
  }
  return out;
}

describe("paths", () => {
  const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
    const a = mul(x, y);
    return mul(add(a, x), mul(a, y));
  });

  it("counts and ranks the fan-out example's paths", () => {
    const { trace } = sweep(fanOut);
    expect(countPaths(trace, 2)).toBe(2n);
    expect(strongestPaths(trace, 2, 5).map((path) => [path.nodes, path.product])).toEqual([
      [[2, 4, 5], 24],
      [[2, 3, 5], 18],
    ]);
    expect(paths(fanOut, "x", "L").count).toBe(3n);
    expect(primalOf(trace, 5)).toBe(144);
  });

  it("counts exponentially many paths exactly and at once", () => {
    const doubling = graph({ x: 1 }, ({ x }) => {
      let v = x;
      for (let i = 0; i < 200; i++) v = add(v, v);
      return v;
    });
    const { trace } = sweep(doubling);
    expect(countPaths(trace, 0)).toBe(2n ** 200n);
    expect(strongestPaths(trace, 0, 3)).toHaveLength(3);
    expect(strongestPaths(trace, 0, 3)[0].product).toBe(1);
  });

  it("sums to the derivative and ranks as a listing would", () => {
    fc.assert(
      fc.property(randomGraph(10), (g) => {
        const { trace } = sweep(definition(g));
        const timeline = new Timeline(trace);
        for (let v = 0; v < g.inputs.length; v++) {
          const all = listed(trace, v);
          expect(countPaths(trace, v)).toBe(BigInt(all.length));
          const sum = all.reduce((s, x) => s + x, 0);
          const scale = all.reduce((s, x) => s + Math.abs(x), 0);
          expect(Math.abs(sum - (timeline.cotangent(v) ?? 0))).toBeLessThanOrEqual(1e-12 * (1 + scale));
          const top = strongestPaths(trace, v, 5).map((path) => Math.abs(path.product));
          const expected = all
            .map(Math.abs)
            .sort((a, b) => b - a)
            .slice(0, 5);
          expect(top).toHaveLength(expected.length);
          top.forEach((x, i) =>
            expect(Math.abs(x - expected[i])).toBeLessThanOrEqual(1e-9 * (1e-300 + expected[i]) + 1e-300),
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

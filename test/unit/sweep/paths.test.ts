import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, graph, mul } from "../../../engine/index.js";
import { paths, sweep } from "../../../engine/graph/queries.js";
import { countPaths, countProducts, strongestPaths } from "../../../engine/sweep/paths.js";
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

  it("leaves out what has no product: edges without a local derivative are counted, never multiplied", () => {
    fc.assert(
      fc.property(randomGraph(9), fc.nat(), (g, seed) => {
        const { trace } = sweep(definition(g));
        const local = trace.edges.local.map((row, e) => (((seed >>> (e % 31)) ^ e) % 3 === 0 ? -1 : row));
        const cut: Trace = { ...trace, edges: { ...trace.edges, local } };
        // a path over an edge without a number is NaN in the listing of its products
        const known = listed(cut, 0).filter((product) => !Number.isNaN(product));
        fc.pre(listed(trace, 0).every((product) => !Number.isNaN(product)));
        expect(countPaths(cut, 0)).toBe(countPaths(trace, 0));
        expect(countProducts(cut, 0)).toBe(BigInt(known.length));
        const top = strongestPaths(cut, 0, 4);
        expect(top).toHaveLength(Math.min(4, known.length));
        for (const { product, edges } of top) {
          expect(product).not.toBeNaN();
          for (const edge of edges) expect(local[edge]).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("has no product along array operations, nor at an output that is an array", () => {
    const squares = graph({ w: [[1, 2]], x: 3 }, ({ w, x }) => mul(w.mul(x).sum(), x));
    const { trace } = sweep(squares);
    expect([countPaths(trace, 0), countProducts(trace, 0)]).toEqual([1n, 0n]);
    expect(strongestPaths(trace, 0, 5)).toEqual([]);
    // x * sum: the path past the array has one, sum(w)
    expect([countPaths(trace, 1), countProducts(trace, 1)]).toEqual([2n, 1n]);
    expect(strongestPaths(trace, 1, 5).map((path) => path.product)).toEqual([9]);
    const whole = sweep(graph({ w: [[1, 2]] }, ({ w }) => w.mul(2)));
    expect(strongestPaths(whole.trace, 1, 5)).toEqual([]);
    expect([countPaths(whole.trace, 1), countProducts(whole.trace, 1)]).toEqual([1n, 0n]);
  });
});

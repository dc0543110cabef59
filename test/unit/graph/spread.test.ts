import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, graph, mul, spread, sub, sweep } from "../../../engine/index.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { definition, randomGraph } from "../random-graph.js";

/** x pays each factor, in uses that do not depend on each other. */
const fan = (factors: readonly number[]) =>
  graph({ x: 1 }, ({ x }) => factors.map((k) => mul(x, k)).reduce((s, t) => add(s, t)));

describe("the spread at a fan-out", () => {
  it("shows what plain summation loses and compensation keeps", () => {
    const { contributions, all, reachable, formats } = spread(fan([1e16, 1, -1e16]), "x");
    expect(contributions.map(({ value }) => value).sort()).toEqual([-1e16, 1, 1e16]);
    expect(all).toEqual({ tried: 6, total: 6, complete: true });
    expect(reachable).toEqual({ tried: 6, total: 6, complete: true });
    const f64 = formats[0];
    expect([f64.dtype, f64.exact, f64.condition]).toEqual(["f64", 1, 2e16 + 1]);
    const by = Object.fromEntries(f64.modes.map((mode) => [mode.mode, mode]));
    expect(by.sum.all).toMatchObject({ distinct: 2, min: 0, max: 1, exact: 2 });
    expect(by.kahan.all).toMatchObject({ distinct: 1, min: 1, max: 1, worstUlps: 0, exact: 6 });
    expect(by.pairwise.all.distinct).toBe(2);
  });

  it("is taken at one element of an array, and at no array as a whole", () => {
    const g = graph({ v: Float64Array.of(1, 2), s: 1 }, ({ v, s }) => {
      const parts = [1e16, 1, -1e16].map((k) => v.mul([k, 3 * k]).sum());
      return parts.reduce((sum, part) => add(sum, part), s);
    });
    const { name, contributions, formats } = spread(g, "v[1]");
    expect(name).toBe("v[1]");
    expect(contributions.map(({ value }) => value).sort()).toEqual([-3e16, 3, 3e16]);
    expect(formats[0].exact).toBe(3);
    expect(formats[0].modes[0].all).toMatchObject({ distinct: 2, orders: 6 });
    expect(() => spread(g, "v")).toThrow("v is an array of shape [2], and every element is a sum of its own");
    expect(() => spread(g, "v[2]")).toThrow("v has the shape [2], there is no element [2]");
    expect(() => spread(g, "v[0][0]")).toThrow("v has the shape [2], there is no element [0][0]");
    // the seed of an array output is a term as well
    const seeded = graph({ v: Float64Array.of(1, 2) }, ({ v }) => ({ v, w: v.mul(2) }), {
      cotangent: { v: [5, 7], w: 1 },
    });
    expect(spread(seeded, "v[1]").contributions.map(({ value }) => value)).toEqual([7, 2]);
  });

  it("rounds contributions to each format before they are added", () => {
    const { formats } = spread(fan([0.1, 0.2, 0.3]), "x");
    expect(formats.map(({ dtype }) => dtype)).toEqual(["f64", "f32", "f16", "bf16"]);
    expect(formats[1].exact).toBe(Math.fround(Math.fround(0.1) + Math.fround(0.2) + Math.fround(0.3)));
    expect(formats.every(({ modes }) => modes.map(({ mode }) => mode).join() === "sum,pairwise,kahan")).toBe(
      true,
    );
  });

  it("finds which consumers are always first", () => {
    // c = a*y uses a; d = c*a uses a and c: d pays before c, whatever the order
    const g = graph({ a: 2, y: 3 }, ({ a, y }) => {
      const c = mul(a, y);
      const d = mul(c, a);
      return add(d, mul(a, 5));
    });
    const { all, reachable, always, contributions } = spread(g, "a");
    expect(contributions).toHaveLength(3);
    expect(all.tried).toBe(6);
    expect(reachable).toEqual({ tried: 3, total: 3, complete: true });
    expect(always).toEqual([["node 3", "node 2"]]);
  });

  it("keeps the slots of one child together", () => {
    const g = graph({ a: 3 }, ({ a }) => add(mul(a, a), mul(a, 2)));
    const { all, reachable } = spread(g, "a");
    expect([all.tried, reachable.tried]).toEqual([6, 2]);
  });

  it("counts the seed of an output among the terms, always first", () => {
    const g = graph({ x: 3 }, ({ x }) => {
      const a = mul(x, x);
      return { a, b: mul(a, 2), c: mul(a, 4) };
    });
    const { contributions, all, reachable } = spread(g, "a");
    expect(contributions[0]).toEqual({ from: null, consumer: -1, slot: -1, value: 1 });
    expect([all.tried, reachable.tried]).toEqual([6, 2]);
  });

  it("says so for one contribution and for none", () => {
    const g = graph({ x: 3, y: 1 }, ({ x }) => mul(x, 2));
    expect(spread(g, "x")).toMatchObject({ contributions: [{ value: 2 }], formats: [] });
    expect(spread(g, "y")).toMatchObject({ contributions: [], formats: [] });
  });

  it("states how many orders it tried of many, the same ones each time", () => {
    const factors = Array.from({ length: 30 }, (_, i) => Math.sin(i) * 10 ** (i % 9));
    const first = spread(fan(factors), "x");
    expect(first.all).toEqual({ tried: 10_006, total: null, complete: false });
    expect(first.reachable).toEqual({ tried: 1001, total: null, complete: false });
    expect(first.formats[0].modes[0].all.distinct).toBeGreaterThan(3);
    expect(spread(fan(factors), "x")).toEqual(first);
    expect(first.formats[0].modes[2].all.worstUlps).toBeLessThanOrEqual(1);
  });

  it("counts the orders that reverse topological orders have, found by listing those", () => {
    let compared = 0;
    fc.assert(
      fc.property(randomGraph(6), (g) => {
        const def = definition(g);
        const { trace } = sweep(def, { order: "tape" });
        const { from, to, n } = trace.edges;
        const timeline = new Timeline(trace);
        const active = Array.from({ length: trace.nodes.n }, (_, v) => v).filter(
          (v) => timeline.finalStep(v) >= 0,
        );
        const node = active.find((v) => timeline.slots(v) > 1 && timeline.slots(v) < 7);
        if (node === undefined) return;
        const edges = Array.from({ length: n }, (_, e) => e).filter((e) => timeline.finalStep(to[e]) >= 0);
        const consumers = new Set(edges.filter((e) => from[e] === node).map((e) => to[e]));
        const found = new Set<string>();
        let steps = 0;
        const extend = (rest: readonly number[], order: readonly number[]): void => {
          if (++steps > 20_000) return;
          if (rest.length === 0) found.add(order.filter((v) => consumers.has(v)).join());
          for (const v of rest) {
            if (edges.some((e) => from[e] === v && rest.includes(to[e]))) continue;
            extend(
              rest.filter((w) => w !== v),
              [...order, v],
            );
          }
        };
        extend(active, []);
        if (steps > 20_000) return;
        compared++;
        const { reachable, formats } = spread(def, String(node));
        expect(reachable.tried).toBe(found.size);
        const { all, reachable: few, arrival } = formats[0].modes[0];
        expect(arrival).toBeGreaterThanOrEqual(few.min);
        expect(arrival).toBeLessThanOrEqual(few.max);
        expect(few.min).toBeGreaterThanOrEqual(all.min);
        expect(few.max).toBeLessThanOrEqual(all.max);
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(30);
  });

  it("names the fan-outs for a name it does not know, and refuses arrays", () => {
    const g = graph({ x: 2, y: 3 }, ({ x, y }) => add(mul(x, y), sub(x, y)));
    expect(() => spread(g, "q")).toThrow('there is no node "q"; used more than once: x, y');
    expect(() =>
      spread(
        graph({ x: 2 }, ({ x }) => mul(x, 2)),
        "q",
      ),
    ).toThrow("no node is used more than once");
    expect(spread(g, "0").name).toBe("x");
    const array = graph({ a: [[1, 2]] }, ({ a }) => (a as unknown as { sum(): number }).sum());
    expect(() => spread(array, "a")).toThrow("a is an array");
  });
});

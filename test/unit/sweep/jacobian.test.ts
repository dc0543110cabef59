import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { definition, randomGraph } from "../random-graph.js";

const { add, graph, gradient, jacobian, mul, sin, sqrt, vjp } = B;

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

/** 1000 inputs, 4 outputs that each read all of them. */
const wide = graph({ w: Array.from({ length: 1000 }, (_, i) => (i % 7) - 3) }, ({ w }) =>
  [1, 2, 3, 4].map((k) => w.reduce((s, x, i) => add(s, mul(sin(mul(k, x)), i + k)), 0 as number)),
);

describe("the orientation", () => {
  it("is the one with fewer sweeps: 1000 to 4 takes 4, its sum 1", () => {
    const four = jacobian(wide);
    expect([four.mode, four.sweeps]).toEqual(["reverse", 4]);
    const sum = graph(wide.inputs, (given) => (wide.fn(given) as number[]).reduce((s, x) => add(s, x)));
    const one = jacobian(sum);
    expect([one.mode, one.sweeps]).toEqual(["reverse", 1]);
    expect((one.jacobian as { w: number[] }).w).toEqual(gradient(sum).w);
    const rows = four.jacobian as { w: number[] }[];
    (one.jacobian as { w: number[] }).w.forEach((x, j) =>
      expect(
        close(
          x,
          rows.reduce((s, row) => s + row.w[j], 0),
          1e-13,
        ),
      ).toBe(true),
    );
  });

  it("goes forward for few inputs and for a tie, and obeys", () => {
    const many = graph({ x: 2 }, ({ x }) => [mul(x, x), sin(x), x, 7]);
    expect(jacobian(many)).toEqual({
      jacobian: [{ x: 4 }, { x: Math.cos(2) }, { x: 1 }, { x: 0 }],
      value: [4, Math.sin(2), 2, 7],
      mode: "forward",
      sweeps: 1,
    });
    const square = graph({ x: 2, y: 3 }, ({ x, y }) => ({ p: mul(x, y), q: add(x, y) }));
    const tie = jacobian(square);
    expect([tie.mode, tie.sweeps]).toEqual(["forward", 2]);
    expect(tie.jacobian).toEqual({ p: { x: 3, y: 2 }, q: { x: 1, y: 1 } });
    expect(jacobian(square, { mode: "reverse" })).toEqual({ ...tie, mode: "reverse" });
  });

  it("counts an output returned twice once, and a plain number never", () => {
    const g = graph({ x: 2, y: 3 }, ({ x, y }) => {
      const p = mul(x, y);
      return [p, p, 1];
    });
    const reverse = jacobian(g);
    expect([reverse.mode, reverse.sweeps]).toEqual(["reverse", 1]);
    expect(reverse.jacobian).toEqual([
      { x: 3, y: 2 },
      { x: 3, y: 2 },
      { x: 0, y: 0 },
    ]);
    expect(jacobian(g, { mode: "forward" }).jacobian).toEqual(reverse.jacobian);
  });

  it("makes no difference on random graphs, and its rows are vector-Jacobian products", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const def = definition(g);
        const forward = jacobian(def, { mode: "forward" });
        const reverse = jacobian(def, { mode: "reverse" });
        const auto = jacobian(def);
        expect(forward.sweeps).toBe(g.inputs.length);
        expect(auto.sweeps).toBe(Math.min(forward.sweeps, reverse.sweeps));
        const rows = (x: typeof auto): Record<string, number>[] => x.jacobian as Record<string, number>[];
        rows(forward).forEach((row, i) => {
          const u = g.outputs.map((_, k) => (k === i ? 1 : 0));
          u.push(i === g.outputs.length ? 1 : 0);
          const product = vjp(def, u) as Record<string, number>;
          for (const [name, x] of Object.entries(row)) {
            expect(close(x, rows(reverse)[i][name], 1e-11)).toBe(true);
            expect(close(x, product[name], 1e-11)).toBe(true);
          }
        });
      }),
      { numRuns: 400 },
    );
  });
});

describe("a Jacobian", () => {
  it("keeps columns apart where a slope is infinite, in both orientations", () => {
    const g = graph({ x: 0, y: 2 }, ({ x, y }) => [add(sqrt(x), mul(y, y)), y]);
    for (const mode of ["forward", "reverse"] as const) {
      expect(jacobian(g, { mode }).jacobian).toEqual([
        { x: Infinity, y: 4 },
        { x: 0, y: 1 },
      ]);
    }
  });

  it("takes a function at a point", () => {
    const polar = jacobian(
      ({ r, t }: { r: number; t: number }) => [mul(r, B.cos(t)), mul(r, sin(t))],
      {},
      { r: 2, t: 0 },
    );
    expect(polar.jacobian).toEqual([
      { r: 1, t: 0 },
      { r: 0, t: 2 },
    ]);
    const one: { jacobian: number } = jacobian((x: number) => mul(x, x), {}, 3);
    expect(one.jacobian).toBe(6);
  });

  it("takes custom rules and given nodes", () => {
    const cube = B.custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => g * 3 * x * x });
    const g = graph({ x: 2, y: 1 }, ({ x, y }) => [cube(mul(x, y))]);
    for (const mode of ["forward", "reverse"] as const)
      expect(jacobian(g, { mode }).jacobian).toEqual([{ x: 12, y: 24 }]);
  });

  it("refuses what has none", () => {
    const wrong = graph({ x: 2 }, ({ x }) => mul(x, x), { accumulate: "last-writer-wins" });
    expect(() => jacobian(wrong)).toThrow("last-writer-wins has none");
    expect(() => jacobian(wide, { mode: "sideways" as never })).toThrow(
      'jacobian: unknown mode "sideways": use auto, forward or reverse',
    );
    expect(() =>
      gradient(graph({ x: 2 }, ({ x }) => jacobian((z: number) => mul(z, z), {}, x).jacobian)),
    ).toThrow("jacobian() inside a graph would not be recorded");
  });

  it("sums its rows as the definition asks", () => {
    const spread = graph({ x: 1 }, ({ x }) => {
      const terms = [1e16, 1, -1e16].map((k) => mul(x, k));
      return terms.reduce((s, t) => add(s, t));
    });
    const mode = "reverse";
    const kahan = jacobian(graph(spread.inputs, spread.fn, { accumulate: "kahan" }), { mode });
    expect(kahan.jacobian).toEqual({ x: 1 });
    expect(jacobian(spread, { mode }).jacobian).toEqual({ x: 0 });
  });
});

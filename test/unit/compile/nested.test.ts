/** Differentiation inside loaded modules: plain arithmetic, closures, names, custom rules. */
import { describe, expect, it } from "vitest";
import { gradient, hvp, onWarning, valueAndGradient } from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/index.js";
import { load } from "./harness.js";
import { trace } from "./trace.js";

async function graphOf(text: string): Promise<GraphDefinition> {
  const { namespace } = await load({ "main.graph.ts": text }, "rewritten");
  return namespace.g as GraphDefinition;
}

describe("gradient inside a loaded graph", () => {
  it("takes nothing of ours for the user's: a custom rule used further is no cut", async () => {
    const warnings: string[] = [];
    const restore = onWarning(({ message }) => void warnings.push(message));
    try {
      const g = await graphOf(`
        import { graph, custom, gradient, hvp, jvp } from "backsweep";
        const sq = custom({ name: "sq", forward: (x: number) => x * x, vjp: (g: number, _y: number, x: number) => 2 * x * g });
        export const g = graph({ x: 1.5 }, ({ x }) => {
          const inner = gradient(({ t }: { t: number }) => sq(t) * t * x, { t: x }).t;
          const twice = gradient(({ s }: { s: number }) => gradient(({ t }: { t: number }) => sq(sq(t)), { t: s }).t, { s: x }).s;
          const pushed = jvp(({ t }: { t: number }) => sq(t) * t, { t: x }, { t: x }).tangents[0];
          return inner + twice + pushed;
        });`);
      // 3 x^3 + 12 x^2 + 3 x^3
      expect(gradient(g).x).toBeCloseTo(18 * 1.5 ** 2 + 24 * 1.5, 12);
      expect(hvp(g, { x: 1 }).hvp.x).toBeCloseTo(36 * 1.5 + 24, 12);
    } finally {
      restore();
    }
    expect(warnings).toEqual([]);
  });

  it("differentiates plain arithmetic and what it closes over", async () => {
    const g = await graphOf(`
      import { graph, gradient } from "backsweep";
      export const g = graph({ p: 7 }, ({ p }) => {
        const f = (z: number) => z ** 3 - p;
        let x = 2;
        for (let i = 0; i < 8; i++) x = x - f(x) / gradient(f, x);
        return x;
      });`);
    const { value, gradient: d } = valueAndGradient(g);
    expect(value).toBeCloseTo(Math.cbrt(7), 14);
    expect(d.p).toBeCloseTo(1 / (3 * Math.cbrt(7) ** 2), 14);
  });

  it("names the answer after its variable and the sweep after what it differentiates", async () => {
    const { rows } = await trace(`
      import { graph, gradient } from "backsweep";
      export const g = graph({ x: 2 }, ({ x }) => {
        const slope = gradient(({ z }: { z: number }) => Math.sin(z * z), { z: x }).z;
        return slope * 3;
      });`);
    expect(rows.map(({ name, op, line }) => [name, op, line])).toEqual([
      ["x", "input", 3],
      ["z", "mul", 4],
      [null, "mul", 4],
      [null, "sin", 4],
      ["∂ Math.sin(z * z)", "cos", 4],
      ["∂ z * z", "mul", 4],
      ["∂ z * z", "mul", 4],
      ["slope", "add", 4],
      ["L", "mul", 5],
    ]);
  });

  it("destructures, branches and nests like other code", async () => {
    const g = await graphOf(`
      import { graph, gradient, jvp } from "backsweep";
      const f = ({ a, b }: { a: number; b: number }) => (a > b ? a * a * b : a + b);
      export const g = graph({ a: 3, b: 2 }, ({ a, b }) => {
        const { a: da, b: db } = gradient(f, { a, b });
        const { tangents: [t] } = jvp((z: number) => gradient((y: number) => y ** 4, z), 1, a);
        return da * db + t;
      });`);
    // da = 2ab, db = a^2, t = 12 a^2
    expect(valueAndGradient(g)).toEqual({ value: 12 * 9 + 108, gradient: { a: 6 * 9 * 2 + 72, b: 2 * 27 } });
  });
});

describe("a custom rule in a loaded file", () => {
  const cube = `
    import { custom, graph, gradient } from "backsweep";
    const cube = custom({ name: "cube", forward: (x) => x * x * x, vjp: (g, y, x) => 3 * x * x * g });`;

  it("of plain arithmetic has second derivatives", async () => {
    const g = await graphOf(`${cube}
      export const g = graph({ x: 2 }, ({ x }) => cube(x) * x);`);
    expect(hvp(g, { x: 1 })).toEqual({ value: 16, gradient: { x: 32 }, jvp: 32, hvp: { x: 48 } });
    const nested = await graphOf(`${cube}
      export const g = graph({ x: 2 }, ({ x }) => gradient((z: number) => cube(z) * z, x));`);
    expect(valueAndGradient(nested)).toEqual({ value: 32, gradient: { x: 48 } });
  });

  it("that loses its arguments is refused, with what loses them", async () => {
    const text = (rule: string, query: string): string => `
      import { custom, graph, gradient } from "backsweep";
      const table = [0, 3, 12, 27];
      const f = custom({ name: "look", forward: (x) => x ** 3, vjp: (g, y, x) => ${rule} });
      export const g = graph({ x: 2 }, ({ x }) => ${query});`;
    const once = await graphOf(text("g * table[x]", "f(x)"));
    expect(gradient(once)).toEqual({ x: 12 });
    expect(() => hvp(once, { x: 1 })).toThrow(
      /^look: a Hessian-vector product needs the derivative of its vjp, which cannot be taken: .*used as an index/,
    );
    const nested = await graphOf(text("g * table[x]", "gradient((z: number) => f(z), x)"));
    expect(() => gradient(nested)).toThrow(/^look: differentiation inside a graph .*used as an index/);
    const typed = await graphOf(
      text("{ const s = new Float64Array(1); s[0] = 3 * x * x; return g * s[0]; }", "f(x)"),
    );
    expect(() => hvp(typed, { x: 1 })).toThrow(/stored in a typed array/);
  });

  it("is refused the second time too", async () => {
    const twice = await graphOf(`
      import { custom, graph, gradient } from "backsweep";
      const f = custom({ name: "steps", forward: (x) => x, vjp: (g, y, x) => g * Math.floor(x) });
      const safe = (h: () => number) => { try { return h(); } catch { return 0; } };
      export const g = graph({ x: 2 }, ({ x }) => safe(() => gradient((z: number) => f(z), x)) + gradient((z: number) => f(z), x));`);
    expect(() => gradient(twice)).toThrow(/^steps: .*rounded by Math.floor/);
  });
});

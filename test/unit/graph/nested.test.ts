import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { apply } from "../../../engine/graph/calls.js";
import { primitives } from "../../../engine/ops/table.js";
import { smoothPoints } from "../ops/samples.js";
import { definition, randomGraph } from "../random-graph.js";

const { add, custom, exp, graph, gradient, hvp, jvp, mul, sin, sweep, valueAndGradient, vjp } = B;

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
const near = (a: number, b: number, tolerance = 1e-12): void =>
  expect(close(a, b, tolerance), `${a} and ${b}`).toBe(true);

describe("gradient inside a graph", () => {
  it("is differentiable, to any depth", () => {
    const cube = (x: number): number => mul(mul(x, x), x);
    const first = graph({ x: 2 }, ({ x }) => gradient(cube, x));
    expect(valueAndGradient(first)).toEqual({ value: 12, gradient: { x: 12 } });
    const second = graph({ x: 2 }, ({ x }) => gradient((y: number) => gradient(cube, y), x));
    expect(valueAndGradient(second)).toEqual({ value: 12, gradient: { x: 6 } });
    const third = graph({ x: 2 }, ({ x }) =>
      gradient((y: number) => gradient((z: number) => gradient(cube, z), y), x),
    );
    expect(valueAndGradient(third)).toEqual({ value: 6, gradient: { x: 0 } });
    // d^4/dx^4 sin(2x) = 16 sin(2x)
    const fourth = graph({ x: 0.4 }, ({ x }) =>
      gradient((a: number) => gradient((b: number) => gradient((c: number) => sin(mul(2, c)), b), a), x),
    );
    near(gradient(fourth).x, 16 * Math.sin(0.8));
  });

  it("differentiates what the inner function closes over", () => {
    // d/dz (z^2 x) = 2 z x at z = 3: derivative in x is 6
    const closed = graph({ x: 5 }, ({ x }) => gradient((z: number) => mul(mul(z, z), x), 3));
    expect(valueAndGradient(closed)).toEqual({ value: 30, gradient: { x: 6 } });
  });

  it("does not confuse an inner input with the outer value it stands at", () => {
    // d/dz (x z) at z = x is x, not 2x (Siskind and Pearlmutter 2005)
    const g = graph({ x: 5 }, ({ x }) => gradient((z: number) => mul(x, z), x));
    expect(valueAndGradient(g)).toEqual({ value: 5, gradient: { x: 1 } });
    const nested = graph({ x: 1 }, ({ x }) =>
      mul(
        x,
        gradient((y: number) => add(x, y), 1),
      ),
    );
    expect(valueAndGradient(nested)).toEqual({ value: 1, gradient: { x: 1 } });
    // a name shared by both levels, and an inner function that ignores its own input
    const ignored = graph({ x: 5 }, ({ x }) =>
      add(gradient(({ x: _ }: { x: number }) => mul(x, x), { x }).x, x),
    );
    expect(valueAndGradient(ignored)).toEqual({ value: 5, gradient: { x: 1 } });
  });

  it("takes numbers, arrays and names, and definitions with their own inputs", () => {
    const inner = graph({ a: 2, w: [1, 3] }, ({ a, w }) => mul(a, mul(w[0], w[1])));
    const g = graph({ a: 7 }, ({ a }) => {
      const { a: da, w } = gradient(inner, { a });
      return add(da, mul(10, add(w[0], w[1])));
    });
    expect(valueAndGradient(g)).toEqual({ value: 3 + 10 * (21 + 7), gradient: { a: 40 } });
    const array = graph({ w: [2, 3] }, ({ w }) => {
      const d = gradient((v: number[]) => mul(mul(v[0], v[0]), v[1]), w);
      return add(d[0], d[1]);
    });
    // 2 w0 w1 + w0^2
    expect(valueAndGradient(array)).toEqual({ value: 16, gradient: { w: [10, 4] } });
  });

  it("gives value and gradient by one inner run", () => {
    let runs = 0;
    const g = graph({ x: 3 }, ({ x }) => {
      const { value, gradient: d } = valueAndGradient((z: number) => {
        runs++;
        return mul(z, mul(z, z));
      }, x);
      return add(value as number, d);
    });
    expect(valueAndGradient(g)).toEqual({ value: 54, gradient: { x: 45 } });
    expect(runs).toBe(1);
  });

  it("gives 0 where the inner function does not depend on its input", () => {
    const g = graph({ x: 3 }, ({ x }) =>
      add(
        gradient((_: number) => mul(x, x), 2),
        x,
      ),
    );
    expect(valueAndGradient(g)).toEqual({ value: 3, gradient: { x: 1 } });
    const constant = graph({ x: 3 }, ({ x }) =>
      add(
        gradient((_: number) => 4, x),
        x,
      ),
    );
    expect(valueAndGradient(constant)).toEqual({ value: 3, gradient: { x: 1 } });
  });

  it("adds several inner outputs by their cotangents", () => {
    const inner = graph({ z: 1 }, ({ z }) => [mul(z, z), mul(3, z)], { cotangent: [10, 1] });
    const g = graph({ x: 2 }, ({ x }) => gradient(inner, { z: x }).z);
    expect(valueAndGradient(g)).toEqual({ value: 43, gradient: { x: 20 } });
    const twice = graph({ x: 2 }, ({ x }) =>
      gradient((z: number) => {
        const p = mul(z, z);
        return [p, p];
      }, x),
    );
    expect(valueAndGradient(twice)).toEqual({ value: 8, gradient: { x: 4 } });
  });
});

describe("jvp and vjp inside a graph", () => {
  it("are differentiable, with traced tangents and cotangents", () => {
    const g = graph({ x: 2, t: 5 }, ({ x, t }) => jvp((z: number) => mul(mul(z, z), z), t, x).tangents[0]);
    // 3 x^2 t
    expect(valueAndGradient(g)).toEqual({ value: 60, gradient: { x: 60, t: 12 } });
    const back = graph({ x: 2, u: 5 }, ({ x, u }) => vjp((z: number) => mul(mul(z, z), z), u as never, x));
    expect(valueAndGradient(back)).toEqual({ value: 60, gradient: { x: 60, u: 12 } });
  });

  it("take named and several outputs", () => {
    const inner = graph({ p: 1, q: 1 }, ({ p, q }) => ({ a: mul(p, q), b: add(p, q), c: 4 }));
    const g = graph({ x: 3 }, ({ x }) => {
      const { values, tangents } = jvp(inner, { p: x }, { p: x, q: mul(x, x) });
      const d = vjp(inner, { a: x, b: 1, c: 7 } as never, { p: x });
      return [values[0], tangents[0], tangents[1], tangents[2], d.p, d.q];
    });
    const { value } = valueAndGradient(g);
    // a = x^3, its tangent q x, that of b is x, d.p = x q + 1 at q = 1, d.q = x p + 1
    expect(value).toEqual([27, 27, 3, 0, 4, 10]);
  });

  it("forward over reverse is the Hessian-vector product", () => {
    const f = ({ x, y }: { x: number; y: number }): number => mul(sin(mul(x, y)), exp(x));
    const g = graph({ x: 0.3, y: 0.8 }, (at) => {
      const along = jvp(
        (point: { x: number; y: number }) => gradient(f, point) as unknown as Record<string, number>,
        { x: 1, y: -2 },
        at,
      );
      return along.tangents;
    });
    const { value } = valueAndGradient(g);
    const product = hvp(f, { x: 1, y: -2 }, { x: 0.3, y: 0.8 }).hvp;
    near((value as number[])[0], product.x);
    near((value as number[])[1], product.y);
  });

  it("agree with each other on random graphs: <u, J v> recorded both ways, and their derivatives", () => {
    fc.assert(
      fc.property(
        randomGraph(),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        (g, w) => {
          const def = definition(g);
          const u = Array.from({ length: g.outputs.length + 1 }, (_, i) => w[i]);
          const v = Object.fromEntries(g.inputs.map((_, i) => [`x${i}`, w[(i + u.length) % 8]]));
          const sum = (xs: readonly number[], ys: readonly number[]): number =>
            xs.reduce((s, x, i) => add(s, mul(x, ys[i])), 0 as number);
          const inputs = def.inputs as Record<string, number>;
          const forward = graph(inputs, (at) => sum(jvp(def, v, at).tangents, u));
          const reverse = graph(inputs, (at) =>
            sum(Object.values(vjp(def, u, at)) as number[], Object.values(v)),
          );
          const a = valueAndGradient(forward);
          const b = valueAndGradient(reverse);
          near(a.value as number, b.value as number, 1e-10);
          for (const name of Object.keys(inputs)) near(a.gradient[name], b.gradient[name], 1e-8);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("every primitive of the table", () => {
  it.each(primitives.map((row) => [row.name, row] as const))("%s", (name, row) => {
    for (const point of smoothPoints(row, 8)) {
      const inputs = Object.fromEntries(point.slice(0, row.arity).map((x, i) => [`x${i}`, x]));
      const f = (given: Record<string, number>): number => {
        const y = apply(name, Object.values(given));
        return add(mul(0.7, y), mul(0.2, mul(y, y)));
      };
      const plain = valueAndGradient(graph(inputs, f));
      for (const key of Object.keys(inputs)) {
        const inner = graph(inputs, (given) => gradient(f, given)[key]);
        const { value, gradient: row_ } = valueAndGradient(inner);
        // a slope through which nothing flows is the number 0, which depends on no input
        near(value as number, plain.gradient[key], 1e-11);
        const product = hvp(
          f,
          Object.fromEntries(Object.keys(inputs).map((k) => [k, k === key ? 1 : 0])),
          inputs,
        ).hvp;
        for (const other of Object.keys(inputs)) {
          if (Number.isNaN(product[other]) || Number.isNaN(row_[other])) continue;
          near(row_[other], product[other], 1e-9);
        }
      }
    }
  });
});

describe("kinks and pieces", () => {
  it("take the conventions of the table", () => {
    const at = (x: number, f: (x: number) => number): number => {
      const { value } = valueAndGradient(graph({ x }, (given) => gradient(f, given.x)));
      return value as number;
    };
    for (const [f, points] of [
      [B.relu, [-1, 0, 2]],
      [B.abs, [-1, 0, 2]],
      [(x: number) => B.max(x, 1), [0, 1, 2]],
      [(x: number) => B.min(x, mul(x, x)), [0, 0.5, 1, 2]],
      [(x: number) => B.clip(x, -1, 1), [-2, -1, 0, 1, 2]],
      [(x: number) => B.where(B.sign(x), mul(x, 3), x), [-2, 0, 2]],
      [(x: number) => B.floor(x), [0.5, 1]],
      [(x: number) => B.mod(x, 2), [0.5, -3.5]],
      [(x: number) => B.leakyRelu(x), [-1, 0, 1]],
      [(x: number) => B.elu(x), [-1, 0, 1]],
      [(x: number) => B.hypot(x, x), [0, 1]],
    ] as [(x: number) => number, number[]][]) {
      for (const x of points) expect(at(x, f)).toBe(gradient(f, x) + 0);
    }
  });

  it("hands nothing through a piece that was not taken", () => {
    const g = graph({ x: 0, y: 2 }, ({ x, y }) =>
      gradient((z: number) => B.where(0, mul(Infinity, z), mul(z, y)), x),
    );
    expect(valueAndGradient(g)).toEqual({ value: 2, gradient: { x: 0, y: 1 } });
  });

  it("records what decided a slope as a decision", () => {
    const g = graph({ x: 2 }, ({ x }) => gradient((z: number) => B.max(mul(z, z), 1), x));
    const { trace } = sweep(g);
    expect(trace.decisions.n).toBeGreaterThan(0);
    expect(trace.strings[trace.decisions.op[0]]).toBe(">");
    expect(gradient(g)).toEqual({ x: 2 });
  });
});

describe("custom rules", () => {
  it("are differentiated where they are written with explicit calls", () => {
    const cube = custom({
      name: "cube",
      forward: (x) => x ** 3,
      vjp: (g, _y, x) => mul(g, mul(3, mul(x, x))),
    });
    const g = graph({ x: 2 }, ({ x }) => gradient((z: number) => cube(mul(2, z)), x));
    // 24 z^2
    expect(valueAndGradient(g)).toEqual({ value: 96, gradient: { x: 96 } });
    const forward = graph({ x: 2 }, ({ x }) => jvp((z: number) => cube(mul(2, z)), 1, x).tangents[0]);
    expect(valueAndGradient(forward)).toEqual({ value: 96, gradient: { x: 96 } });
  });

  it("are refused by name otherwise", () => {
    const cube = custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => g * 3 * x * x });
    const g = graph({ x: 2 }, ({ x }) => gradient((z: number) => cube(z), x));
    expect(() => gradient(g)).toThrow(
      "cube: differentiation inside a graph needs the derivative of its vjp, which cannot be taken: it does plain arithmetic",
    );
  });
});

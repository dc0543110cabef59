import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { apply } from "../../../engine/graph/calls.js";
import { primitives } from "../../../engine/ops/table.js";
import { definition, randomGraph, type RandomGraph } from "../random-graph.js";
import { random, smoothPoints } from "../ops/samples.js";

const { add, custom, div, exp, graph, gradient, hvp, hessian, hessianDiagonal, mul, pow, sin, sqrt, sub } = B;

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

const weights = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 });
const named = (values: readonly number[], first: number, g: RandomGraph): Record<string, number> =>
  Object.fromEntries(g.inputs.map((_, i) => [`x${i}`, values[(first + i) % values.length]]));
const list = (x: object): number[] => Object.values(x).map(Number);
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, x, i) => s + x * b[i], 0);

describe("Hessian-vector products on random graphs", () => {
  it("are symmetric: u.Hv = v.Hu", () => {
    fc.assert(
      fc.property(randomGraph(), weights, (g, w) => {
        const def = definition(g);
        const u = named(w, 0, g);
        const v = named(w, 4, g);
        const hv = list(hvp(def, v).hvp);
        const hu = list(hvp(def, u).hvp);
        const scale = hv.reduce((s, x, i) => s + Math.abs(x * list(u)[i]), 1);
        expect(Math.abs(dot(list(u), hv) - dot(list(v), hu))).toBeLessThanOrEqual(1e-10 * scale);
      }),
      { numRuns: 500 },
    );
  });

  it("equal differences of gradients", () => {
    fc.assert(
      fc.property(randomGraph(14), weights, (g, w) => {
        const def = definition(g);
        const v = list(named(w, 0, g));
        const h = 1e-5;
        const at = (sign: number): number[] =>
          list(
            gradient(
              def,
              named(
                g.inputs.map((x, i) => x + sign * h * v[i]),
                0,
                g,
              ),
            ),
          );
        const plus = at(1);
        const minus = at(-1);
        list(hvp(def, named(v, 0, g)).hvp).forEach((x, i) => {
          const slope = (plus[i] - minus[i]) / (2 * h);
          // the third derivative of such a program can be large: only a relative match is asked for
          const size = 1 + Math.abs(x) + Math.abs(plus[i]);
          expect(Math.abs(x - slope)).toBeLessThanOrEqual(2e-3 * size);
        });
      }),
      { numRuns: 300 },
    );
  });

  it("equal the derivative of a nested gradient, recorded and swept again", () => {
    fc.assert(
      fc.property(randomGraph(), weights, (g, w) => {
        const def = definition(g);
        const v = named(w, 0, g);
        const nested = graph(def.inputs as Record<string, number>, (at) => {
          const inner = gradient(def, at) as Record<string, number>;
          return Object.keys(v).reduce((s, name) => add(s, mul(inner[name], v[name])), 0);
        });
        const product = list(hvp(def, v).hvp);
        list(gradient(nested)).forEach((x, i) => expect(close(x, product[i], 1e-9)).toBe(true));
      }),
      { numRuns: 300 },
    );
  });

  it("come with the gradient bit for bit, and with the directional derivative", () => {
    fc.assert(
      fc.property(randomGraph(), weights, (g, w) => {
        const def = definition(g);
        const v = named(w, 0, g);
        const all = hvp(def, v);
        const exact = list(gradient(def));
        list(all.gradient).forEach((x, i) => expect(close(x, exact[i], 1e-13)).toBe(true));
        expect(close(all.jvp, dot(exact, list(v)), 1e-10)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("every primitive of the table", () => {
  it.each(primitives.map((row) => [row.name, row] as const))("%s", (name, row) => {
    const next = random(row.name.length);
    for (const point of smoothPoints(row, 12)) {
      // weights make the cotangent of the primitive a number of its own, and a square makes it move
      const inputs = Object.fromEntries(point.slice(0, row.arity).map((x, i) => [`x${i}`, x]));
      const def = graph(inputs, (given) => {
        const y = apply(name, Object.values(given));
        return add(mul(0.7, y), mul(0.2, mul(y, y)));
      });
      const v = Object.fromEntries(Object.keys(inputs).map((key) => [key, 2 * next() - 1]));
      // a condition and an order are whole numbers, not to be moved
      if (name === "where" || name === "polygamma") v.x0 = 0;
      const h = 1e-6;
      const at = (sign: number): Record<string, number> =>
        gradient(def, Object.fromEntries(Object.keys(inputs).map((k) => [k, inputs[k] + sign * h * v[k]])));
      const plus = at(1);
      const minus = at(-1);
      const product = hvp(def, v).hvp as Record<string, number>;
      for (const key of Object.keys(inputs)) {
        const slope = (plus[key] - minus[key]) / (2 * h);
        if (Number.isNaN(slope) && Number.isNaN(product[key])) continue;
        const size = 1 + Math.abs(product[key]) + Math.abs(plus[key]);
        expect(Math.abs(product[key] - slope), `${key} at ${point.join(", ")}`).toBeLessThanOrEqual(
          1e-6 * size,
        );
      }
    }
  });
});

describe("Hessians", () => {
  it("are exact for quadratic forms", () => {
    const a = [
      [2, -3, 5],
      [7, 11, 0],
      [-1, 4, 6],
    ];
    const form = graph({ w: [1, -2, 3] }, ({ w }) =>
      a.reduce((s, row, i) => row.reduce((t, x, j) => add(t, mul(x, mul(w[i], w[j]))), s), 0 as number),
    );
    const expected = a.map((row, i) => row.map((x, j) => x + a[j][i]));
    const { hessian: h, products } = hessian(form);
    expect(h).toEqual({ w: expected.map((row) => ({ w: row })) });
    expect(products).toBe(3);
    expect(hvp(form, { w: [1, 10, 100] }).hvp).toEqual({
      w: expected.map((row) => row[0] + 10 * row[1] + 100 * row[2]),
    });
  });

  it("take functions of a number, an array and names", () => {
    expect(hvp((x: number) => mul(mul(x, x), x), 1, 2)).toEqual({ value: 8, gradient: 12, jvp: 12, hvp: 12 });
    expect(hessian((x: number) => mul(mul(x, x), x), 2)).toEqual({ hessian: 12, products: 1 });
    expect(hessian((w: number[]) => mul(w[0], w[1]), [3, 4]).hessian).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(
      hessian(({ x, y }: { x: number; y: number }) => mul(mul(x, x), y), { x: 3, y: 5 }).hessian,
    ).toEqual({
      x: { x: 10, y: 6 },
      y: { x: 6, y: 0 },
    });
  });

  it("add several outputs, each times its cotangent", () => {
    const two = graph({ x: 2 }, ({ x }) => [mul(x, x), mul(mul(x, x), x)], { cotangent: [10, 1] });
    expect(hvp(two, { x: 1 })).toEqual({ value: 48, gradient: { x: 52 }, jvp: 52, hvp: { x: 32 } });
    const plain = graph({ x: 2 }, ({ x }) => [mul(x, x), 5]);
    expect(hvp(plain, { x: 1 })).toEqual({ value: 9, gradient: { x: 4 }, jvp: 4, hvp: { x: 2 } });
  });
});

describe("the diagonal", () => {
  it("of a separable function takes one product", () => {
    const w = [0.5, 1, 2, 3];
    const separable = graph({ w }, ({ w: v }) => v.reduce((s, x) => add(s, exp(mul(x, x))), 0));
    const { diagonal, products } = hessianDiagonal(separable);
    expect(products).toBe(1);
    diagonal.w.forEach((x, i) => {
      const s = w[i] ** 2;
      expect(close(x, (2 + 4 * s) * Math.exp(s), 1e-14)).toBe(true);
    });
  });

  it("of a banded function takes two, of a full one as many as inputs", () => {
    const n = 40;
    const chain = graph({ w: Array.from({ length: n }, (_, i) => 0.1 * i) }, ({ w }) =>
      w.slice(1).reduce((s, x, i) => add(s, mul(sin(w[i]), x)), 0 as number),
    );
    const banded = hessianDiagonal(chain);
    expect(banded.products).toBe(2);
    const { hessian: full } = hessian(chain);
    banded.diagonal.w.forEach((x, i) => expect(x).toBe(full.w[i].w[i]));
    const dense = graph({ w: [1, 2, 3, 4, 5] }, ({ w }) => {
      const s = w.reduce((t, x) => add(t, x));
      return mul(mul(s, s), s);
    });
    expect(hessianDiagonal(dense)).toEqual({ diagonal: { w: [90, 90, 90, 90, 90] }, products: 5 });
  });

  it("equals that of the whole Hessian on random graphs", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const def = definition(g);
        const { diagonal, products } = hessianDiagonal(def);
        const { hessian: full } = hessian(def) as unknown as {
          hessian: Record<string, Record<string, number>>;
        };
        expect(products).toBeLessThanOrEqual(g.inputs.length);
        for (const [name, x] of Object.entries(diagonal))
          expect(close(Number(x), full[name][name], 1e-12)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("pieces and infinities", () => {
  it("keeps pieces that were not taken at exactly zero", () => {
    // the untaken piece has an infinite second derivative at 0
    const g = graph({ x: 0, y: 2 }, ({ x, y }) => B.where(1, mul(y, y), pow(x, 1.5)));
    expect(hvp(g, { x: 1, y: 1 }).hvp).toEqual({ x: NaN, y: 2 });
    const relu = graph({ x: -3, y: 2 }, ({ x, y }) => add(mul(B.relu(x), Infinity), mul(y, y)));
    expect(hvp(relu, { x: 1, y: 1 }).hvp).toEqual({ x: 0, y: 2 });
    const elu = graph({ x: 3, y: 2 }, ({ x, y }) => add(mul(B.elu(x), Infinity), mul(y, y)));
    expect(hvp(elu, { x: 1, y: 1 }).hvp).toEqual({ x: 0, y: 2 });
    const steps = graph({ x: 1.5 }, ({ x }) => add(mul(B.floor(x), Infinity), mul(x, x)));
    expect(hvp(steps, { x: 1 })).toEqual({ value: Infinity, gradient: { x: 3 }, jvp: 3, hvp: { x: 2 } });
    const most = graph({ x: 1, y: 2 }, ({ x, y }) => B.max(mul(x, x), mul(y, mul(y, y))));
    expect(hessian(most).hessian).toEqual({ x: { x: 0, y: 0 }, y: { x: 0, y: 12 } });
  });

  it("keeps inputs outside the direction out of it, whatever their slope is", () => {
    const g = graph({ x: 0, y: 3 }, ({ x, y }) => add(sqrt(x), mul(y, y)));
    expect(hvp(g, { y: 1 }).hvp).toEqual({ x: 0, y: 2 });
    expect(hvp(g, { y: 1 }).jvp).toBe(6);
    // a constant exponent must not meet the logarithm of its base
    expect(
      hvp(
        graph({ x: -2 }, ({ x }) => pow(x, 3)),
        { x: 1 },
      ).hvp,
    ).toEqual({ x: -12 });
    const exponent = graph({ x: -2, n: 3 }, ({ x, n }) => pow(x, n));
    expect(hvp(exponent, { x: 1 }).hvp.x).toBe(-12);
  });

  it("does not hide an infinite second derivative", () => {
    expect(
      hvp(
        graph({ x: 0 }, ({ x }) => pow(x, 1.5)),
        { x: 1 },
      ).hvp,
    ).toEqual({ x: Infinity });
  });

  it("keeps finite products whose slope is out of range", () => {
    const tiny = graph({ x: 1e-309 }, ({ x }) => div(1e-320, x));
    // 1 / x overflows, the tangent over x does not
    expect(hvp(tiny, { x: 1e-309 }).jvp / -1e-11).toBeCloseTo(1, 3);
  });
});

describe("formats", () => {
  it("rounds tangents and cotangents to their format", () => {
    const g = graph({ x: 0.3, y: 0.7 }, ({ x, y }) => mul(sin(mul(x, y)), exp(x)));
    const exact = hvp(g, { x: 1, y: 1 }).hvp;
    for (const [dtype, digits] of [
      ["f32", 2 ** -22],
      ["f16", 2 ** -9],
      ["bf16", 2 ** -6],
    ] as const) {
      const narrow = graph(g.inputs, g.fn, { dtype });
      const { hvp: product } = hvp(narrow, { x: 1, y: 1 });
      for (const key of ["x", "y"] as const) {
        expect(product[key]).not.toBe(exact[key]);
        expect(Math.abs(product[key] - exact[key])).toBeLessThanOrEqual(16 * digits);
        if (dtype === "f32") expect(Math.fround(product[key])).toBe(product[key]);
      }
    }
  });
});

describe("what cannot be differentiated twice", () => {
  it("differentiates a custom rule written with explicit calls", () => {
    const cube = custom({
      name: "cube",
      forward: (x) => x ** 3,
      vjp: (g, _y, x) => mul(g, mul(3, mul(x, x))),
    });
    const g = graph({ x: 2, y: 5 }, ({ x, y }) => mul(cube(x), cube(mul(x, y))));
    const same = graph({ x: 2, y: 5 }, ({ x, y }) => mul(pow(x, 3), pow(mul(x, y), 3)));
    expect(hessian(g).hessian).toEqual(hessian(same).hessian);
  });

  it("uses the output in a custom rule", () => {
    const power = custom({ name: "power", forward: (x) => Math.exp(x), vjp: (g, y) => mul(g, y) });
    const g = graph({ x: 0.5 }, ({ x }) => mul(power(x), power(x)));
    expect(close(hvp(g, { x: 1 }).hvp.x, 4 * Math.exp(1), 1e-14)).toBe(true);
  });

  it("refuses a custom rule of plain arithmetic, naming it", () => {
    const cube = custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => g * 3 * x * x });
    const g = graph({ x: 2 }, ({ x }) => mul(cube(x), x));
    expect(gradient(g)).toEqual({ x: 32 });
    expect(() => hvp(g, { x: 1 })).toThrow(
      "cube: a Hessian-vector product needs the derivative of its vjp, which cannot be taken: it does plain arithmetic in a file that was not loaded by Backsweep",
    );
    // no direction moves it: nothing is missing
    const beside = graph({ x: 2, y: 3 }, ({ x, y }) => add(cube(x), mul(y, y)));
    expect(hvp(beside, { y: 1 }).hvp).toEqual({ x: 0, y: 2 });
  });

  it("takes given local derivatives as constants", () => {
    const given = B.tape([
      { value: 2, name: "x" },
      { value: 12, parents: [[0, 6]] },
    ]);
    expect(hvp(given, { x: 1 } as never).hvp).toEqual({ x: 0 });
    expect(hvp(given, { x: 1 } as never).jvp).toBe(6);
  });

  it("names what is wrong with a direction", () => {
    const g = graph({ x: 2, w: [1, 2] }, ({ x, w }) => mul(x, mul(w[0], w[1])));
    const any = (direction: object) => () => hvp(g, direction as never);
    expect(any({ q: 1 })).toThrow('hvp: there is no input "q"; inputs are x, w');
    expect(any({ x: [1] })).toThrow('hvp: the direction of "x" must be one number');
    expect(any({ w: 1 })).toThrow('hvp: the direction of "w" must be an array of 2 numbers');
    expect(any({ w: [1] })).toThrow('hvp: the direction of "w" must be an array of 2 numbers');
    expect(any({ w: [1, "2"] })).toThrow('hvp: the direction of "w[1]" is the string "2"');
    const kahan = graph(g.inputs, g.fn, { accumulate: "kahan" });
    expect(() => hvp(kahan, { x: 1 })).toThrow('the accumulation "kahan" is for first derivatives');
  });

  it("survives a long chain", () => {
    const g = graph({ x: 0.5 }, ({ x }) => {
      let a = x;
      for (let i = 0; i < 200_000; i++) a = sub(a, mul(1e-6, mul(a, a)));
      return a;
    });
    expect(hvp(g, { x: 1 }).hvp.x).toBeLessThan(0);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import type { GraphDefinition, Tensor } from "../../../engine/index.js";
import { fromNested, type Nested } from "../../../engine/tape/ndarray.js";
import { arrayGraph, definitionOf, flatInputs, withInputs, type ArrayGraph } from "../random-arrays.js";

const layer = B.graph(
  {
    W: [
      [0.8, -0.5],
      [0.6, 0.9],
    ],
    b: Float64Array.of(0.1, -0.2),
    s: 2,
    p: [1, 3],
  },
  ({ W, b, s, p }) => W.matmul(W).add(b).mul(s).tanh().mul(p[0]),
);

/** The numbers of a record by input name, in input order. */
const flat = (byName: unknown): number[] =>
  Object.values(byName as Record<string, Nested>).flatMap((entry) => Array.from(fromNested(entry).data));
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, x, i) => s + x * b[i], 0);
const close = (a: number, b: number, tolerance: number, scale = 1): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(tolerance * Math.max(scale, Math.abs(a), Math.abs(b)));
const wave = (n: number, phase: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.cos(2.3 * i + phase));

/** A definition at other inputs, as a direction or a point of the graph. */
const point = (g: ArrayGraph, x: readonly number[]): never => withInputs(g, x) as never;

describe("queries about graphs with arrays", () => {
  it("value: nested arrays for an array output, never its mean", () => {
    const square = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => v.mul(v));
    expect(B.valueAndGradient(square)).toEqual({ value: [1, 4], gradient: { v: [2, 4] } });
    const two = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => [v.mul(2), v.sum()]);
    expect(B.valueAndGradient(two)).toEqual({ value: [[2, 4], 3], gradient: { v: [3, 3] } });
    const constant = B.graph({ x: 1 }, () => B.tensor([1, 2]));
    expect(B.valueAndGradient(constant)).toEqual({ value: [1, 2], gradient: { x: 0 } });
  });

  it("take nested arrays, typed arrays and tensors alike", () => {
    const W = [
      [1, 2],
      [3, 4],
    ];
    const f = B.graph({ W, v: Float64Array.of(1, -1) }, ({ W: M, v }) => M.matmul(v));
    const along = [
      { W: [[1, 0], [0, 1]], v: [0, 2] }, // prettier-ignore
      { W: B.tensor([[1, 0], [0, 1]]), v: Float64Array.of(0, 2) }, // prettier-ignore
    ];
    for (const tangents of along) {
      expect(B.jvp(f, tangents)).toEqual({ values: [[-1, -1]], tangents: [[1 + 4, -1 + 8]] });
      expect(B.hvp(f, tangents)).toEqual({
        value: -2,
        jvp: 12,
        gradient: { W: [[1, -1], [1, -1]], v: [4, 6] }, // prettier-ignore
        hvp: { W: [[0, 2], [0, 2]], v: [1, 1] }, // prettier-ignore
      });
    }
    expect(B.vjp(f, [1, 0])).toEqual({ W: [[1, -1], [0, 0]], v: [1, 2] }); // prettier-ignore
    expect(B.vjp(f, Float64Array.of(1, 0)).v).toEqual([1, 2]);
    expect(B.vjp(f, 2)).toEqual({ W: [[2, -2], [2, -2]], v: [8, 12] }); // prettier-ignore
  });

  it("answer about a function at an array, in the form it was given", () => {
    const f = (v: Tensor): number => v.mul(v).sum();
    expect(B.gradient(f, Float64Array.of(1, 2))).toEqual([2, 4]);
    expect(B.gradient(f, [[1], [2]])).toEqual([[2], [4]]);
    expect(B.gradient(f, B.tensor([1, 2])).toArray()).toEqual([2, 4]);
    const named = B.gradient(({ v, x }: { v: Tensor; x: number }) => B.mul(v.sum(), x), {
      v: B.tensor([1, 2]),
      x: 3,
    });
    expect(named.x).toBe(3);
    expect(named.v.toArray()).toEqual([3, 3]);
    expect(B.hessian(f, Float64Array.of(1, 2)).hessian).toEqual([
      [2, 0],
      [0, 2],
    ]);
  });

  it("a Jacobian is nested by output shape, then by input shape, in either orientation", () => {
    const f = B.graph({ W: [[1, 2], [3, 4]], x: 5 }, ({ W, x }) => W.sum({ axis: 1 }).mul(x)); // prettier-ignore
    const wanted = {
      W: [
        [[5, 5], [0, 0]], // prettier-ignore
        [[0, 0], [5, 5]], // prettier-ignore
      ],
      x: [3, 7],
    };
    const auto = B.jacobian(f);
    expect(auto).toEqual({ jacobian: wanted, value: [15, 35], mode: "reverse", sweeps: 2 });
    expect(B.jacobian(f, { mode: "forward" })).toEqual({ ...auto, mode: "forward", sweeps: 5 });
    const several = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => {
      const twice = v.mul(2);
      return { a: twice, again: twice, n: v.sum(), c: B.tensor([7, 8]) };
    });
    for (const mode of ["forward", "reverse"] as const) {
      const { jacobian, value, sweeps } = B.jacobian(several, { mode });
      const a = [[2, 0], [0, 2]]; // prettier-ignore
      expect(jacobian).toEqual({ a: { v: a }, again: { v: a }, n: { v: [1, 1] }, c: { v: [[0, 0], [0, 0]] } }); // prettier-ignore
      expect(value).toEqual({ a: [2, 4], again: [2, 4], n: 3, c: [7, 8] });
      expect(sweeps).toBe(mode === "forward" ? 2 : 3);
    }
  });

  it("the Jacobian of a layer is that of difference quotients", () => {
    const { jacobian } = B.jacobian(layer, {}) as { jacobian: unknown };
    const by = jacobian as Record<string, Nested>;
    const value = (at: object): number[] =>
      Array.from(fromNested(B.valueAndGradient(layer, at).value as Nested).data);
    const h = 1e-5;
    const W = [0.8, -0.5, 0.6, 0.9];
    for (let i = 0; i < 4; i++) {
      const moved = (t: number): object => {
        const m = W.map((w, k) => (k === i ? w + t : w));
        return { W: [m.slice(0, 2), m.slice(2)] };
      };
      const [plus, minus] = [value(moved(h)), value(moved(-h))];
      plus.forEach((y, row) => close(fromNested(by.W).data[row * 4 + i], (y - minus[row]) / (2 * h), 1e-8));
    }
    expect(fromNested(by.p).shape).toEqual([2, 2, 2]);
    expect(fromNested(by.s).shape).toEqual([2, 2]);
  });

  it("the Hessian has a row an element, and its diagonal is hessianDiagonal", () => {
    const f = B.graph({ v: Float64Array.of(1, 2), x: 3 }, ({ v, x }) => B.mul(v.mul(v).sum(), x));
    expect(B.hessian(f)).toEqual({
      hessian: {
        v: [
          { v: [6, 0], x: 2 },
          { v: [0, 6], x: 4 },
        ],
        x: { v: [2, 4], x: 0 },
      },
      products: 3,
    });
    expect(B.hessianDiagonal(f)).toEqual({ diagonal: { v: [6, 6], x: 0 }, products: 3 });
  });

  it("second derivatives are of the outputs times their cotangents", () => {
    const f = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => ({ y: v.mul(v), n: v.sum() }), {
      cotangent: { y: [1, 10], n: 100 },
    });
    expect(B.hvp(f, { v: [1, 1] })).toEqual({
      value: 1 + 40 + 300,
      gradient: { v: [102, 140] },
      jvp: 242,
      hvp: { v: [2, 20] },
    });
  });

  it("records once, whatever the number of directions", () => {
    let runs = 0;
    const f = B.graph({ v: Float64Array.of(1, 2, 3) }, ({ v }) => {
      runs++;
      return v.mul(v);
    });
    B.hessian(f);
    B.jacobian(f);
    B.hessianDiagonal(f);
    expect(runs).toBe(3);
  });

  it("go through a custom primitive, whose rule is differentiated, and a given cut", () => {
    const cube = B.custom({
      name: "cube",
      forward: (x) => x ** 3,
      vjp: (g, _y, x) => [B.mul(g, B.mul(3, B.mul(x, x)))],
    });
    const f = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => cube(v.sum()));
    expect(B.hvp(f, { v: [1, 0] })).toEqual({
      value: 27,
      gradient: { v: [27, 27] },
      jvp: 27,
      hvp: { v: [18, 18] },
    });
    const cut = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => B.stopGradient(v).mul(v).sum());
    expect(B.jvp(cut, { v: [1, 1] }).tangents).toEqual([3]);
    expect(B.jacobian(cut).jacobian).toEqual({ v: [1, 2] });
  });

  it("round as asked", () => {
    const f = B.graph({ v: Float64Array.of(1, 3) }, ({ v }) => v.div(3).tanh(), {
      dtype: "bf16",
      cotangentDtype: "bf16",
    });
    const tangents = B.jvp<{ v: Float64Array }, number[]>(f, { v: [1.0001, 1] }).tangents[0];
    for (const t of tangents) expect(t * 2 ** 10).toBe(Math.round(t * 2 ** 10));
    const { jacobian } = B.jacobian(f) as unknown as { jacobian: { v: number[][] } };
    close(jacobian.v[1][1], tangents[1], 2 ** -7);
  });

  it("say what is wrong with a direction or a cotangent", () => {
    const f = B.graph({ W: [[1, 2]], x: 1 }, ({ W, x }) => W.mul(x));
    expect(() => B.jvp(f, { W: [1, 2] })).toThrow(
      'jvp: the direction of "W" must have the shape [1, 2], not [2]',
    );
    expect(() => B.jvp(f, { W: 1 })).toThrow(
      'the direction of "W" is a number, not an array of shape [1, 2]',
    );
    expect(() => B.hvp(f, { V: 1 } as never)).toThrow('hvp: there is no input "V"; inputs are W, x');
    expect(() => B.vjp(f, [1, 2])).toThrow("gives the shape [2] for the output, whose shape is [1, 2]");
    const wide = B.graph({ v: new Float64Array(20_000) }, ({ v }) => v.mul(2));
    expect(() => B.jacobian(wide)).toThrow("20000 output numbers by 20000 input numbers are more than");
  });
});

describe("queries about random graphs with arrays", () => {
  it("JVP against VJP, Jacobians of both orientations, H symmetric and as the difference of gradients", () => {
    fc.assert(
      fc.property(arrayGraph(), (g) => {
        const definition = definitionOf(g);
        const x = flatInputs(g);
        const [u, v] = [wave(x.length, 0.3), wave(x.length, 1.9)];
        const gradient = flat(B.gradient(definition));
        const size = Math.max(1, ...gradient.map(Math.abs)) * x.length;
        close(B.jvp(definition, point(g, v)).tangents[0], dot(gradient, v), 1e-11, size);
        const { jacobian: forward } = B.jacobian(definition, { mode: "forward" });
        const { jacobian: reverse } = B.jacobian(definition, { mode: "reverse" });
        flat(forward).forEach((d, i) => close(d, gradient[i], 1e-11, size));
        expect(flat(reverse)).toEqual(gradient);
        const hv = flat(B.hvp(definition, point(g, v)).hvp);
        const hu = flat(B.hvp(definition, point(g, u)).hvp);
        const scale = Math.max(size, ...hv.map(Math.abs), ...hu.map(Math.abs)) * x.length;
        close(dot(u, hv), dot(v, hu), 1e-10, scale);
        const moved = (h: number): number[] =>
          flat(B.gradient(definition as GraphDefinition, point(g, x.map((value, i) => value + h * v[i])))); // prettier-ignore
        const [plus, minus] = [moved(1e-4), moved(-1e-4)];
        hv.forEach((c, i) => close(c, (plus[i] - minus[i]) / 2e-4, 2e-5, scale));
      }),
      { numRuns: 40 },
    );
  });

  it("the Jacobian of an array output: u^T J is the VJP, J v the JVP", () => {
    fc.assert(
      fc.property(arrayGraph(4), fc.nat(2), (g, which) => {
        const ops = [
          (M: Tensor) => M.tanh(),
          (M: Tensor) => M.matmul(M.transpose()),
          (M: Tensor) => M.softmax(),
        ];
        const definition = B.graph(
          { M: g.matrix as number[][], r: Float64Array.from(g.row), s: g.scalar },
          ({ M, r, s }) => ops[which](M.mul(r).add(s)),
        );
        const x = flatInputs(g);
        const v = wave(x.length, 0.7);
        const { jacobian } = B.jacobian(definition, { mode: "forward" }) as {
          jacobian: Record<string, Nested>;
        };
        const { tangents } = B.jvp(definition, point(g, v));
        const ravel = (nested: unknown): Float64Array => fromNested(nested).data;
        const m = ravel(tangents[0]).length;
        const u = wave(m, 2.1);
        // rows of the Jacobian over all inputs
        const rows = Array.from({ length: m }, (_, row) =>
          Object.values(jacobian).flatMap((entry) => {
            const data = ravel(entry);
            const n = data.length / m;
            return Array.from(data.subarray(row * n, (row + 1) * n));
          }),
        );
        ravel(tangents[0]).forEach((t, row) => close(t, dot(rows[row], v), 1e-12, x.length));
        const columns = 2 * (m / 2);
        const seed =
          which === 1 ? [u.slice(0, 2), u.slice(2, 4)] : [u.slice(0, columns / 2), u.slice(columns / 2)];
        const pulled = flat(B.vjp(definition, seed));
        pulled.forEach((c, i) => close(c, dot(u, rows.map((row) => row[i])), 1e-12, m)); // prettier-ignore
        const { jacobian: reverse } = B.jacobian(definition, { mode: "reverse" });
        flat(reverse).forEach((c, i) => close(c, flat(jacobian)[i], 1e-12));
      }),
      { numRuns: 60 },
    );
  });
});

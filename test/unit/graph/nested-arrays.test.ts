import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import type { GraphDefinition, Tensor } from "../../../engine/index.js";
import { fromNested, type Nested } from "../../../engine/tape/ndarray.js";
import { arrayGraph, definitionOf, flatInputs, withInputs } from "../random-arrays.js";

const { add, graph, gradient, hvp, jvp, mul, sweep, valueAndGradient, vjp } = B;

const flat = (byName: unknown): number[] =>
  Object.values(byName as Record<string, Nested>).flatMap((entry) => Array.from(fromNested(entry).data));
const close = (a: number, b: number, tolerance: number, scale = 1): void =>
  expect(Math.abs(a - b), `${a} and ${b}`).toBeLessThanOrEqual(
    tolerance * Math.max(scale, Math.abs(a), Math.abs(b)),
  );
const wave = (n: number): number[] => Array.from({ length: n }, (_, i) => Math.cos(2.3 * i + 0.4));

const energy = (W: Tensor): number => W.matmul(W).tanh().mul(W).sum();
const point = [
  [0.3, -0.5],
  [0.7, 0.2],
];

describe("gradient of arrays inside a graph", () => {
  it("is a traced Tensor, and its derivative the Hessian's product", () => {
    const V = [
      [1, -2],
      [0.5, 3],
    ];
    const inner = graph({ W: point }, ({ W }) => energy(W));
    const outer = graph({ W: point }, ({ W }) => gradient(energy, W).mul(V).sum());
    const { value, gradient: d } = valueAndGradient(outer);
    const wanted = hvp(inner, { W: V });
    close(value as number, wanted.jvp, 1e-13);
    flat(d).forEach((c, i) => close(c, flat({ W: wanted.hvp.W })[i], 1e-12));
  });

  it("takes arrays by name beside numbers, lists and closed-over values", () => {
    const f = graph({ W: point, x: 2, p: [1, 3] }, ({ W, x, p }) => {
      const { value, gradient: g } = valueAndGradient(
        ({ M, y, q }: { M: Tensor; y: number; q: number[] }) => mul(M.mul(M).sum(), mul(y, mul(q[1], x))),
        { M: W, y: x, q: p },
      );
      expect(B.isTensor(g.M)).toBe(true);
      return add(value as number, add(g.M.sum(), add(g.y, g.q[1])));
    });
    // s = sum W^2, value = s x^2 p1, dM = 2 W x^2 p1, dy = s p1 x, dq1 = s x^2
    const s = point.flat().reduce((sum, w) => sum + w * w, 0);
    const total = point.flat().reduce((sum, w) => sum + w, 0);
    const { value, gradient: d } = valueAndGradient(f);
    close(value as number, s * 12 + 2 * total * 12 + s * 6 + s * 4, 1e-12);
    close(d.x, s * 12 + 2 * total * 12 + s * 3 + s * 4, 1e-12);
    close(d.p[1], s * 4 + 2 * total * 4 + s * 2, 1e-12);
    expect(d.p[0]).toBe(0);
    d.W.flat().forEach((c, i) => close(c, 2 * point.flat()[i] * (12 + 6 + 4) + 24, 1e-12));
  });

  it("does not confuse an inner array with the outer one it stands at", () => {
    const f = graph({ v: Float64Array.of(2, 5) }, ({ v }) =>
      gradient((z: Tensor) => z.mul(v).sum(), v).sum(),
    );
    // d/dz sum(z v) = v: its sum has derivative 1, not 2
    expect(valueAndGradient(f)).toEqual({ value: 7, gradient: { v: [1, 1] } });
  });

  it("of an array output adds its elements; of an unused array is zeros", () => {
    const f = graph({ v: Float64Array.of(2, 5), w: Float64Array.of(1, 1) }, ({ v, w }) => {
      const { value, gradient: g } = valueAndGradient(({ a }: { a: Tensor; b: Tensor }) => a.mul(a), {
        a: v,
        b: w,
      });
      expect(B.isTensor(value)).toBe(true);
      expect(g.b.toArray()).toEqual([0, 0]);
      return add((value as unknown as Tensor).sum(), add(g.a.sum(), g.b.sum()));
    });
    expect(valueAndGradient(f)).toEqual({ value: 29 + 14, gradient: { v: [6, 12], w: [0, 0] } });
  });

  it("of a definition takes arrays of its inputs' shapes, made of traced numbers too", () => {
    const inner = graph({ W: [[1, 2]], x: 3 }, ({ W, x }) => mul(W.mul(W).sum(), x));
    const f = graph({ a: 2, b: 5 }, ({ a, b }) => {
      const g = gradient(inner, { W: B.tensor([[a, b]]) });
      return add(g.W.sum(), g.x);
    });
    expect(valueAndGradient(f)).toEqual({ value: 6 * 7 + 29, gradient: { a: 6 + 4, b: 6 + 10 } });
    const stacked = graph({ a: 2 }, ({ a }) => {
      const g = gradient(({ W }: { W: number[][] | Tensor }) => (W as Tensor).mul(W as Tensor).sum(), {
        W: [[a, 1]],
      });
      return (g.W as unknown as Tensor).sum();
    });
    expect(valueAndGradient(stacked)).toEqual({ value: 6, gradient: { a: 2 } });
    const wrong = graph({ a: 2 }, ({ a }) => gradient(inner, { W: B.tensor([a, 1]) }).x);
    expect(() => gradient(wrong)).toThrow('the input "W" takes an array of shape [1, 2], not [2]');
    const number = graph({ a: 2 }, ({ a }) => gradient(inner, { W: a as never }).x);
    expect(() => gradient(number)).toThrow('the input "W" takes an array of shape [1, 2]');
  });

  it("unrolls gradient descent: the derivative through the steps is that of differences", () => {
    const rate = 0.1;
    const descend = graph({ W: point, x: [[1, -1]], rate }, ({ W, x, rate: r }) => {
      const loss = ({ M }: { M: Tensor }): number =>
        x
          .matmul(M)
          .tanh()
          .sub([[0.5, -0.2]])
          .square()
          .sum();
      let M = W;
      for (let step = 0; step < 3; step++) M = M.sub(gradient(loss, { M }).M.mul(r));
      return loss({ M });
    });
    const { value, gradient: d } = valueAndGradient(descend);
    const at = (set: object): number => valueAndGradient(descend, set as never).value as number;
    expect(value).toBeLessThan(at({ rate: 0 }));
    // two central quotients, extrapolated
    const slope = (moved: (t: number) => object): number => {
      const quotient = (h: number): number => (at(moved(h)) - at(moved(-h))) / (2 * h);
      return (4 * quotient(1e-4) - quotient(2e-4)) / 3;
    };
    close(
      d.rate,
      slope((t) => ({ rate: rate + t })),
      1e-9,
    );
    point.forEach((row, i) =>
      row.forEach((_, k) => {
        const moved = (t: number): object => ({
          W: point.map((r, a) => r.map((w, b) => (a === i && b === k ? w + t : w))),
        });
        close(d.W[i][k], slope(moved), 1e-9);
      }),
    );
  });

  it("mixes scalars, arrays and a custom primitive", () => {
    const cube = B.custom({
      name: "cube",
      forward: (x) => x ** 3,
      vjp: (g, _y, x) => [mul(g, mul(3, mul(x, x)))],
    });
    const f = graph({ v: Float64Array.of(1, 2), x: 2 }, ({ v, x }) => {
      const g = gradient(({ w, y }: { w: Tensor; y: number }) => mul(cube(w.sum()), B.exp(y)), {
        w: v,
        y: x,
      });
      return add(g.w.sum(), g.y);
    });
    // sum 2 * 3 s^2 e^x + s^3 e^x at s = 3
    const e = Math.exp(2);
    const { value, gradient: d } = valueAndGradient(f);
    close(value as number, (54 + 27) * e, 1e-13);
    close(d.x, 81 * e, 1e-13);
    d.v.forEach((c) => close(c, (12 * 3 + 27) * e, 1e-13));
  });

  it("is shown: the sweep's operations stand in their own group, named after what they differentiate", () => {
    const outer = graph({ W: point }, ({ W }) => gradient(energy, W).sum());
    const { trace, report } = sweep(outer);
    expect(report.finding).toBe(false);
    const { trace: once } = sweep(graph({ W: point }, ({ W }) => energy(W)));
    expect(trace.nodes.n).toBeGreaterThan(once.nodes.n + 5);
  });
});

describe("jvp and vjp of arrays inside a graph", () => {
  it("take traced tangents and cotangents, and give traced tensors", () => {
    const f = graph({ W: point, v: Float64Array.of(1, 2) }, ({ W, v }) => {
      const { values, tangents } = jvp<{ M: Tensor }, Tensor>(
        ({ M }: { M: Tensor }) => M.matmul(v).mul(2),
        { M: W },
        { M: W },
      );
      const { M } = vjp(({ M: N }: { M: Tensor }) => N.matmul(v), v as never, { M: W });
      return [values[0].sum(), tangents[0].sum(), M.sum()];
    });
    const { value, gradient: d } = valueAndGradient(f);
    const rows = point.map(([a, b]) => a + 2 * b);
    const list = value as number[];
    close(list[0], 2 * (rows[0] + rows[1]), 1e-13);
    close(list[1], 2 * (rows[0] + rows[1]), 1e-13);
    // v v^T: its sum is (v0 + v1)^2
    close(list[2], 9, 1e-13);
    flat({ v: d.v }).forEach((c, i) => close(c, 4 * (point[0][i] + point[1][i]) + 6, 1e-12));
  });

  it("are zeros where nothing depends on the direction", () => {
    const f = graph({ v: Float64Array.of(1, 2), x: 3 }, ({ v, x }) => {
      const { tangents } = jvp<{ z: number }, Tensor>(() => v.mul(2), { z: 1 }, { z: x });
      return tangents[0].sum();
    });
    expect(valueAndGradient(f)).toEqual({ value: 0, gradient: { v: [0, 0], x: 0 } });
  });

  it("refuse tangents and cotangents of another shape", () => {
    const f = (body: (v: Tensor) => number): (() => unknown) => {
      const g = graph({ v: Float64Array.of(1, 2) }, ({ v }) => body(v));
      return () => gradient(g);
    };
    const double = (z: Tensor): Tensor => z.mul(2);
    expect(f((v) => vjp(double, [1, 2, 3], v).sum())).toThrow(
      "vjp: the cotangent of the output is of shape [3], the output of [2]",
    );
    expect(f((v) => vjp(double, "u" as never, v).sum())).toThrow("not an array of shape [2]");
    expect(f((v) => jvp(double, B.tensor([[1, 2]]), v).tangents[0])).toThrow(
      "must have the shape [2], not [1, 2]",
    );
  });
});

describe("random graphs of scalars and arrays, differentiated inside a graph", () => {
  it("the gradient's product with a direction has the Hessian's product as its gradient", () => {
    fc.assert(
      fc.property(arrayGraph(8), (g) => {
        const definition = definitionOf(g);
        const x = flatInputs(g);
        const v = withInputs(g, wave(x.length)) as { M: number[][]; r: Float64Array; s: number };
        const wanted = hvp(definition, v as never);
        const outer = graph(
          { M: g.matrix as number[][], r: Float64Array.from(g.row), s: g.scalar },
          ({ M, r, s }) => {
            const d = gradient(definition as GraphDefinition, { M, r, s } as never) as unknown as {
              M: Tensor;
              r: Tensor;
              s: number;
            };
            return add(d.M.mul(v.M).sum(), add(d.r.mul(v.r).sum(), mul(d.s, v.s)));
          },
        );
        const { value, gradient: product } = valueAndGradient(outer);
        const size = Math.max(1, ...flat(wanted.gradient).map(Math.abs), ...flat(wanted.hvp).map(Math.abs));
        close(value as number, wanted.jvp, 1e-11, size * x.length);
        const hv = flat(wanted.hvp);
        flat(product).forEach((c, i) => close(c, hv[i], 1e-10, size * x.length));
        // forward inside, reverse outside
        const pushed = graph(
          { M: g.matrix as number[][], r: Float64Array.from(g.row), s: g.scalar },
          (at) => jvp(definition as GraphDefinition, v as never, at as never).tangents[0],
        );
        flat(gradient(pushed)).forEach((c, i) => close(c, hv[i], 1e-10, size * x.length));
      }),
      { numRuns: 40 },
    );
  });
});

/** d(sum f)/dv of what `f` gives, summed. */
const slope =
  (f: (v: Tensor) => number) =>
  (v: Tensor): number =>
    gradient(f, v).sum();

describe("higher derivatives of arrays", () => {
  it("go through arithmetic", () => {
    const cube = (v: Tensor): number => v.mul(v).mul(v).sum();
    const f = graph({ v: Float64Array.of(1, 2) }, ({ v }) => slope(slope(cube))(v));
    expect(valueAndGradient(f)).toEqual({ value: 18, gradient: { v: [6, 6] } });
  });

  it("go through element-wise functions and what is made of them, to any depth", () => {
    const f = graph({ v: Float64Array.of(0.4, -0.3) }, ({ v }) =>
      slope(slope(slope((z: Tensor) => z.mul(2).sin().sum())))(v),
    );
    // third derivative -8 cos 2v, fourth 16 sin 2v
    const { value, gradient: d } = valueAndGradient(f);
    close(value as number, -8 * (Math.cos(0.8) + Math.cos(0.6)), 1e-13);
    [0.4, -0.3].forEach((x, i) => close(d.v[i], 16 * Math.sin(2 * x), 1e-13));
    const once = graph({ v: Float64Array.of(1, 2) }, ({ v }) => slope((y: Tensor) => y.tanh().sum())(v));
    const t = Math.tanh(1);
    const product = hvp(once, { v: [1, 0] });
    close(product.gradient.v[0], -2 * t * (1 - t * t), 1e-13);
    close(product.hvp.v[0], -2 * (1 - t * t) * (1 - 3 * t * t), 1e-12);
    // a loss of the table is a formula over element-wise rows
    const loss = (v: Tensor): number => B.crossEntropy(v.reshape([1, 3]), [1]);
    const third = graph({ v: Float64Array.of(0.1, 0.5, -0.2) }, ({ v }) =>
      gradient(loss, v).mul([1, -2, 3]).sum(),
    );
    const at = [0.1, 0.5, -0.2];
    const along = { v: [0.3, 1, -0.7] };
    const moved = (h: number): number[] =>
      gradient(third, { v: Float64Array.from(at, (x, i) => x + h * along.v[i]) }).v;
    const [plus, minus] = [moved(1e-4), moved(-1e-4)];
    hvp(third, along).hvp.v.forEach((c, i) => close(c, (plus[i] - minus[i]) / 2e-4, 1e-7));
  });

  it("vanish behind pieces that are straight", () => {
    const f = graph({ v: Float64Array.of(1, -2) }, ({ v }) =>
      slope(slope((z: Tensor) => z.relu().mul(z).mul(z).sum()))(v),
    );
    expect(valueAndGradient(f)).toEqual({ value: 6, gradient: { v: [6, 0] } });
  });

  it("are refused with the operation's name where the table has none", () => {
    const f = graph({ v: Float64Array.of(1, 2) }, ({ v }) => slope(slope((y: Tensor) => y.elu(1).sum()))(v));
    const refused = expect.objectContaining({
      name: "BacksweepError",
      kind: "no-rule",
      message: "elu: third derivatives of arrays go through + - * / and functions without pieces only",
    });
    expect(() => gradient(f)).toThrow(refused);
    const once = graph({ v: Float64Array.of(1, 2) }, ({ v }) => slope((y: Tensor) => y.elu(1).sum())(v));
    expect(valueAndGradient(once).gradient.v).toEqual([0, 0]);
    expect(() => hvp(once, { v: [1, 0] })).toThrow(refused);
  });
});

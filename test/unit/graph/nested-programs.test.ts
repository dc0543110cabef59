import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { nodeName, nodeOp } from "../../../engine/trace/read.js";

const {
  add,
  div,
  exp,
  graph,
  gradient,
  hvp,
  jvp,
  mul,
  pow,
  sin,
  sqrt,
  sub,
  sweep,
  tanh,
  valueAndGradient,
  vjp,
} = B;

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
const near = (a: number, b: number, tolerance = 1e-12): void =>
  expect(close(a, b, tolerance), `${a} and ${b}`).toBe(true);

describe("programs", () => {
  it("gradient descent unrolled inside a graph", () => {
    // x <- x - eta d/dx (a x^2 / 2) = (1 - eta a) x: after n steps x0 (1 - eta a)^n
    const n = 10;
    const g = graph({ a: 3, eta: 0.1, x0: 5 }, ({ a, eta, x0 }) => {
      let x = x0;
      for (let i = 0; i < n; i++)
        x = sub(
          x,
          mul(
            eta,
            gradient((z: number) => mul(0.5, mul(a, mul(z, z))), x),
          ),
        );
      return x;
    });
    const { value, gradient: d } = valueAndGradient(g);
    const r = 1 - 0.3;
    near(value as number, 5 * r ** n);
    near(d.x0, r ** n);
    near(d.a, -5 * n * 0.1 * r ** (n - 1));
    near(d.eta, -5 * n * 3 * r ** (n - 1));
  });

  it("a Newton iteration's solution differentiates as the implicit function theorem says", () => {
    // x^3 - p = 0: dx/dp = 1 / (3 x^2)
    const g = graph({ p: 7 }, ({ p }) => {
      let x = 2 as number;
      for (let i = 0; i < 8; i++) {
        const { value, gradient: slope } = valueAndGradient((z: number) => sub(mul(z, mul(z, z)), p), x);
        x = sub(x, div(value as number, slope));
      }
      return x;
    });
    const { value, gradient: d } = valueAndGradient(g);
    near(value as number, Math.cbrt(7));
    near(d.p, 1 / (3 * Math.cbrt(7) ** 2));
  });

  it("Newton's method for a minimum: gradient of a gradient in every step", () => {
    const f = (x: number): number => add(pow(sub(x, 2), 4), exp(x));
    const slope = (x: number): number => gradient(f, x);
    const step = graph({ x: 0.5 }, ({ x }) => sub(x, div(slope(x), gradient(slope, x))));
    const d1 = 4 * (0.5 - 2) ** 3 + Math.exp(0.5);
    const d2 = 12 * (0.5 - 2) ** 2 + Math.exp(0.5);
    const d3 = 24 * (0.5 - 2) + Math.exp(0.5);
    const { value, gradient: d } = valueAndGradient(step);
    near(value as number, 0.5 - d1 / d2);
    near(d.x, (d1 * d3) / d2 ** 2);
  });

  it("min over max, as in the saddle problem", () => {
    const inner = (x: number): number => {
      let y = 1 as number;
      for (let i = 0; i < 5; i++)
        y = add(
          y,
          mul(
            0.2,
            gradient((z: number) => sub(mul(x, z), mul(z, z)), y),
          ),
        );
      return sub(mul(x, y), mul(y, y));
    };
    const h = 1e-5;
    const d = gradient(inner, 0.7);
    near(d, (inner(0.7 + h) - inner(0.7 - h)) / (2 * h), 1e-8);
  });
});

describe("what is shown", () => {
  it("names the inner input, groups the sweep, and lets a variable name the answer", () => {
    const g = graph({ x: 2 }, ({ x }) =>
      mul(
        gradient((z: number) => sin(mul(z, z)), x),
        1,
      ),
    );
    const { trace } = sweep(g);
    const regions = Array.from({ length: trace.scopes.n }, (_, i) => trace.strings[trace.scopes.name[i]]);
    expect(regions).toEqual(expect.arrayContaining(["gradient", "function", "reverse sweep"]));
    expect(nodeName(trace, 1)).toBe("at");
    expect(nodeOp(trace, 1)).toBe("mul");
    // forward: copy, z*z, sin; back: cos, two slots of z*z, their sum
    const ops = Array.from({ length: trace.nodes.n }, (_, v) => nodeOp(trace, v));
    expect(ops).toEqual(["input", "mul", "mul", "sin", "cos", "mul", "mul", "add", "mul"]);
  });

  it("keeps recording linear: many small gradients", () => {
    const g = graph({ x: 1 }, ({ x }) => {
      let s = x;
      for (let i = 0; i < 3000; i++)
        s = add(
          mul(0.5, s),
          mul(
            0.1,
            gradient((z: number) => tanh(z), s),
          ),
        );
      return s;
    });
    expect(sweep(g).trace.nodes.n).toBeLessThan(40_000);
  });

  it("draws from the outer stream in a function, from its own in a definition", () => {
    const noisy = graph({ z: 1 }, ({ z }) => mul(z, B.random()), { seed: 7 });
    const outside = gradient(noisy).z;
    const g = graph({ x: 1 }, ({ x }) => [gradient(noisy, { z: x }).z, B.random()], { seed: 3 });
    const without = graph({ x: 1 }, () => [B.random()], { seed: 3 });
    const { value } = valueAndGradient(g);
    expect((value as number[])[0]).toBe(outside);
    expect((value as number[])[1]).toBe((valueAndGradient(without).value as number[])[0]);
  });
});

describe("bad calls", () => {
  const inside = (query: (x: number) => unknown) => () =>
    sweep(graph({ x: 2 }, ({ x }) => query(x) as number));

  it("are told in one sentence", () => {
    expect(inside((x) => gradient(3 as never, x as never))).toThrow(
      "gradient: a function or a graph definition is wanted, not a number",
    );
    expect(inside(() => gradient((z: number) => z, "2" as never))).toThrow(
      "a function is differentiated at a point",
    );
    expect(inside(() => gradient((z: number) => z, { z: "2" } as never))).toThrow(
      `the point's "z" is the string "2"`,
    );
    expect(inside((x) => gradient(() => undefined as never, x))).toThrow("the graph returned undefined");
    expect(inside((x) => gradient((async (z: number) => z) as never, x))).toThrow(
      "the function returned a promise",
    );
    const inner = graph({ a: 1, w: [1] }, ({ a }) => a);
    expect(inside((x) => gradient(inner, { b: x } as never))).toThrow(
      'there is no input "b"; inputs are a, w',
    );
    expect(inside((x) => gradient(inner, { w: x } as never))).toThrow(
      'the input "w" takes an array of numbers',
    );
    expect(inside((x) => jvp((z: number) => z, [1] as never, x))).toThrow("jvp: the direction of");
    expect(inside((x) => vjp((z: number) => z, "u" as never, x))).toThrow("vjp: the cotangent of the output");
    expect(inside(() => hvp((z: number) => z, 1, 2))).toThrow("hvp() inside a graph would not be recorded");
    const narrow = graph({ a: 1 }, ({ a }) => a, { dtype: "f32" });
    expect(inside(() => gradient(narrow))).toThrow("a graph of dtype f32 inside a graph of dtype f64");
    const overwriting = graph({ a: 1 }, ({ a }) => a, { accumulate: "last-writer-wins" });
    expect(inside(() => gradient(overwriting))).toThrow('the inner graph asks for "last-writer-wins"');
  });

  it("does not lose the place where a square root has no slope", () => {
    const g = graph({ x: 0 }, ({ x }) => gradient((z: number) => sqrt(z), x));
    expect(sweep(g).report.finding).toBe(true);
  });
});

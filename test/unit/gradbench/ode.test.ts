import { beforeAll, describe, expect, it } from "vitest";
import * as plain from "../../../examples/gradbench/problems/ode.js";
import { graph, valueAndGradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

interface Input {
  readonly x: number[];
  readonly s: number;
}
interface Expected {
  readonly primal: number[];
  readonly gradient: number[];
}

/** Imaginary part of a step along component j, over the step: the derivative, with no difference taken (Squire and Trapp 1998). */
function complexStep(x: readonly number[], s: number, j: number): number {
  type Complex = readonly [number, number];
  const h = 1e-20;
  const add = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
  const scale = (k: number, [a, b]: Complex): Complex => [k * a, k * b];
  const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
  const z = x.map((xi, i): Complex => [xi, i === j ? h : 0]);
  const slope = (y: readonly Complex[]): Complex[] => z.map((zi, i) => (i === 0 ? zi : times(zi, y[i - 1])));
  const along = (y: readonly Complex[], size: number, k: readonly Complex[]): Complex[] =>
    y.map((yi, i) => add(yi, scale(size, k[i])));
  let y = x.map((): Complex => [0, 0]);
  const size = 2 / s;
  for (let step = 0; step < s; step++) {
    const k1 = slope(y);
    const k2 = slope(along(y, size / 2, k1));
    const k3 = slope(along(y, size / 2, k2));
    const k4 = slope(along(y, size, k3));
    for (const [weight, k] of [
      [1, k1],
      [2, k2],
      [2, k3],
      [1, k4],
    ] as const)
      y = along(y, (weight * size) / 6, k);
  }
  return y[x.length - 1][1] / h;
}

/** The same component of the exact solution: y_i(t) = x_0 x_1 ... x_i t^(i + 1) / (i + 1)!. */
function exactSlope(x: readonly number[], j: number): number {
  return x.reduce((product, xi, i) => (product * (i === j ? 1 : xi) * 2) / (i + 1), 1);
}

let traced: typeof plain;
beforeAll(async () => {
  traced = await tracedProblem("ode");
});

describe.each(referencesOf("ode"))("%s", (name) => {
  const file = reference<Input, Expected>(name);
  const { x, s } = file.input;
  const { primal, gradient } = file.expected;
  const last = x.map((_, i) => (i === x.length - 1 ? 1 : 0));
  const definition = graph({ x }, (inputs) => traced.rungeKutta(inputs.x, s), { cotangent: last });

  it("has the values of the reference in plain numbers", () => {
    expectReference(file, plain.rungeKutta(x, s), primal, "primal");
  });

  it("has the gradient of the reference: the last component's", () => {
    const ours = valueAndGradient(definition);
    expectReference(file, ours.value as number[], primal, "primal");
    expectReference(file, ours.gradient.x, gradient, "gradient");
  });

  it("has the derivative that a complex step finds", () => {
    const { gradient: ours } = valueAndGradient(definition);
    expectReference(
      file,
      ours.x,
      x.map((_, j) => complexStep(x, s, j)),
      "complex step",
    );
  });

  it("is not the derivative of the exact solution from five components on", () => {
    const { gradient: ours } = valueAndGradient(definition);
    const exact = x.map((_, j) => exactSlope(x, j));
    const off = Math.max(...ours.x.map((slope, j) => Math.abs(slope - exact[j]) / Math.abs(exact[j])));
    if (x.length <= 4) expect(off).toBeLessThan(1e-12);
    else expect(off).toBeGreaterThan(0.05);
  });
});

/** The rules of the array table, recorded: one operation at a time, against the Hessian's product by duals. */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import type { Tensor } from "../../../engine/index.js";
import { callArray } from "../../../engine/graph/array-calls.js";
import { primitives } from "../../../engine/ops/table.js";
import { fromNested, type Nested } from "../../../engine/tape/ndarray.js";
import { smoothPoints } from "../ops/samples.js";

const { add, graph, gradient, hvp, mul, valueAndGradient } = B;

const flat = (byName: unknown): number[] =>
  Object.values(byName as Record<string, Nested>).flatMap((entry) => Array.from(fromNested(entry).data));
const close = (a: number, b: number, tolerance: number): void =>
  expect(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b)), `${a} and ${b}`).toBe(true);
const wave = (n: number, phase: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.cos(2.3 * i + phase));

/** Well conditioned, and without ties. */
const square = [
  [2.1, 0.3, -0.4],
  [0.2, 1.7, 0.5],
  [-0.6, 0.1, 1.9],
];
const direction = [wave(3, 0.1), wave(3, 1.2), wave(3, 2.8)];
const symmetric = (W: Tensor): Tensor => W.add(W.transpose());

const operations: Readonly<Record<string, (W: Tensor) => Tensor | number>> = {
  matmul: (W) => W.matmul(W),
  einsum: (W) => B.einsum("ij,jk->ki", W, W),
  kron: (W) => W.kron(W),
  outer: (W) => W.at(0).outer(W.at(1)),
  sum: (W) => W.mul(W).sum({ axis: 0 }),
  mean: (W) => W.mul(W).mean(),
  prod: (W) => W.prod({ axis: 1 }),
  max: (W) => W.mul(W).max({ axis: 1 }),
  logsumexp: (W) => W.logsumexp({ axis: 0 }),
  softmax: (W) => W.softmax({ axis: 1 }),
  std: (W) => W.std({ axis: 0 }),
  norm: (W) => W.norm(),
  cumsum: (W) => W.mul(W).cumsum({ axis: 0 }),
  cumprod: (W) => W.cumprod({ axis: 1 }),
  transpose: (W) => W.transpose().mul(W),
  reshape: (W) => W.reshape([9]).mul(W.reshape([9])),
  slice: (W) => W.slice([[0, 2]]).mul(W.slice([[1, 3]])),
  mod: (W) => W.mul(5.3).mod(W.at(0)),
  flip: (W) => W.mul(W).flip(0),
  tile: (W) => W.mul(W.transpose()).tile([2, 1]),
  gather: (W) => W.mul(W).take([2, 0, 0], 0),
  concat: (W) => B.concat([W.mul(W), W]),
  stack: (W) => B.stack([mul(W.element(0, 1), W.element(1, 0)), W.sum()]),
  clip: (W) => W.mul(W).clip(0.2, 3),
  solve: (W) => B.solve(W, W.at(0)),
  inverse: (W) => W.inverse(),
  det: (W) => W.det(),
  logdet: (W) => W.matmul(W.transpose()).logdet(),
  trace: (W) => W.matmul(W).trace(),
  cholesky: (W) => W.matmul(W.transpose()).cholesky(),
  eigvalsh: (W) => symmetric(W).eigvalsh(),
  expm: (W) => W.mul(0.3).expm(),
  matrixPower: (W) => W.matrixPower(3),
  layerNorm: (W) => B.layerNorm(W),
  attention: (W) => B.attention(W, W, W),
  conv2d: (W) => B.conv2d(W.reshape([1, 1, 3, 3]), W.slice([[0, 2], [0, 2]]).reshape([1, 1, 2, 2])), // prettier-ignore
  maxPool2d: (W) => B.maxPool2d(W.mul(W).reshape([1, 1, 3, 3]), { kernel: 2 }),
  crossEntropy: (W) => B.crossEntropy(W, [0, 2, 1]),
  huberLoss: (W) => B.huberLoss(W, [[0, 0, 0]]),
};

describe("a rule recorded inside a graph", () => {
  it.each(Object.entries(operations))("%s", (_, operation) => {
    const f = (W: Tensor): number => {
      const y = operation(W);
      const number = B.isTensor(y) ? y.mul(y).add(y.sin()).sum() : add(mul(y, y), B.sin(y));
      return number;
    };
    const wanted = hvp(graph({ W: square }, ({ W }) => f(W)), { W: direction }); // prettier-ignore
    const recorded = graph({ W: square }, ({ W }) => gradient(f, W).mul(direction).sum());
    const { value, gradient: product } = valueAndGradient(recorded);
    close(value as number, wanted.jvp, 1e-11);
    expect(flat(wanted.hvp).some((c) => c !== 0)).toBe(true);
    flat(product).forEach((c, i) => close(c, flat(wanted.hvp)[i], 1e-9));
    // forward inside: the tangent of the gradient's own function
    const pushed = graph({ W: square }, ({ W }) => B.jvp(f, B.tensor(direction), W).tangents[0]);
    flat(gradient(pushed)).forEach((c, i) => close(c, flat(wanted.hvp)[i], 1e-9));
  });
});

describe("every scalar primitive, element by element", () => {
  it.each(primitives.map((row) => [row.name, row] as const))("%s", (name, row) => {
    const points = smoothPoints(row, 6);
    const inputs = Object.fromEntries(
      Array.from({ length: row.arity }, (_, slot) => [`x${slot}`, Float64Array.from(points, (p) => p[slot])]),
    );
    const f = (given: Record<string, Tensor>): number => {
      const y = callArray(name, Object.values(given));
      return y.mul(0.7).add(y.mul(y).mul(0.2)).sum();
    };
    const definition = graph(inputs, f as never);
    const plain = gradient(definition) as unknown as Record<string, number[]>;
    for (const key of Object.keys(inputs)) {
      const along = wave(points.length, 0.6);
      const inner = graph(inputs, ((given: Record<string, Tensor>) =>
        (gradient(f as never, given as never) as Record<string, Tensor>)[key].mul(along).sum()) as never);
      const { value, gradient: second } = valueAndGradient(inner);
      close(value as number, plain[key].reduce((s, g, i) => s + g * along[i], 0), 1e-11); // prettier-ignore
      const product = hvp(definition, { [key]: along } as never).hvp as unknown as Record<string, number[]>;
      for (const other of Object.keys(inputs)) {
        product[other].forEach((c, i) => {
          const d = (second as unknown as Record<string, number[]>)[other][i];
          // no second derivative in the table (NaN), or nothing that flows
          if (!Number.isNaN(c) && !Number.isNaN(d)) close(d, c, 1e-9);
        });
      }
    }
  });
});

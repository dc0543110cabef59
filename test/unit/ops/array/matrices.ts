/** Matrices for tests of linear algebra, and what they are compared by. */
import { expect } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import type { NDArray, Shape } from "../../../../engine/tape/ndarray.js";
import { randomArray } from "./checks.js";

/** A matrix that is far from singular. */
export const dominant = (shape: Shape, next: () => number): NDArray => {
  const x = randomArray(shape, next);
  const n = shape[shape.length - 1];
  for (let at = 0; at < x.data.length; at += n * n) for (let i = 0; i < n; i++) x.data[at + i * (n + 1)] += 3;
  return x;
};

/** A positive definite matrix (not quite symmetric: only the symmetric part counts). */
export const definite = (shape: Shape, next: () => number): NDArray => {
  const x = randomArray(shape, next);
  const n = shape[shape.length - 1];
  for (let at = 0; at < x.data.length; at += n * n)
    for (let i = 0; i < n; i++) x.data[at + i * (n + 1)] += n + 1;
  return x;
};

export const product = (...matrices: NDArray[]): NDArray => matrices.reduce((a, b) => numeric.matmul(a, b));
export const apart = (a: NDArray, b: NDArray): number => {
  expect(a.shape).toEqual(b.shape);
  return a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i])), 0);
};
export const unit = (n: number): NDArray => numeric.apply("diag", [randomArray([n], () => 1)], {});

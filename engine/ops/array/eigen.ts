/**
 * Eigenvalues and eigenvectors of the symmetric part of x. The derivatives are those of first-order perturbation theory
 * (Magnus and Neudecker 2019, section 8.9): of values the diagonal of VᵀdSV, of vectors V (F ∘ VᵀdSV) with
 * F = 1 / (λj - λi) off the diagonal. Equal eigenvalues have no derivatives of their vectors: F is infinite there.
 */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { eigenOf } from "./linalg/jacobi.js";
import { countOf, identity, squareOf, swapped, symmetric } from "./matrix-shapes.js";
import { numeric } from "./numeric.js";
import { defineArray, type ArrayPrimitive } from "./row.js";

/** About nine sweeps over all pairs of rows, each a rotation of rows, columns and vectors. */
const jacobiCost = (shape: Shape): number => countOf(shape) * 9 * 9 * shape[shape.length - 1] ** 3;

const asRow = <T>(k: Algebra<T>, x: T): T => {
  const shape = k.shape(x);
  return k.reshape(x, [...shape.slice(0, -1), 1, shape[shape.length - 1]]);
};

const asColumn = <T>(k: Algebra<T>, x: T): T => k.reshape(x, [...k.shape(x), 1]);

/** 1 / (λj - λi) off the diagonal, 0 on it. */
function gaps<T>(k: Algebra<T>, x: T): T {
  const values = k.unary("eigvalsh", x);
  const n = k.shape(values)[k.shape(values).length - 1];
  const one = identity(k, n);
  const others = k.sub(k.number(1), one);
  return k.div(others, k.add(k.sub(asRow(k, values), asColumn(k, values)), one));
}

/** Vᵀ m V. */
const inside = <T>(k: Algebra<T>, v: T, m: T): T => k.matmul(k.matmul(v, m, { transposeA: true }), v);

/** V m Vᵀ. */
const outside = <T>(k: Algebra<T>, v: T, m: T): T => k.matmul(k.matmul(v, m), v, { transposeB: true });

/** True if two eigenvalues of a matrix are equal up to their rounding error. */
function hasEqualValues(x: NDArray): boolean {
  const values = numeric.unary("eigvalsh", x).data;
  const n = x.shape[x.shape.length - 1];
  for (let i = 1; i < values.length; i++) {
    if (i % n === 0) continue;
    const size = Math.max(Math.abs(values[i - (i % n)]), Math.abs(values[i - (i % n) + n - 1]));
    if (values[i] - values[i - 1] <= n * Number.EPSILON * size) return true;
  }
  return false;
}

export const eigens: readonly ArrayPrimitive[] = [
  defineArray({
    name: "eigvalsh",
    operands: ["x"],
    shape([x]) {
      squareOf("eigvalsh", x);
      return x.slice(0, -1);
    },
    value([x], _params, shape, k) {
      const n = squareOf("eigvalsh", x.shape);
      const { data } = symmetric(k, x);
      const out = new Float64Array(sizeOf(shape));
      for (let i = 0; i < countOf(x.shape); i++) out.set(eigenOf(data, i * n * n, n).values, i * n);
      return out;
    },
    vjp(_slot, k, g, [x]) {
      const v = k.unary("eigvecsh", x);
      return k.matmul(k.mul(v, asRow(k, g)), v, { transposeB: true });
    },
    jvp(k, [t], [x]) {
      if (t === null) return null;
      return k.apply("diagonal", [inside(k, k.unary("eigvecsh", x), symmetric(k, t))], { k: 0 });
    },
    cost: ([x]) => jacobiCost(x),
    kink: ([x]) =>
      hasEqualValues(x) ? "equal eigenvalues: the derivative of the ones found, each in its place" : null,
    formula: "eigenvalues of (x + xᵀ) / 2, ascending",
    rule: "V diag(g) Vᵀ",
    doc: "Eigenvalues of the symmetric part of x, ascending.",
  }),
  defineArray({
    name: "eigvecsh",
    operands: ["x"],
    shape([x]) {
      squareOf("eigvecsh", x);
      return x;
    },
    value([x], _params, shape, k) {
      const n = squareOf("eigvecsh", shape);
      const { data } = symmetric(k, x);
      const out = new Float64Array(sizeOf(shape));
      for (let at = 0; at < out.length; at += n * n) out.set(eigenOf(data, at, n).vectors, at);
      return swapped(k, { shape, data: out }).data;
    },
    vjp: (_slot, k, g, [x], v) =>
      symmetric(k, outside(k, v, k.mul(gaps(k, x), k.matmul(v, g, { transposeA: true })))),
    jvp: (k, [t], [x], v) =>
      t === null ? null : k.matmul(v, k.mul(gaps(k, x), inside(k, v, symmetric(k, t)))),
    saves: () => [0, "output"],
    cost: ([x]) => jacobiCost(x),
    domain: "its derivative: no two eigenvalues equal",
    kink: ([x]) =>
      hasEqualValues(x) ? "equal eigenvalues have no single eigenvectors: no finite derivative" : null,
    formula: "V with (x + xᵀ) / 2 = V diag(λ) Vᵀ",
    rule: "the symmetric part of V (F ∘ Vᵀg) Vᵀ, F = 1 / (λj - λi) off the diagonal",
    doc: "Eigenvectors of the symmetric part of x as columns, in the order of eigvalsh; the largest element of each is positive.",
  }),
];

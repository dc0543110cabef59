/**
 * Cholesky factorization of (x + xᵀ) / 2: only a symmetric matrix has one, and taken so the gradient is symmetric. Rules
 * after Murray (2016), Differentiation of the Cholesky decomposition, arXiv:1602.07527, section 3.
 */
import type { Algebra } from "./algebra.js";
import { factorCholesky } from "./linalg/cholesky.js";
import { identityOf } from "./linalg/lu.js";
import { countOf, squareOf, swapped, symmetric } from "./matrix-shapes.js";
import { defineArray, DomainError, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

function isUpper(params: Params): boolean {
  const { upper = false } = params;
  if (typeof upper !== "boolean") throw new ShapeError("cholesky: upper must be true or false");
  return upper;
}

/** The lower triangle with its diagonal halved. */
function halved<T>(k: Algebra<T>, m: T): T {
  const n = k.shape(m)[k.shape(m).length - 1];
  const data = identityOf(n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) data[i * n + j] = i === j ? 0.5 : 1;
  return k.mul(m, k.constant({ shape: [n, n], data }));
}

/** L⁻¹ m, or L⁻ᵀ m. */
const solved = <T>(k: Algebra<T>, l: T, m: T, transpose: boolean): T =>
  k.apply("triangularSolve", [l, m], { upper: false, transpose, unitDiagonal: false });

/** The factor's lower form. */
const lowerOf = <T>(k: Algebra<T>, x: T, params: Params): T => (isUpper(params) ? swapped(k, x) : x);

export const choleskies: readonly ArrayPrimitive[] = [
  defineArray({
    name: "cholesky",
    operands: ["x"],
    shape([x], params) {
      squareOf("cholesky", x);
      isUpper(params);
      return x;
    },
    value([x], params, shape, k) {
      const n = squareOf("cholesky", shape);
      const out = symmetric(k, x).data.slice();
      for (let i = 0; i < countOf(shape); i++) {
        const failed = factorCholesky(out, i * n * n, n, k.round);
        if (failed < 0) continue;
        const which = shape.length === 2 ? "the matrix" : `matrix ${i} of ${countOf(shape)}`;
        throw new DomainError(
          `cholesky: ${which} is not positive definite: the leading minor of order ${failed + 1} is not positive`,
        );
      }
      return isUpper(params) ? swapped(k, { shape, data: out }).data : out;
    },
    vjp(_slot, k, g, _operands, output, params) {
      const l = lowerOf(k, output, params);
      const inside = halved(k, k.matmul(l, lowerOf(k, g, params), { transposeA: true }));
      // L⁻ᵀ inside L⁻¹
      const left = solved(k, l, inside, true);
      return symmetric(k, solved(k, l, swapped(k, left), true));
    },
    jvp(k, [t], _operands, output, params) {
      if (t === null) return null;
      const l = lowerOf(k, output, params);
      // L⁻¹ dS L⁻ᵀ
      const inside = solved(k, l, swapped(k, solved(k, l, symmetric(k, t), false)), false);
      return lowerOf(k, k.matmul(l, halved(k, inside)), params);
    },
    saves: () => ["output"],
    cost: ([x]) => countOf(x) * Math.round(squareOf("cholesky", x) ** 3 / 3),
    domain: "x positive definite",
    formula: "y with y yᵀ = (x + xᵀ) / 2, y lower triangular",
    rule: "the symmetric part of y⁻ᵀ halved(yᵀ g) y⁻¹",
    doc: "Cholesky factor of the symmetric part of x, lower or upper triangular.",
  }),
];

/** Singular values, and the norms of matrices that are made of them or of sums of their elements. */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite, pullBack } from "./composite.js";
import { DualAlgebra } from "./dual.js";
import { wantRank } from "./index-params.js";
import { singularOf } from "./linalg/jacobi.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** Number of singular values. */
const smaller = (x: Shape): number => Math.min(...x.slice(-2));

/** Singular values as roots of the eigenvalues of the smaller Gram matrix: what the rules differentiate. */
function bySquares<T>(k: Algebra<T>, [x]: readonly T[]): T {
  const [m, n] = k.shape(x).slice(-2);
  const gram = m >= n ? k.matmul(x, x, { transposeA: true }) : k.matmul(x, x, { transposeB: true });
  return k.unary("sqrt", k.apply("flip", [k.unary("eigvalsh", gram)], { axes: [-1] }));
}

/** Singular values of every matrix, descending. */
function singularValues({ shape, data }: NDArray): Float64Array {
  const [m, n] = shape.slice(-2);
  const count = smaller(shape);
  const out = new Float64Array(sizeOf(shape.slice(0, -2)) * count);
  for (let i = 0, at = 0; i < out.length; i += count, at += m * n)
    out.set(singularOf(data, at, m, n).values.sort().reverse(), i);
  return out;
}

/** True if two singular values of a matrix are equal up to their rounding error. */
function hasEqualValues(x: NDArray): boolean {
  const values = singularValues(x);
  const count = smaller(x.shape);
  for (let i = 1; i < values.length; i++) {
    if (i % count === 0) continue;
    const largest = values[i - (i % count)];
    if (values[i - 1] - values[i] <= 2 * count * Number.EPSILON * largest) return true;
  }
  return false;
}

const orders = ["fro", "nuc", 1, 2, Infinity] as const;
type Order = (typeof orders)[number];

function orderOf(params: Params): Order {
  const given = params.ord === "Infinity" ? Infinity : (params.ord ?? "fro");
  const order = orders.find((one) => one === given);
  if (order === undefined)
    throw new ShapeError(`matrixNorm: ord must be one of ${orders.join(", ")}, not ${String(given)}`);
  return order;
}

export const singulars: readonly ArrayPrimitive[] = [
  defineArray({
    name: "svdvals",
    operands: ["x"],
    shape([x]) {
      wantRank("svdvals", x, 2);
      return [...x.slice(0, -2), smaller(x)];
    },
    value: ([x]) => singularValues(x),
    vjp: (slot, k, g, operands, _output, params) => pullBack(k, bySquares, operands, params, slot, g),
    jvp: (k, [tangent], [primal]) => bySquares(new DualAlgebra(k), [{ primal, tangent }]).tangent,
    cost: ([x]) => sizeOf(x) * 50 * smaller(x),
    kink: ([x]) =>
      hasEqualValues(x) ? "equal singular values: the derivative of the ones found, each in its place" : null,
    domain: "its derivative: no singular value 0",
    formula: "roots of the eigenvalues of xᵀ x, descending",
    rule: "U diag(g) Vᵀ",
    doc: "Singular values of matrices, descending.",
  }),
  defineComposite({
    name: "matrixNorm",
    operands: ["x"],
    kinked: true,
    check([x], params) {
      wantRank("matrixNorm", x, 2);
      orderOf(params);
    },
    formulaOf(k, [x], params) {
      const order = orderOf(params);
      if (order === "fro") return k.apply("norm", [x], { ord: 2, axis: [-2, -1] });
      if (order === "nuc") return k.sum(k.unary("svdvals", x), -1);
      if (order === 2) return k.apply("reduceMax", [k.unary("svdvals", x)], { axis: -1 });
      const sums = k.sum(k.unary("abs", x), order === 1 ? -2 : -1);
      return k.apply("reduceMax", [sums], { axis: -1 });
    },
    formula: "|x| of order ord",
    rule: "that of the formula: x / |x| for fro, U Vᵀ for nuc, u vᵀ of the largest singular value for 2",
    doc: "Norm of matrices: fro (root of the sum of squares), nuc (sum of singular values), 2 (largest of them), 1 and Infinity (largest column and row sum).",
  }),
];

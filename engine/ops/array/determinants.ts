/**
 * Determinants: det, logdet and its sign. The gradient of det is the cofactor matrix, which singular matrices have too
 * (products of the others, as for a product with a factor of zero). Leading axes are batches.
 */
import type { Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { pullBack } from "./composite.js";
import { cofactorsAlongInto, cofactorsInto, smallDeterminant } from "./linalg/cofactors.js";
import { factorLU, identityOf, solveLU, type LU } from "./linalg/lu.js";
import { countOf, perMatrix, squareOf, swapped } from "./matrix-shapes.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";
import type { Rounder } from "../dtype.js";

const numberShape = (name: string, [a]: readonly Shape[]): Shape => {
  squareOf(name, a);
  return a.slice(0, -2);
};

const matrixShape = (name: string, [a]: readonly Shape[]): Shape => {
  squareOf(name, a);
  return a;
};

/** Unit operations of a factorization of every matrix, times a factor. */
const factorCost = (name: string, a: Shape, times: number): number =>
  countOf(a) * Math.round(times * (2 / 3) * squareOf(name, a) ** 3);

/** <c, t> of every matrix. */
const inner = <T>(k: Algebra<T>, c: T, t: T): T => k.sum(k.mul(c, t), [-2, -1]);

function determinant(data: Float64Array, at: number, n: number, round: Rounder | null): number {
  if (n <= 3 && round === null) return smallDeterminant(data, at, n);
  const { lu, parity } = factorLU(data, at, n, round);
  let product = parity;
  for (let i = 0; i < n; i++) product *= lu[i * (n + 1)];
  return product;
}

/** Sign of the determinant and logarithm of its absolute value. */
function signAndLog({ n, lu, parity }: LU): { sign: number; log: number } {
  let sign = parity;
  let log = 0;
  for (let i = 0; i < n; i++) {
    const pivot = lu[i * (n + 1)];
    sign *= Math.sign(pivot);
    log += Math.log(Math.abs(pivot));
  }
  // + 0: a singular matrix has the sign 0, not -0
  return { sign: sign + 0, log };
}

const forms = ["slogdet", "logdet"];

function isSigned(params: Params): boolean {
  const form = params.form ?? "slogdet";
  if (!forms.includes(form as string))
    throw new ShapeError(`logdet: the form must be one of ${forms.join(", ")}`);
  return form === "logdet";
}

/** What the cotangent of a logarithm is multiplied with: 0 where the form "logdet" has no value. */
function counted<T>(k: Algebra<T>, g: T, a: T, params: Params): T {
  if (!isSigned(params)) return g;
  return k.mul(g, k.apply("max", [k.unary("detSign", a), k.number(0)]));
}

/** The derivative of the cofactors of a regular matrix, in rows that can be differentiated any number of times. */
function alongOfRegular<T>(k: Algebra<T>, [a, t]: readonly T[]): T {
  const back = swapped(k, k.unary("inverse", a));
  const trace = perMatrix(k, inner(k, back, t));
  const twice = k.matmul(k.matmul(back, t, { transposeB: true }), back);
  return k.mul(perMatrix(k, k.unary("det", a)), k.sub(k.mul(trace, back), twice));
}

export const determinants: readonly ArrayPrimitive[] = [
  defineArray({
    name: "det",
    operands: ["a"],
    shape: (shapes) => numberShape("det", shapes),
    value([{ shape, data }], _params, _shape, k) {
      const n = squareOf("det", shape);
      return Float64Array.from({ length: countOf(shape) }, (_, i) =>
        determinant(data, i * n * n, n, k.round),
      );
    },
    vjp: (_slot, k, g, [a]) => k.mul(perMatrix(k, g), k.unary("cofactors", a)),
    jvp: (k, [t], [a]) => (t === null ? null : inner(k, k.unary("cofactors", a), t)),
    cost: ([a]) => factorCost("det", a, 1),
    formula: "det(a)",
    rule: "g times the cofactors of a",
    doc: "Determinant. Its gradient is right for singular matrices too.",
  }),
  defineArray({
    name: "cofactors",
    operands: ["a"],
    shape: (shapes) => matrixShape("cofactors", shapes),
    value([{ shape, data }]) {
      const n = squareOf("cofactors", shape);
      const out = new Float64Array(data.length);
      for (let at = 0; at < data.length; at += n * n) cofactorsInto(data, at, n, out);
      return out;
    },
    // the second derivative of det, which is symmetric
    vjp: (_slot, k, g, [a]) => k.apply("cofactorsAlong", [a, g]),
    jvp: (k, [t], [a]) => (t === null ? null : k.apply("cofactorsAlong", [a, t])),
    cost: ([a]) => factorCost("cofactors", a, 4),
    formula: "derivatives of det(a)",
    rule: "derivative of the cofactors along g",
    doc: "Matrix of cofactors: det(a) a⁻ᵀ, and its limit where a is singular.",
  }),
  defineArray({
    name: "cofactorsAlong",
    operands: ["a", "t"],
    shape: (shapes) => matrixShape("cofactorsAlong", shapes),
    value([{ shape, data }, t]) {
      const n = squareOf("cofactorsAlong", shape);
      const out = new Float64Array(data.length);
      for (let at = 0; at < data.length; at += n * n) cofactorsAlongInto(data, t.data, at, n, out);
      return out;
    },
    vjp: (slot, k, g, [a, t], _output, params) =>
      slot === 1 ? k.apply("cofactorsAlong", [a, g]) : pullBack(k, alongOfRegular, [a, t], params, 0, g),
    // symmetric in t and its own direction: <g, C'(a + h s)[t]> is C'' once more
    jvp: (k, [ta, tt], [a, t], _output, params) =>
      k.total([
        tt === null ? null : k.apply("cofactorsAlong", [a, tt]),
        ta === null ? null : pullBack(k, alongOfRegular, [a, t], params, 0, ta),
      ]),
    cost: ([a]) => factorCost("cofactorsAlong", a, 6),
    domain: "its own derivative: a not singular",
    formula: "derivative of cofactors(a) along t",
    rule: "t gets the derivative along g",
    doc: "Second derivative of the determinant, applied to one direction.",
  }),
  defineArray({
    name: "logdet",
    operands: ["a"],
    shape(shapes, params) {
      isSigned(params);
      return numberShape("logdet", shapes);
    },
    value([{ shape, data }], params, _shape, k) {
      const n = squareOf("logdet", shape);
      return Float64Array.from({ length: countOf(shape) }, (_, i) => {
        const { sign, log } = signAndLog(factorLU(data, i * n * n, n, k.round));
        return isSigned(params) && sign < 0 ? NaN : log;
      });
    },
    vjp: (_slot, k, g, [a], _output, params) =>
      k.mul(perMatrix(k, counted(k, g, a, params)), k.unary("inverseTransposed", a)),
    jvp: (k, [t], [a], _output, params) =>
      t === null ? null : counted(k, inner(k, k.unary("inverseTransposed", a), t), a, params),
    cost: ([a]) => factorCost("logdet", a, 1),
    domain: 'form "logdet": det(a) > 0',
    formula: "log |det(a)|",
    rule: "g a⁻ᵀ",
    doc: 'Logarithm of the absolute determinant, which does not overflow; the form "logdet" is NaN, with derivative 0, where the determinant is negative.',
  }),
  defineArray({
    name: "detSign",
    operands: ["a"],
    shape: (shapes) => numberShape("detSign", shapes),
    value([{ shape, data }], _params, _shape, k) {
      const n = squareOf("detSign", shape);
      return Float64Array.from(
        { length: countOf(shape) },
        (_, i) => signAndLog(factorLU(data, i * n * n, n, k.round)).sign,
      );
    },
    vjp: () => null,
    jvp: () => null,
    saves: () => [],
    cost: ([a]) => factorCost("detSign", a, 1),
    formula: "sign(det(a))",
    rule: "none",
    doc: "Sign of the determinant: -1, 0 or 1; no derivative flows through it.",
  }),
  defineArray({
    name: "inverseTransposed",
    operands: ["a"],
    shape: (shapes) => matrixShape("inverseTransposed", shapes),
    value([{ shape, data }], _params, _shape, k) {
      const n = squareOf("inverseTransposed", shape);
      const out = new Float64Array(data.length);
      const unit = identityOf(n);
      for (let at = 0; at < data.length; at += n * n) {
        const lu = factorLU(data, at, n, k.round);
        if (lu.lu.some((x, i) => i % (n + 1) === 0 && x === 0)) {
          // the limit from positive determinants, infinite as the derivative of log at 0
          cofactorsInto(data, at, n, out);
          for (let i = 0; i < n * n; i++) out[at + i] /= 0;
        } else solveLU(lu, true, unit, 0, n, out, at, k.round);
      }
      return out;
    },
    vjp: (_slot, k, g, _operands, y) => k.neg(k.matmul(k.matmul(y, g, { transposeB: true }), y)),
    jvp: (k, [t], _operands, y) =>
      t === null ? null : k.neg(k.matmul(k.matmul(y, t, { transposeB: true }), y)),
    saves: () => ["output"],
    cost: ([a]) => factorCost("inverseTransposed", a, 4),
    formula: "a⁻ᵀ",
    rule: "-y gᵀ y",
    doc: "Transposed inverse: the gradient of the logarithm of the determinant, infinite where a is singular.",
  }),
];

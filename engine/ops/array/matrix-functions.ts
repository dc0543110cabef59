/** Functions of matrices: pinv, matrixPower, expm. Leading axes are batches. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite } from "./composite.js";
import { integerOf, isInteger, wantRank } from "./index-params.js";
import { singularOf } from "./linalg/jacobi.js";
import { countOf, identity, squareOf, swapped } from "./matrix-shapes.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** Singular values that count as zero, relative to the largest; absent: those below their rounding error. */
function cutOf([m, n]: Shape, params: Params): number {
  const { rcond } = params;
  if (rcond === undefined || rcond === null) return Math.max(m, n) * Number.EPSILON;
  if (typeof rcond !== "number" || !(rcond >= 0))
    throw new ShapeError(`pinv: rcond must be a number of at least 0, not ${String(rcond)}`);
  return rcond;
}

/** V diag(1 / s) Uᵀ over the singular values above the cut, for one m x n matrix; n x m. */
function pseudoInverse(x: Float64Array, at: number, [m, n]: Shape, cut: number, out: Float64Array): void {
  const { values, scaled, turns, long, short } = singularOf(x, at, m, n);
  const least = cut * values.reduce((most, value) => Math.max(most, value), 0);
  values.forEach((value, r) => {
    if (value <= least) return;
    for (let i = 0; i < short; i++) {
      const factor = turns[r * short + i] / value / value;
      for (let j = 0; j < long; j++)
        out[at + (m >= n ? i * m + j : j * m + i)] += factor * scaled[r * long + j];
    }
  });
}

/**
 * Coefficients of the [13/13] Padé approximant by power, and the norm up to which it has double precision (Higham 2005);
 * divided by the first, so that the short number formats hold them.
 */
const pade = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
  670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
].map((coefficient) => coefficient / 64764752532480000);
const theta = 5.371920351148152;

/** Largest column sum of absolute values of the leading blocks on the diagonal, over all matrices. */
function columnNorm({ shape, data }: NDArray, block: number): number {
  const n = shape[shape.length - 1];
  let norm = 0;
  for (let at = 0; at < data.length; at += n * n) {
    for (let j = 0; j < n; j++) {
      const first = j - (j % block);
      let sum = 0;
      for (let i = first; i < first + block; i++) sum += Math.abs(data[at + i * n + j]);
      if (Number.isFinite(sum)) norm = Math.max(norm, sum);
    }
  }
  return norm;
}

/** Scaling and squaring (Higham 2005, The scaling and squaring method for the matrix exponential revisited, alg. 2.3). */
function exponential(x: NDArray, block: number, k: NumericAlgebra): NDArray {
  const norm = columnNorm(x, block);
  const squarings = norm > theta ? Math.ceil(Math.log2(norm / theta)) : 0;
  const a = k.scale(x, 2 ** -squarings);
  const a2 = k.matmul(a, a);
  const a4 = k.matmul(a2, a2);
  const a6 = k.matmul(a2, a4);
  const one = k.broadcastTo(identity(k, x.shape[x.shape.length - 1]), x.shape);
  const mixed = (c6: number, c4: number, c2: number): NDArray =>
    k.add(k.add(k.scale(a6, c6), k.scale(a4, c4)), k.scale(a2, c2));
  const series = (from: number): NDArray =>
    k.add(
      k.add(
        k.matmul(a6, mixed(pade[12 + from], pade[10 + from], pade[8 + from])),
        mixed(pade[6 + from], pade[4 + from], pade[2 + from]),
      ),
      k.scale(one, pade[from]),
    );
  const odd = k.matmul(a, series(1));
  const even = series(0);
  let result = k.apply("solve", [k.sub(even, odd), k.add(even, odd)]);
  for (let i = 0; i < squarings; i++) result = k.matmul(result, result);
  return result;
}

/** Size of the diagonal blocks of an operand that is block upper triangular; absent: it is one block. */
function blockOf(x: Shape, params: Params): number {
  const n = squareOf("expm", x);
  const block = integerOf("expm", "block", params.block, n);
  if (n > 0 && (block < 1 || n % block !== 0))
    throw new ShapeError(`expm: blocks of ${block} rows do not fill matrices of shape ${shapeText(x)}`);
  return Math.max(1, block);
}

/** Derivative of exp(x) along e: the upper right block of exp([[x, e], [0, x]]) (Higham 2008, eq. 3.16). */
function along<T>(k: Algebra<T>, x: T, e: T, params: Params): T {
  const shape = k.shape(x);
  const n = shape[shape.length - 1];
  const zero = k.filled(shape, 0);
  const side = (left: T, right: T): T => k.apply("concat", [left, right], { axis: -1 });
  const block = k.apply("concat", [side(x, e), side(zero, x)], { axis: -2 });
  const whole = k.apply("expm", [block], { block: blockOf(shape, params) });
  const batch = new Array<null>(shape.length - 2).fill(null);
  return k.apply("slice", [whole], { slices: [...batch, [0, n, 1], [n, 2 * n, 1]] });
}

export const matrixFunctions: readonly ArrayPrimitive[] = [
  defineArray({
    name: "pinv",
    operands: ["x"],
    shape([x], params) {
      wantRank("pinv", x, 2);
      const [m, n] = x.slice(-2);
      cutOf([m, n], params);
      return [...x.slice(0, -2), n, m];
    },
    value([x], params) {
      const [m, n] = x.shape.slice(-2);
      const out = new Float64Array(x.data.length);
      for (let at = 0; at < out.length; at += m * n)
        pseudoInverse(x.data, at, [m, n], cutOf([m, n], params), out);
      return out;
    },
    // Golub and Pereyra (1973), theorem 4.3, for matrices of one rank: x is m x n, y is n x m
    vjp(_slot, k, g, [x], y) {
      const [m, n] = k.shape(x).slice(-2);
      const outer = k.matmul(k.matmul(y, g, { transposeA: true }), y, { transposeB: true });
      const leftRest = k.sub(identity(k, m), k.matmul(x, y));
      const rightRest = k.sub(identity(k, n), k.matmul(y, x));
      const left = k.matmul(
        leftRest,
        k.matmul(g, k.matmul(y, y, { transposeB: true }), { transposeA: true }),
      );
      const right = k.matmul(
        k.matmul(k.matmul(y, y, { transposeA: true }), g, { transposeB: true }),
        rightRest,
      );
      return k.add(k.sub(left, outer), right);
    },
    jvp(k, [t], [x], y) {
      if (t === null) return null;
      const [m, n] = k.shape(x).slice(-2);
      const leftRest = k.sub(identity(k, m), k.matmul(x, y));
      const rightRest = k.sub(identity(k, n), k.matmul(y, x));
      const inner = k.matmul(k.matmul(y, t), y);
      const left = k.matmul(
        k.matmul(k.matmul(y, y, { transposeB: true }), t, { transposeB: true }),
        leftRest,
      );
      const right = k.matmul(
        rightRest,
        k.matmul(t, k.matmul(y, y, { transposeA: true }), { transposeA: true }),
      );
      return k.add(k.sub(left, inner), right);
    },
    saves: () => [0, "output"],
    cost: ([x]) => {
      const [m, n] = x.slice(-2);
      return countOf(x) * 60 * m * n * n;
    },
    domain: "its derivative: where the rank does not change",
    formula: "x⁺",
    rule: "-yᵀ g yᵀ + (1 - x y) gᵀ y yᵀ + yᵀ y gᵀ (1 - y x)",
    doc: "Moore-Penrose inverse by singular values; those below rcond times the largest count as zero.",
  }),
  defineComposite({
    name: "matrixPower",
    operands: ["x"],
    check([x], params) {
      squareOf("matrixPower", x);
      if (!isInteger(params.n))
        throw new ShapeError(`matrixPower: n must be an integer, not ${String(params.n)}`);
    },
    formulaOf(k, [x], params) {
      const n = params.n as number;
      const shape = k.shape(x);
      if (n === 0) return k.broadcastTo(identity(k, shape[shape.length - 1]), shape);
      let square = n < 0 ? k.unary("inverse", x) : x;
      let result = null;
      // the bits of the exponent, least first
      for (let left = Math.abs(n); ; left = Math.floor(left / 2)) {
        if (left % 2 === 1) result = result === null ? square : k.matmul(result, square);
        if (left <= 1) return result ?? square;
        square = k.matmul(square, square);
      }
    },
    domain: "n < 0: x not singular",
    formula: "xⁿ",
    rule: "sum over i of (xᵀ)ⁱ g (xᵀ)ⁿ⁻¹⁻ⁱ",
    doc: "Integer power of a matrix by repeated squaring; negative powers of the inverse.",
  }),
  defineArray({
    name: "expm",
    operands: ["x"],
    shape([x], params) {
      blockOf(x, params);
      return x;
    },
    value: ([x], params, shape, k) =>
      sizeOf(shape) === 0 ? new Float64Array(0) : exponential(x, blockOf(shape, params), k).data,
    vjp: (_slot, k, g, [x], _output, params) => along(k, swapped(k, x), g, params),
    jvp: (k, [t], [x], _output, params) => (t === null ? null : along(k, x, t, params)),
    saves: () => [0],
    // about ten products and a solve
    cost: ([x]) => countOf(x) * 23 * squareOf("expm", x) ** 3,
    formula: "exp(x) = 1 + x + x²/2 + ..",
    rule: "the upper right block of exp([[xᵀ, g], [0, xᵀ]])",
    doc: "Matrix exponential by scaling and squaring with a Padé approximant.",
  }),
];

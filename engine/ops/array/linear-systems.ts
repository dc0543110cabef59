/** Linear systems: solve, inverse, triangularSolve. Leading axes are batches; those of solve's operands broadcast. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { broadcastData, broadcastShapes } from "./broadcast.js";
import { factorLU, identityOf, solveLU, type LU } from "./linalg/lu.js";
import { solveTriangular, type TriangularForm } from "./linalg/triangular.js";
import { squareOf } from "./matrix-shapes.js";
import { defineArray, DomainError, ShapeError, type ArrayPrimitive, type Params } from "./row.js";
import type { Rounder } from "../dtype.js";

interface System {
  readonly batch: Shape;
  readonly n: number;
  readonly m: number;
  /** true: the right-hand side is one vector */
  readonly vector: boolean;
  readonly shape: Shape;
}

/** Shapes of a system: a right-hand side with one axis is a vector, any other holds columns. */
function systemOf(name: string, [a, b]: readonly Shape[]): System {
  const n = squareOf(name, a);
  const vector = b.length === 1;
  if (b.length === 0 || (vector ? b[0] : b[b.length - 2]) !== n)
    throw new ShapeError(
      `${name}: a right-hand side of shape ${shapeText(b)} does not fit a matrix of shape ${shapeText(a)}: it needs ${n} rows`,
    );
  const batch = broadcastShapes(name, [a.slice(0, -2), b.slice(0, -2)]);
  const m = vector ? 1 : b[b.length - 1];
  return { batch, n, m, vector, shape: [...batch, n, ...(vector ? [] : [m])] };
}

function singular(name: string, { n, noise }: LU, at: number, batch: Shape): DomainError {
  const which = batch.length === 0 ? "the matrix" : `matrix ${at} of the batch ${shapeText(batch)}`;
  return new DomainError(
    `${name}: ${which} is singular to working precision: no pivot is left in column ${noise} of ${n}`,
  );
}

/** Calls back with each matrix of the batch, factored. Throws DomainError for a singular one. */
function factorEach(
  name: string,
  a: NDArray,
  batch: Shape,
  n: number,
  round: Rounder | null,
  use: (lu: LU, at: number) => void,
): void {
  const own = sizeOf(a.shape.slice(0, -2));
  const matrices = own === 1 ? a.data : broadcastData(a, [...batch, n, n]);
  const count = sizeOf(batch);
  let lu: LU | null = null;
  for (let at = 0; at < count; at++) {
    // a matrix shared by the whole batch is factored once
    if (lu === null || own !== 1) {
      lu = factorLU(matrices, own === 1 ? 0 : at * n * n, n, round);
      if (lu.noise >= 0) throw singular(name, lu, at, batch);
    }
    use(lu, at);
  }
}

const isTransposed = (params: Params): boolean => params.transpose === true;

/** Contribution to the matrix of a system: -w xᵀ, or -x wᵀ where the transposed matrix was solved with. */
function matrixPart<T>(k: Algebra<T>, w: T, x: T, transpose: boolean): T {
  return k.neg(transpose ? k.matmul(x, w, { transposeB: true }) : k.matmul(w, x, { transposeB: true }));
}

/** Both reverse rules of a system, by solving with the transposed matrix; `mask` keeps what is read of the matrix. */
function pullSystem<T>(
  name: string,
  slot: number,
  k: Algebra<T>,
  g: T,
  [a, b]: readonly T[],
  output: T,
  params: Params,
  mask: (part: T) => T,
): T {
  const shapes = [k.shape(a), k.shape(b)];
  const { batch, n, m, vector } = systemOf(name, shapes);
  const columns = [...batch, n, m];
  const transpose = isTransposed(params);
  const w = k.apply(name, [a, k.reshape(g, columns)], { ...params, transpose: !transpose });
  if (slot === 0) return k.sumTo(mask(matrixPart(k, w, k.reshape(output, columns), transpose)), shapes[0]);
  return vector ? k.reshape(k.sumTo(w, [n, 1]), shapes[1]) : k.sumTo(w, shapes[1]);
}

/** Tangent of a system: A dx = db - dA x. */
function pushSystem<T>(
  name: string,
  k: Algebra<T>,
  [ta, tb]: readonly (T | null)[],
  [a, b]: readonly T[],
  output: T,
  params: Params,
  mask: (part: T) => T,
): T | null {
  const { batch, n, m, vector, shape } = systemOf(name, [k.shape(a), k.shape(b)]);
  const x = k.reshape(output, [...batch, n, m]);
  const moved = ta === null ? null : k.neg(k.matmul(mask(ta), x, { transposeA: isTransposed(params) }));
  const driven = tb === null ? null : vector ? k.reshape(tb, [n, 1]) : tb;
  const right = k.total([driven, moved]);
  if (right === null) return null;
  return k.reshape(k.broadcastTo(k.apply(name, [a, right], params), [...batch, n, m]), shape);
}

function formOf(params: Params): TriangularForm {
  const { upper = false, transpose = false, unitDiagonal = false } = params;
  for (const [name, given] of Object.entries({ upper, transpose, unitDiagonal }))
    if (typeof given !== "boolean") throw new ShapeError(`triangularSolve: ${name} must be true or false`);
  return { upper: upper === true, transpose: transpose === true, unitDiagonal: unitDiagonal === true };
}

/** The part of a matrix that a triangular solve reads. */
function triangleOf<T>(k: Algebra<T>, params: Params): (part: T) => T {
  const { upper, unitDiagonal } = formOf(params);
  const offset = unitDiagonal ? (upper ? 1 : -1) : 0;
  return (part) => k.apply(upper ? "triu" : "tril", [part], { k: offset });
}

const whole = <T>(part: T): T => part;

export const linearSystems: readonly ArrayPrimitive[] = [
  defineArray({
    name: "solve",
    operands: ["a", "b"],
    shape: (shapes) => systemOf("solve", shapes).shape,
    value([a, b], params, shape, k) {
      const { batch, n, m } = systemOf("solve", [a.shape, b.shape]);
      const out = new Float64Array(sizeOf(shape));
      const right = broadcastData(b, shape);
      factorEach("solve", a, batch, n, k.round, (lu, at) => {
        solveLU(lu, isTransposed(params), right, at * n * m, m, out, at * n * m, k.round);
      });
      return out;
    },
    vjp: (slot, k, g, operands, output, params) =>
      pullSystem("solve", slot, k, g, operands, output, params, whole),
    jvp: (k, tangents, operands, output, params) =>
      pushSystem("solve", k, tangents, operands, output, params, whole),
    saves: (slot) => (slot === 0 ? [0, "output"] : [0]),
    cost(shapes) {
      const { batch, n, m } = systemOf("solve", shapes);
      return sizeOf(batch) * Math.round((2 / 3) * n ** 3 + 2 * n * n * m);
    },
    domain: "a not singular",
    formula: "x with a x = b",
    rule: "w with aᵀ w = g; a gets -w yᵀ, b gets w",
    doc: "Solution of a linear system; b is one vector (one axis) or columns; LU with partial pivoting.",
  }),
  defineArray({
    name: "inverse",
    operands: ["a"],
    shape([a]) {
      squareOf("inverse", a);
      return a;
    },
    value([a], _params, shape, k) {
      const n = squareOf("inverse", shape);
      const out = new Float64Array(a.data.length);
      const identity = identityOf(n);
      factorEach("inverse", a, shape.slice(0, -2), n, k.round, (lu, at) => {
        solveLU(lu, false, identity, 0, n, out, at * n * n, k.round);
      });
      return out;
    },
    vjp: (_slot, k, g, _operands, y) =>
      k.neg(k.matmul(k.matmul(y, g, { transposeA: true }), y, { transposeB: true })),
    jvp: (k, [t], _operands, y) => (t === null ? null : k.neg(k.matmul(k.matmul(y, t), y))),
    saves: () => ["output"],
    cost([a]) {
      const n = squareOf("inverse", a);
      return sizeOf(a.slice(0, -2)) * Math.round((8 / 3) * n ** 3);
    },
    domain: "a not singular",
    formula: "a⁻¹",
    rule: "-yᵀ g yᵀ",
    doc: "Inverse of a matrix. To solve a system, solve is faster and more accurate.",
  }),
  defineArray({
    name: "triangularSolve",
    operands: ["a", "b"],
    shape(shapes, params) {
      formOf(params);
      return systemOf("triangularSolve", shapes).shape;
    },
    value([a, b], params, shape, k) {
      const { batch, n, m } = systemOf("triangularSolve", [a.shape, b.shape]);
      const form = formOf(params);
      const out = broadcastData(b, shape).slice();
      const matrices = broadcastData(a, [...batch, n, n]);
      const count = sizeOf(batch);
      for (let at = 0; at < count; at++) {
        const zero = solveTriangular(matrices, at * n * n, n, out, at * n * m, m, form, k.round);
        if (zero >= 0)
          throw new DomainError(`triangularSolve: the matrix is singular: element [${zero}, ${zero}] is 0`);
      }
      return out;
    },
    vjp: (slot, k, g, operands, output, params) =>
      pullSystem("triangularSolve", slot, k, g, operands, output, params, triangleOf(k, params)),
    jvp: (k, tangents, operands, output, params) =>
      pushSystem("triangularSolve", k, tangents, operands, output, params, triangleOf(k, params)),
    saves: (slot) => (slot === 0 ? [0, "output"] : [0]),
    cost(shapes) {
      const { batch, n, m } = systemOf("triangularSolve", shapes);
      return sizeOf(batch) * n * n * m;
    },
    domain: "no zero on the diagonal of a",
    formula: "x with op(triangle of a) x = b",
    rule: "w with op(triangle)ᵀ w = g; the triangle gets -w yᵀ, b gets w",
    doc: "Solution of a triangular system; the other triangle of a is not read and gets no cotangent.",
  }),
];

/** Diagonals and triangles of matrices: diag, diagonal, trace, triu, tril. `k` counts diagonals upwards from the main one. */
import { sizeOf, type Shape } from "../../tape/ndarray.js";
import { defineComposite } from "./composite.js";
import { integerOf, wantRank } from "./index-params.js";
import { defineMove, flatMoves, type Moves } from "./moves.js";
import type { ArrayPrimitive, Params } from "./row.js";

const offsetOf = (name: string, params: Params): number => integerOf(name, "k", params.k, 0);

/** Elements of diagonal k of an m x n matrix. */
const diagonalLength = (m: number, n: number, k: number): number =>
  Math.max(0, Math.min(m, n - k) - Math.max(0, -k));

/** Length of the side of a square matrix whose diagonal k has n elements. */
const sideOf = (n: number, k: number): number => n + Math.abs(k);

function diagonalShape(x: Shape, k: number): Shape {
  const [m, n] = x.slice(-2);
  return [...x.slice(0, -2), diagonalLength(m, n, k)];
}

/** Diagonal k of every matrix of the last two axes. */
function diagonalMoves(x: Shape, k: number): Moves {
  const [m, n] = x.slice(-2);
  const length = diagonalLength(m, n, k);
  const batch = sizeOf(x.slice(0, -2));
  const first = k >= 0 ? k : -k * n;
  const sources = new Int32Array(batch * length);
  for (let b = 0, at = 0; b < batch; b++)
    for (let i = 0; i < length; i++) sources[at++] = b * m * n + first + i * (n + 1);
  return flatMoves(sources);
}

/** A square matrix of zeros with a vector on diagonal k. */
function onDiagonal(length: number, k: number): Moves {
  const side = sideOf(length, k);
  const sources = new Int32Array(side * side).fill(-1);
  const first = k >= 0 ? k : -k * side;
  for (let i = 0; i < length; i++) sources[first + i * (side + 1)] = i;
  return flatMoves(sources);
}

/** The elements on one side of diagonal k, itself included; zeros elsewhere. */
function triangle(x: Shape, k: number, upper: boolean): Moves {
  const [m, n] = x.slice(-2);
  const sources = new Int32Array(sizeOf(x));
  let at = 0;
  for (let b = sizeOf(x.slice(0, -2)); b > 0; b--)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++, at++) sources[at] = (upper ? j - i >= k : j - i <= k) ? at : -1;
  return flatMoves(sources);
}

function defineTriangle(name: string, upper: boolean, doc: string): ArrayPrimitive {
  return defineMove({
    name,
    shape(x, params) {
      wantRank(name, x, 2);
      offsetOf(name, params);
      return x;
    },
    moves: (x, params) => triangle(x, offsetOf(name, params), upper),
    formula: `${name}(x, k)`,
    rule: `${name}(g, k)`,
    doc,
  });
}

export const diagonals: readonly ArrayPrimitive[] = [
  defineMove({
    name: "diag",
    shape(x, params) {
      wantRank("diag", x, 1, 2);
      const k = offsetOf("diag", params);
      if (x.length === 2) return diagonalShape(x, k);
      const side = sideOf(x[0], k);
      return [side, side];
    },
    moves(x, params) {
      const k = offsetOf("diag", params);
      return x.length === 2 ? diagonalMoves(x, k) : onDiagonal(x[0], k);
    },
    formula: "diag(x, k)",
    rule: "diag(g, k)",
    doc: "A matrix with the vector on its diagonal k; of a matrix, its diagonal k (numpy.diag).",
  }),
  defineMove({
    name: "diagonal",
    shape(x, params) {
      wantRank("diagonal", x, 2);
      return diagonalShape(x, offsetOf("diagonal", params));
    },
    moves: (x, params) => diagonalMoves(x, offsetOf("diagonal", params)),
    formula: "x[.., i, i + k]",
    rule: "g on the diagonal k among zeros",
    doc: "Diagonal k of every matrix of the last two axes.",
  }),
  defineComposite({
    name: "trace",
    operands: ["x"],
    check([x], params) {
      wantRank("trace", x, 2);
      offsetOf("trace", params);
    },
    formulaOf: (k, [x], params) => k.sum(k.apply("diagonal", [x], params), -1),
    formula: "sum over i of x[.., i, i + k]",
    rule: "g on the diagonal k among zeros",
    doc: "Sum of the diagonal k of every matrix of the last two axes.",
  }),
  defineTriangle("triu", true, "The upper triangle of the last two axes from diagonal k on, zeros below it."),
  defineTriangle("tril", false, "The lower triangle of the last two axes up to diagonal k, zeros above it."),
];

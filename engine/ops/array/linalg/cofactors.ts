/**
 * Cofactor matrices and their derivative, right for singular matrices too: with complete pivoting P A Q = L D U, where L
 * and U have determinant 1, and adj(A) = det(P Q) Q U⁻¹ adj(D) L⁻¹ P, in which adj(D) holds products of the other
 * pivots. No pivot is divided by but those that others were eliminated with.
 */
import { addScaled, swapRows } from "./rows.js";
import { solveTriangular } from "./triangular.js";

interface LDU {
  readonly n: number;
  /** unit lower triangle below the diagonal, unit upper triangle above it */
  readonly lu: Float64Array;
  readonly d: Float64Array;
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  readonly parity: number;
}

function factorLDU(a: Float64Array, at: number, n: number): LDU {
  const lu = a.slice(at, at + n * n);
  const d = new Float64Array(n);
  const rows = Int32Array.from({ length: n }, (_, i) => i);
  const columns = rows.slice();
  let parity = 1;
  for (let k = 0; k < n; k++) {
    let row = k;
    let column = k;
    for (let i = k; i < n; i++)
      for (let j = k; j < n; j++)
        if (Math.abs(lu[i * n + j]) > Math.abs(lu[row * n + column])) [row, column] = [i, j];
    const pivot = lu[row * n + column];
    // what is left is zero: the triangles end in an identity
    if (pivot === 0) break;
    if (row !== k) {
      swapRows(lu, k * n, row * n, n);
      [rows[k], rows[row]] = [rows[row], rows[k]];
      parity = -parity;
    }
    if (column !== k) {
      for (let i = 0; i < n; i++) swapRows(lu, i * n + k, i * n + column, 1);
      [columns[k], columns[column]] = [columns[column], columns[k]];
      parity = -parity;
    }
    d[k] = pivot;
    for (let i = k + 1; i < n; i++) {
      const factor = lu[i * n + k] / pivot;
      lu[i * n + k] = factor;
      addScaled(lu, i * n + k + 1, lu, k * n + k + 1, n - k - 1, -factor, null);
    }
    for (let j = k + 1; j < n; j++) lu[k * n + j] /= pivot;
  }
  return { n, lu, d, rows, columns, parity };
}

/** parity · Pᵀ L⁻ᵀ M U⁻ᵀ Qᵀ for an n x n matrix M, which is overwritten. */
function carriedBack(
  { n, lu, rows, columns, parity }: LDU,
  m: Float64Array,
  out: Float64Array,
  at: number,
): void {
  solveTriangular(lu, 0, n, m, 0, n, { upper: false, transpose: true, unitDiagonal: true }, null);
  // M U⁻ᵀ is the transpose of U⁻¹ Mᵀ
  const t = transposed(m, n);
  solveTriangular(lu, 0, n, t, 0, n, { upper: true, transpose: false, unitDiagonal: true }, null);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) out[at + rows[i] * n + columns[j]] = parity * t[j * n + i];
}

function transposed(x: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[j * n + i] = x[i * n + j];
  return out;
}

/** Product of all but two elements (the same twice: all but one). */
function productWithout(d: Float64Array, i: number, j: number): number {
  let product = 1;
  for (let k = 0; k < d.length; k++) if (k !== i && k !== j) product *= d[k];
  return product;
}

/** Cross product of rows of a and b, added to a row of `out`: the cofactors of a 3 x 3 matrix. */
function addCross(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  out: Float64Array,
  to: number,
): void {
  out[to] += a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[to + 1] += a[i + 2] * b[j] - a[i] * b[j + 2];
  out[to + 2] += a[i] * b[j + 1] - a[i + 1] * b[j];
}

/** Cofactors of the n x n matrix at `at`, which are the derivatives of its determinant. */
export function cofactorsInto(a: Float64Array, at: number, n: number, out: Float64Array): void {
  if (n === 1) out[at] = 1;
  else if (n === 2) {
    out[at] = a[at + 3];
    out[at + 1] = -a[at + 2];
    out[at + 2] = -a[at + 1];
    out[at + 3] = a[at];
  } else if (n === 3) {
    addCross(a, at + 3, a, at + 6, out, at);
    addCross(a, at + 6, a, at, out, at + 3);
    addCross(a, at, a, at + 3, out, at + 6);
  } else {
    const ldu = factorLDU(a, at, n);
    const m = new Float64Array(n * n);
    for (let i = 0; i < n; i++) m[i * (n + 1)] = productWithout(ldu.d, i, i);
    carriedBack(ldu, m, out, at);
  }
}

/** Derivative of the cofactors of A in the direction T, both at `at`. */
export function cofactorsAlongInto(
  a: Float64Array,
  t: Float64Array,
  at: number,
  n: number,
  out: Float64Array,
): void {
  if (n === 1) return;
  if (n === 2) cofactorsInto(t, at, 2, out);
  else if (n === 3) {
    for (let i = 0; i < 3; i++) {
      const next = at + ((i + 1) % 3) * 3;
      const after = at + ((i + 2) % 3) * 3;
      addCross(t, next, a, after, out, at + 3 * i);
      addCross(a, next, t, after, out, at + 3 * i);
    }
  } else {
    const ldu = factorLDU(a, at, n);
    const m = carriedIn(ldu, t, at);
    carriedBack(ldu, diagonalAdjugateAlong(ldu.d, m, n), out, at);
  }
}

/** L⁻¹ P T Q U⁻¹. */
function carriedIn({ n, lu, rows, columns }: LDU, t: Float64Array, at: number): Float64Array {
  const m = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) m[i * n + j] = t[at + rows[i] * n + columns[j]];
  solveTriangular(lu, 0, n, m, 0, n, { upper: false, transpose: false, unitDiagonal: true }, null);
  const x = transposed(m, n);
  solveTriangular(lu, 0, n, x, 0, n, { upper: true, transpose: true, unitDiagonal: true }, null);
  return transposed(x, n);
}

/** Transposed derivative of the adjugate of a diagonal matrix in the direction M. */
function diagonalAdjugateAlong(d: Float64Array, m: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const others = productWithout(d, i, j);
      out[i * n + j] = -m[j * n + i] * others;
      out[i * (n + 1)] += m[j * (n + 1)] * others;
    }
  }
  return out;
}

/** Determinant of a matrix of at most 3 rows, by its cofactors: exact where the products are. */
export function smallDeterminant(a: Float64Array, at: number, n: number): number {
  if (n === 0) return 1;
  if (n === 1) return a[at];
  if (n === 2) return a[at] * a[at + 3] - a[at + 1] * a[at + 2];
  const row = new Float64Array(3);
  addCross(a, at + 3, a, at + 6, row, 0);
  return a[at] * row[0] + a[at + 1] * row[1] + a[at + 2] * row[2];
}

/**
 * Eigenvalues of symmetric matrices and singular values by Jacobi rotations (Golub and Van Loan 2013, sections 8.5 and
 * 8.6.4): slower than tridiagonal methods for large matrices, but simple, and accurate to the last digits.
 */
import { identityOf } from "./lu.js";

/** Rotates rows p and q of `n` elements. */
function rotateRows(x: Float64Array, p: number, q: number, n: number, c: number, s: number): void {
  for (let i = 0; i < n; i++) {
    const a = x[p + i];
    const b = x[q + i];
    x[p + i] = c * a - s * b;
    x[q + i] = s * a + c * b;
  }
}

/** Cosine and sine of the rotation that makes a symmetric 2 x 2 matrix diagonal; the smaller of the two angles. */
function rotation(app: number, aqq: number, apq: number): [number, number] {
  const tau = (aqq - app) / (2 * apq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const c = 1 / Math.hypot(1, t);
  return [c, t * c];
}

/** Sweeps of a matrix; convergence is quadratic, ten are plenty. */
const sweeps = 60;

export interface Eigen {
  /** ascending */
  readonly values: Float64Array;
  /** an eigenvector a row, its element of largest size positive */
  readonly vectors: Float64Array;
}

/** Eigenvalues and eigenvectors of the symmetric n x n matrix at `at`. NaN where an element is not finite. */
export function eigenOf(matrix: Float64Array, at: number, n: number): Eigen {
  const a = matrix.slice(at, at + n * n);
  const v = identityOf(n);
  if (!a.every(Number.isFinite)) return { values: new Float64Array(n).fill(NaN), vectors: v.fill(NaN) };
  for (let sweep = 0, rotated = true; rotated && sweep < sweeps; sweep++) {
    rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const off = a[p * n + q];
        // too small to change either diagonal element
        if (Math.abs(off) <= 1e-18 * Math.sqrt(Math.abs(a[p * n + p])) * Math.sqrt(Math.abs(a[q * n + q])))
          continue;
        if (off === 0) continue;
        rotated = true;
        const [c, s] = rotation(a[p * n + p], a[q * n + q], off);
        rotateRows(a, p * n, q * n, n, c, s);
        rotateColumns(a, p, q, n, c, s);
        a[p * n + q] = a[q * n + p] = 0;
        rotateRows(v, p * n, q * n, n, c, s);
      }
    }
  }
  return sorted(
    Float64Array.from({ length: n }, (_, i) => a[i * (n + 1)]),
    v,
    n,
  );
}

function rotateColumns(x: Float64Array, p: number, q: number, n: number, c: number, s: number): void {
  for (let row = 0; row < n * n; row += n) {
    const a = x[row + p];
    const b = x[row + q];
    x[row + p] = c * a - s * b;
    x[row + q] = s * a + c * b;
  }
}

function sorted(values: Float64Array, rows: Float64Array, n: number): Eigen {
  const order = Array.from(values, (_, i) => i).sort((i, j) => values[i] - values[j]);
  const vectors = new Float64Array(n * n);
  order.forEach((from, to) => {
    const row = rows.subarray(from * n, (from + 1) * n);
    const largest = row.reduce((best, x) => (Math.abs(x) > Math.abs(best) * (1 + 1e-12) ? x : best), 0);
    const sign = largest < 0 ? -1 : 1;
    for (let i = 0; i < n; i++) vectors[to * n + i] = sign * row[i];
  });
  return { values: Float64Array.from(order, (i) => values[i]), vectors };
}

export interface Singular {
  /** in no order */
  readonly values: Float64Array;
  /** number of rows or columns, whichever are more */
  readonly long: number;
  /** number of singular values: of rows or columns, whichever are fewer */
  readonly short: number;
  /** singular vectors of the longer side, one a row, times their singular values */
  readonly scaled: Float64Array;
  /** singular vectors of the shorter side, one a row */
  readonly turns: Float64Array;
}

/** Columns of the m x n matrix at `at`, one after the other; the rows where they are fewer. */
function linesOf(x: Float64Array, at: number, m: number, n: number): Float64Array {
  const lines = x.slice(at, at + m * n);
  if (m < n) return lines;
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) lines[j * m + i] = x[at + i * n + j];
  return lines;
}

/**
 * Singular value decomposition of the m x n matrix at `at`: one-sided Jacobi, which turns the columns (the rows where
 * they are fewer) until they are orthogonal.
 */
export function singularOf(x: Float64Array, at: number, m: number, n: number): Singular {
  const u = linesOf(x, at, m, n);
  const long = Math.max(m, n);
  const short = Math.min(m, n);
  const v = identityOf(short);
  const product = (p: number, q: number): number => {
    let sum = 0;
    for (let i = 0; i < long; i++) sum += u[p * long + i] * u[q * long + i];
    return sum;
  };
  for (let sweep = 0, rotated = true; rotated && sweep < sweeps; sweep++) {
    rotated = false;
    for (let p = 0; p < short; p++) {
      for (let q = p + 1; q < short; q++) {
        const off = product(p, q);
        const [pp, qq] = [product(p, p), product(q, q)];
        if (!(Math.abs(off) > 1e-16 * Math.sqrt(pp) * Math.sqrt(qq))) continue;
        rotated = true;
        const [c, s] = rotation(pp, qq, off);
        rotateRows(u, p * long, q * long, long, c, s);
        rotateRows(v, p * short, q * short, short, c, s);
      }
    }
  }
  const values = Float64Array.from({ length: short }, (_, i) => Math.sqrt(product(i, i)));
  return { values, long, short, scaled: u, turns: v };
}

/** LU factorization with partial pivoting (Golub and Van Loan 2013, section 3.4), and solving with it. */
import type { Rounder } from "../../dtype.js";
import { addScaled, epsilonOf, swapRows } from "./rows.js";
import { solveTriangular } from "./triangular.js";

export interface LU {
  readonly n: number;
  /** U on and above the diagonal, L without its unit diagonal below it */
  readonly lu: Float64Array;
  /** row of A that stands in each row */
  readonly rows: Int32Array;
  /** determinant of the permutation: 1 or -1 */
  readonly parity: number;
  /** the first column whose pivot is nothing but rounding error, -1 if there is none */
  readonly noise: number;
}

/** Factors the n x n matrix at `at`. */
export function factorLU(a: Float64Array, at: number, n: number, round: Rounder | null): LU {
  const lu = a.slice(at, at + n * n);
  const rows = Int32Array.from({ length: n }, (_, i) => i);
  let parity = 1;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(lu[i * n + k]) > Math.abs(lu[best * n + k])) best = i;
    if (best !== k) {
      swapRows(lu, k * n, best * n, n);
      [rows[k], rows[best]] = [rows[best], rows[k]];
      parity = -parity;
    }
    const pivot = lu[k * n + k];
    if (pivot === 0) continue;
    for (let i = k + 1; i < n; i++) {
      const quotient = lu[i * n + k] / pivot;
      const factor = round === null ? quotient : round(quotient);
      lu[i * n + k] = factor;
      addScaled(lu, i * n + k + 1, lu, k * n + k + 1, n - k - 1, -factor, round);
    }
  }
  return { n, lu, rows, parity, noise: noisyPivot(a, at, n, lu, rows, epsilonOf(round)) };
}

/**
 * A pivot is the difference of an element and a sum of products. Where it is no larger than the rounding error of the
 * largest of these, no digit of it is known, and the matrix cannot be told from a singular one. Scaling rows or columns
 * does not change the verdict.
 */
function noisyPivot(
  a: Float64Array,
  at: number,
  n: number,
  lu: Float64Array,
  rows: Int32Array,
  epsilon: number,
): number {
  for (let k = 0; k < n; k++) {
    let magnitude = Math.abs(a[at + rows[k] * n + k]);
    for (let i = 0; i < k; i++) magnitude = Math.max(magnitude, Math.abs(lu[k * n + i] * lu[i * n + k]));
    if (Math.abs(lu[k * n + k]) <= epsilon * magnitude) return k;
  }
  return -1;
}

/** Solution of A X = B or Aᵀ X = B for n x m right-hand sides at `bAt`, written to `out` at `to`. */
export function solveLU(
  { n, lu, rows }: LU,
  transpose: boolean,
  b: Float64Array,
  bAt: number,
  m: number,
  out: Float64Array,
  to: number,
  round: Rounder | null,
): void {
  const lower = { upper: false, transpose, unitDiagonal: true };
  const upper = { upper: true, transpose, unitDiagonal: false };
  if (!transpose) {
    // P A = L U
    for (let i = 0; i < n; i++) {
      const from = bAt + rows[i] * m;
      out.set(b.subarray(from, from + m), to + i * m);
    }
    solveTriangular(lu, 0, n, out, to, m, lower, round);
    solveTriangular(lu, 0, n, out, to, m, upper, round);
    return;
  }
  // Aᵀ = Uᵀ Lᵀ P
  const x = b.slice(bAt, bAt + n * m);
  solveTriangular(lu, 0, n, x, 0, m, upper, round);
  solveTriangular(lu, 0, n, x, 0, m, lower, round);
  for (let i = 0; i < n; i++) out.set(x.subarray(i * m, (i + 1) * m), to + rows[i] * m);
}

/** The n x n identity. */
export function identityOf(n: number): Float64Array {
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) data[i * (n + 1)] = 1;
  return data;
}

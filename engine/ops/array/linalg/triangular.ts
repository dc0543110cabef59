/** Triangular systems with many right-hand sides, solved in place row by row. */
import type { Rounder } from "../../dtype.js";
import { addScaled, divideRow } from "./rows.js";

export interface TriangularForm {
  readonly upper: boolean;
  /** solve with the transposed matrix */
  readonly transpose: boolean;
  /** the diagonal counts as ones and is not read */
  readonly unitDiagonal: boolean;
}

/**
 * Overwrites the n x m matrix `x` by the solution of op(A) X = x, reading only the named triangle of the n x n matrix A.
 *
 * @returns the index of a zero on the diagonal, -1 if there is none
 */
export function solveTriangular(
  a: Float64Array,
  aAt: number,
  n: number,
  x: Float64Array,
  xAt: number,
  m: number,
  { upper, transpose, unitDiagonal }: TriangularForm,
  round: Rounder | null,
): number {
  const backwards = upper !== transpose;
  for (let step = 0; step < n; step++) {
    const i = backwards ? n - 1 - step : step;
    const row = xAt + i * m;
    for (let before = 0; before < step; before++) {
      const j = backwards ? n - 1 - before : before;
      const factor = transpose ? a[aAt + j * n + i] : a[aAt + i * n + j];
      addScaled(x, row, x, xAt + j * m, m, -factor, round);
    }
    if (unitDiagonal) continue;
    const pivot = a[aAt + i * n + i];
    if (pivot === 0) return i;
    divideRow(x, row, m, pivot, round);
  }
  return -1;
}

/** Cholesky factorization in place (Golub and Van Loan 2013, section 4.2). */
import type { Rounder } from "../../dtype.js";
import { addScaled, divideRow, epsilonOf } from "./rows.js";

/**
 * Overwrites the symmetric n x n matrix at `at` by its lower factor, with zeros above the diagonal.
 *
 * @returns the index of the first pivot that is not positive beyond its rounding error, -1 if there is none
 */
export function factorCholesky(a: Float64Array, at: number, n: number, round: Rounder | null): number {
  const epsilon = epsilonOf(round);
  const diagonal = Float64Array.from({ length: n }, (_, i) => a[at + i * (n + 1)]);
  // the upper triangle is turned into Lᵀ, whose rows lie together
  for (let k = 0; k < n; k++) {
    const row = at + k * (n + 1);
    const pivot = a[row];
    if (pivot <= epsilon * diagonal[k]) return k;
    const root = round === null ? Math.sqrt(pivot) : round(Math.sqrt(pivot));
    divideRow(a, row, n - k, root, round);
    a[row] = root;
    for (let i = k + 1; i < n; i++) {
      const length = n - i;
      addScaled(a, at + i * (n + 1), a, at + k * n + i, length, -a[at + k * n + i], round);
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      a[at + j * n + i] = a[at + i * n + j];
      a[at + i * n + j] = 0;
    }
  }
  return -1;
}

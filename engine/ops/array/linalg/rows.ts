/** Operations on rows of row-major matrices, which the factorizations are made of; each rounds as its format does. */
import type { Rounder } from "../../dtype.js";

/** y += factor * x over `n` elements. */
export function addScaled(
  y: Float64Array,
  yAt: number,
  x: Float64Array,
  xAt: number,
  n: number,
  factor: number,
  round: Rounder | null,
): void {
  if (factor === 0) return;
  if (round === null) for (let i = 0; i < n; i++) y[yAt + i] += factor * x[xAt + i];
  else for (let i = 0; i < n; i++) y[yAt + i] = round(y[yAt + i] + round(factor * x[xAt + i]));
}

/** x / divisor over `n` elements. */
export function divideRow(
  x: Float64Array,
  at: number,
  n: number,
  divisor: number,
  round: Rounder | null,
): void {
  if (round === null) for (let i = 0; i < n; i++) x[at + i] /= divisor;
  else for (let i = 0; i < n; i++) x[at + i] = round(x[at + i] / divisor);
}

/** Swaps two rows of `n` elements. */
export function swapRows(x: Float64Array, a: number, b: number, n: number): void {
  if (a === b) return;
  for (let i = 0; i < n; i++) {
    const held = x[a + i];
    x[a + i] = x[b + i];
    x[b + i] = held;
  }
}

/** Distance from 1 to the next number of a format. */
export function epsilonOf(round: Rounder | null): number {
  if (round === null) return Number.EPSILON;
  let epsilon = 1;
  while (round(1 + epsilon / 2) > 1 && epsilon > Number.EPSILON) epsilon /= 2;
  return epsilon;
}

/**
 * Where a binomial schedule divides a segment.
 *
 * A segment of `length` steps with s slots, the one of its start included, is divided after m steps: the right part is reversed
 * first, with s - 1 slots, then the left part with all s. With r the repetition number of the segment, every m with
 *
 *     beta(s, r - 2) <= m <= beta(s, r - 1)   and   beta(s - 1, r - 1) <= length - m <= beta(s - 1, r)
 *
 * gives the least number of advances (Griewank and Walther 2000). Among these the three cases below store least often: the left
 * part is as short as it can be while the segment is short for its r, as long as it can be when the segment is long, and in between
 * the right part is kept at beta(s - 1, r - 1) + beta(s - 2, r - 1).
 */
import { exactBeta, exactRepetitions } from "./binomial.js";

/** What a segment carries with it: its repetition number and beta(s, r), so that a division costs a few operations. */
export interface Repetition {
  r: number;
  /** beta(s, r) */
  reach: number;
}

/** Lowers r to the smallest number that still reaches `length`, by beta(s, r - 1) = beta(s, r) r / (s + r). */
export function lower(repetition: Repetition, length: number, s: number): void {
  while (repetition.r > 0) {
    const below = (repetition.reach * repetition.r) / (s + repetition.r);
    if (below < length) return;
    repetition.r--;
    repetition.reach = below;
  }
}

/** m for a segment of 2 <= length <= EXACT_LENGTH steps, its repetition number being the smallest one. */
export function divide(length: number, s: number, { r, reach }: Repetition): number {
  if (s === 1) return length - 1;
  if (r <= 1) return 1;
  // beta(s, r - 1), beta(s, r - 2), beta(s, r - 3); the others by Pascal's rule
  const one = (reach * r) / (s + r);
  const two = (one * (r - 1)) / (s + r - 1);
  const three = (two * (r - 2)) / (s + r - 2);
  const right = one - two; // beta(s - 1, r - 1)
  const next = right - (two - three); // beta(s - 2, r - 1)
  if (length <= one + next) return two;
  const farRight = reach - one - right - next; // beta(s - 3, r)
  if (length >= reach - farRight) return one;
  return length - right - next;
}

/** The same for a segment of any length, in exact integers. */
export function divideExactly(length: bigint, s: bigint): bigint {
  if (s === 1n) return length - 1n;
  const r = exactRepetitions(length, s);
  if (r <= 1n) return 1n;
  const one = exactBeta(s, r - 1n);
  const right = exactBeta(s - 1n, r - 1n);
  const next = exactBeta(s - 2n, r - 1n);
  if (length <= one + next) return exactBeta(s, r - 2n);
  if (length >= exactBeta(s, r) - exactBeta(s - 3n, r)) return one;
  return length - right - next;
}

/**
 * The numbers behind binomial checkpointing.
 *
 * beta(s, r) = C(s + r, s) is the longest chain that s slots can reverse with every step advanced at most r times (Griewank 1992,
 * Griewank and Walther 2000, Algorithm 799). With r the smallest number such that beta(s, r) >= n, the least number of advances of
 * a schedule that keeps states only, its first sweep included, is
 *
 *     t(n, s) = r n - beta(s + 1, r - 1),
 *
 * where the start of the chain takes one of the s slots.
 */

/** Up to this length the products of the recurrences below are exact in doubles (length * (s + r) < 2^53 with s, r < length). */
export const EXACT_LENGTH = 9e7;

/** beta(s, r) in doubles, or any number above `limit` once it is passed; 0 for a negative s or r. */
export function beta(s: number, r: number, limit = Infinity): number {
  if (s < 0 || r < 0) return 0;
  const k = Math.min(s, r);
  const n = Math.max(s, r);
  let value = 1;
  // C(n + i, i) at every turn: an integer, growing with i
  for (let i = 1; i <= k; i++) {
    value = (value * (n + i)) / i;
    if (value > limit) return value;
  }
  return value;
}

/** beta(s, r) exactly, or any number above `limit` once it is passed; 0 for a negative s or r. */
export function exactBeta(s: bigint, r: bigint, limit: bigint | null = null): bigint {
  if (s < 0n || r < 0n) return 0n;
  const k = s < r ? s : r;
  const n = s < r ? r : s;
  let value = 1n;
  for (let i = 1n; i <= k; i++) {
    value = (value * (n + i)) / i;
    if (limit !== null && value > limit) return value;
  }
  return value;
}

/** The smallest r with beta(s, r) >= length, for length up to EXACT_LENGTH and s >= 1. */
export function repetitions(length: number, s: number): number {
  if (length <= 1) return 0;
  if (length <= s + 1) return 1;
  if (s === 1) return length - 1;
  let high = 2;
  while (beta(s, high, length) < length) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (beta(s, middle, length) >= length) high = middle;
    else low = middle;
  }
  return high;
}

/** The smallest r with beta(s, r) >= length, any length, s >= 1. */
export function exactRepetitions(length: bigint, s: bigint): bigint {
  if (length <= 1n) return 0n;
  if (length <= s + 1n) return 1n;
  if (s === 1n) return length - 1n;
  let high = 2n;
  while (exactBeta(s, high, length) < length) high *= 2n;
  let low = high / 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (exactBeta(s, middle, length) >= length) high = middle;
    else low = middle;
  }
  return high;
}

/** t(n, s): the least number of advances, first sweep included. Exact while it is below 2^53 and length is below EXACT_LENGTH. */
export function leastAdvances(length: number, s: number): number {
  if (length <= 1) return 0;
  const slots = Math.min(s, length - 1);
  if (slots === 1) return (length * (length - 1)) / 2;
  const r = repetitions(length, slots);
  return r * length - beta(slots + 1, r - 1);
}

/** t(n, s) for any length. */
export function exactLeastAdvances(length: bigint, s: bigint): bigint {
  if (length <= 1n) return 0n;
  const slots = s < length - 1n ? s : length - 1n;
  const r = exactRepetitions(length, slots);
  return r * length - exactBeta(slots + 1n, r - 1n);
}

/**
 * The least number of stores among the schedules with t(n, s) advances, the start of the chain included. Of the schedule for
 * exactly beta(s, r) steps it is beta(s - 1, r), since its tree of segments obeys Pascal's rule; in between, stores stay as they
 * are until the end of the range is near, and then grow by one a step.
 */
export function exactLeastStores(length: bigint, s: bigint): bigint {
  if (length <= 1n) return 0n;
  const slots = s < length - 1n ? s : length - 1n;
  const r = exactRepetitions(length, slots);
  const before = exactBeta(slots - 1n, r - 1n);
  const growing = exactBeta(slots - 1n, r) + length - exactBeta(slots, r);
  return growing > before ? growing : before;
}

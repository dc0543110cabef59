/**
 * A convex sequence v(1), v(2), ... v(length) of whole numbers, kept as its first value and the runs of equal differences, which never
 * fall. The counts of the pebble game are such sequences with few runs, so a table over the length of the chain is not needed.
 */
export class Ladder {
  private readonly steps: number[] = [];
  /** number of differences up to and including each run */
  private readonly ends: number[] = [];
  /** value after each run */
  private readonly tops: number[] = [];

  constructor(
    /** v(1) */
    readonly first: number,
    /** 0 for a sequence with no element at all */
    private readonly start: 0 | 1 = 1,
  ) {}

  /** Largest n with a finite value. */
  get length(): number {
    return this.start === 0 ? 0 : 1 + this.differences;
  }

  /** Number of differences known so far. */
  get differences(): number {
    return this.ends.length === 0 ? 0 : this.ends[this.ends.length - 1];
  }

  get runs(): number {
    return this.steps.length;
  }

  /** Appends `count` differences `step`, not below the last one. */
  append(step: number, count: number): void {
    const last = this.steps.length - 1;
    const ends = this.differences + count;
    const top = (last < 0 ? this.first : this.tops[last]) + step * count;
    if (last >= 0 && this.steps[last] === step) {
      this.ends[last] = ends;
      this.tops[last] = top;
    } else {
      this.steps.push(step);
      this.ends.push(ends);
      this.tops.push(top);
    }
  }

  /** First run that reaches the j-th difference. */
  private runOf(j: number): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] < j) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** v(n); Infinity outside 1..length. */
  value(n: number): number {
    if (n < 1 || n > this.length) return Infinity;
    if (n === 1) return this.first;
    const run = this.runOf(n - 1);
    return this.tops[run] - this.steps[run] * (this.ends[run] - (n - 1));
  }

  /** v(j + 1) - v(j) for j from 1; Infinity beyond. */
  difference(j: number): number {
    return j > this.differences ? Infinity : this.steps[this.runOf(j)];
  }

  /** How many differences from the j-th on are equal to it, as far as known; Infinity beyond the end. */
  alike(j: number): number {
    return j > this.differences ? Infinity : this.ends[this.runOf(j)] - j + 1;
  }

  /** Number of differences <= step. */
  atMost(step: number): number {
    let low = 0;
    let high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.steps[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.ends[low - 1];
  }
}

/**
 * Fills `out`, whose v(1) is given, with v(n) = min over 1 <= m < n of lower(m) + upper(n - m), lower(m) being the sum of the ladders
 * in `lower`; `out` itself may be among them, since v(n) needs m < n only. The minimum of sums of two convex sequences has both
 * sequences' differences in rising order, so one merge gives every n up to `limit` and, by `splitOf`, the m that attains it.
 */
export function merge(out: Ladder, lower: readonly Ladder[], upper: Ladder, limit: number): void {
  if (out.length === 0 || upper.length === 0 || limit < 2) return;
  let second = upper.first - out.first;
  for (const part of lower) {
    if (part.length === 0) return;
    second += part.first;
  }
  out.append(second, 1);
  let low = 1;
  let up = 1;
  while (out.length < limit) {
    let step = 0;
    let count = Infinity;
    for (const part of lower) {
      step += part.difference(low);
      count = Math.min(count, part.alike(low));
    }
    const other = upper.difference(up);
    if (other <= step) {
      if (other === Infinity) return;
      step = other;
      count = upper.alike(up);
    }
    const taken = Math.min(count, limit - out.length);
    out.append(step, taken);
    if (other <= step) up += taken;
    else low += taken;
  }
}

/** The m that attains the minimum of `merge` at n >= 2; among equals the smallest. */
export function splitOf(out: Ladder, upper: Ladder, n: number): number {
  if (n === 2) return 1;
  // of the n - 2 differences merged behind the first, those of `lower` below the last one come before all that equal it
  const last = out.difference(n - 1);
  const below = Math.max(0, out.atMost(last - 1) - 1);
  const lowerBelow = below - upper.atMost(last - 1);
  return n - 1 - Math.min(upper.atMost(last), n - 2 - lowerBelow);
}

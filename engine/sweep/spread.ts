/**
 * The spread of a sum over the orders of its terms: what an accumulation mode makes of them, in one number format,
 * against the exact sum rounded once.
 */
import { rounder, unitInLastPlace } from "../ops/dtype.js";
import type { Dtype } from "../trace/trace.js";
import { total, type SumMode } from "./accumulate.js";

/** Results of one mode over some orders. */
export interface Spread {
  readonly orders: number;
  /** different results, -0 and 0 being one, NaN being one */
  readonly distinct: number;
  readonly min: number;
  readonly max: number;
  /** largest distance from the exact sum rounded once, in units in its last place; NaN where a result is NaN */
  readonly worstUlps: number;
  /** orders that give the exact sum rounded once */
  readonly exact: number;
}

/** Collects results order by order. */
export class SpreadCounter {
  private orders = 0;
  private readonly results = new Map<number, number>();
  private readonly permuted: number[];
  private readonly round: ((x: number) => number) | null;

  /**
   * @param terms contributions, already numbers of the format
   * @param reference the exact sum rounded to the format
   */
  constructor(
    private readonly mode: SumMode,
    private readonly dtype: Dtype,
    private readonly terms: readonly number[],
    private readonly reference: number,
  ) {
    this.round = dtype === "f64" ? null : rounder(dtype);
    this.permuted = terms.slice();
  }

  /** Adds the terms in an order of indices; returns the sum. */
  add(permutation: ArrayLike<number>): number {
    const { terms, permuted } = this;
    for (let i = 0; i < permuted.length; i++) permuted[i] = terms[permutation[i]];
    const sum = total(this.mode, permuted, this.round);
    this.orders++;
    this.results.set(sum, (this.results.get(sum) ?? 0) + 1);
    return sum;
  }

  result(): Spread {
    let min = Infinity;
    let max = -Infinity;
    let worstUlps = 0;
    let exact = 0;
    let nan = false;
    for (const [sum, count] of this.results) {
      if (sum === this.reference || (sum !== sum && this.reference !== this.reference)) exact += count;
      if (sum !== sum) nan = true;
      min = Math.min(min, sum);
      max = Math.max(max, sum);
      worstUlps = Math.max(worstUlps, ulpsApart(sum, this.reference, this.dtype));
    }
    const empty = this.orders === 0;
    return {
      orders: this.orders,
      distinct: this.results.size,
      min: empty || nan ? NaN : min,
      max: empty || nan ? NaN : max,
      worstUlps,
      exact,
    };
  }
}

/** Distance in units in the last place of `reference`, in its format (Muller et al., Handbook of Floating-Point Arithmetic). */
export function ulpsApart(x: number, reference: number, dtype: Dtype): number {
  if (x === reference || (x !== x && reference !== reference)) return 0;
  if (x !== x || reference !== reference) return NaN;
  const distance = Math.abs(x - reference);
  return distance === Infinity ? Infinity : distance / unitInLastPlace(dtype, reference);
}

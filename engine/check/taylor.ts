/**
 * The Taylor remainder test: |f(x + h v) - f(x) - h f'(x) v| must fall with the square of h, without the derivative (or
 * with a wrong one) it falls with h itself (Farrell, Ham, Funke and Rognes 2013, section 6).
 */
import type { Crossing, Evaluation } from "./evaluate.js";
import { UNDERFLOW, type Along } from "./quotients.js";

export interface TaylorRow {
  readonly step: number;
  /** |f(x + h v) - f(x)| */
  readonly first: number;
  /** |f(x + h v) - f(x) - h f'(x) v| */
  readonly remainder: number;
  /** log2 of the remainder over that of half the step; null where rounding rules */
  readonly order: number | null;
}

export interface TaylorTest {
  /** order of convergence: the median of the last three that rounding does not rule; null: no remainder but rounding, or too few */
  readonly order: number | null;
  /** ok: about 2 or more, or linear. failed: about 1. unclear: between, or too few steps are left */
  readonly verdict: "ok" | "failed" | "unclear";
  /** true: no remainder but rounding: the function is linear along v near x */
  readonly linear: boolean;
  readonly rows: readonly TaylorRow[];
  /** the branch that even the smallest step crosses; null: none */
  readonly edge: Crossing | null;
}

const EPSILON = 2 ** -52;
const LARGEST = 2 ** -2;
const SMALLEST = 2 ** -26;
/** Times its rounding error that a remainder must be to count. */
const CLEAR = 16;
/** Orders from here on are that of a right derivative, and below are that of a wrong one. */
const RIGHT = 1.8;
const WRONG = 1.2;

/** Order with which f(x + h v) - f(x) itself has to fall. */
const FALLS = 0.7;

interface Remainder {
  readonly step: number;
  readonly first: number;
  readonly remainder: number;
  /** what roundings of the function and of the slope may make of it */
  readonly noise: number;
  /** the function's part of that */
  readonly rounding: number;
}

/**
 * @param slope f'(x) v
 * @param slopeError what the slope may be off by, being computed with roundings
 * @param cut a traced number was turned into a plain one somewhere: small steps may be lost in what it was turned into, so that
 *   a remainder which vanishes there says nothing
 */
export function taylorTest(
  along: Along,
  base: Evaluation,
  slope: number,
  slopeError: number,
  cut = false,
): TaylorTest {
  const found: Remainder[] = [];
  let edge: Crossing | null = null;
  for (let h = LARGEST; h >= SMALLEST; h /= 2) {
    const { value, size, crossing, t } = along(h);
    edge = crossing;
    if (crossing !== null || !Number.isFinite(value)) continue;
    const first = value - base.value;
    const rounding = 4 * EPSILON * Math.max(size, base.size) + UNDERFLOW;
    const noise = rounding + t * slopeError;
    found.push({ step: h, first: Math.abs(first), remainder: Math.abs(first - t * slope), noise, rounding });
    if (found.slice(-4).every((at) => at.remainder <= at.noise) && found.length >= 4) break;
  }
  const rows = found.map(({ step, first, remainder }, i): TaylorRow => {
    const next = found[i + 1];
    const halved = next !== undefined && next.step === step / 2 && isClear(next);
    return { step, first, remainder, order: halved ? Math.log2(remainder / next.remainder) : null };
  });
  return { ...verdictOf(found, rows, cut), rows, edge: found.length === 0 ? edge : null };
}

function isClear({ remainder, noise }: Remainder): boolean {
  return remainder > CLEAR * noise;
}

function verdictOf(
  found: readonly Remainder[],
  rows: readonly TaylorRow[],
  cut: boolean,
): Omit<TaylorTest, "rows" | "edge"> {
  const lastClear = found.findLastIndex(isClear);
  // a remainder that vanishes from one step to the next was that of another piece of a piecewise linear function
  const next = found[lastClear + 1];
  const breaks =
    !cut &&
    lastClear >= 0 &&
    next !== undefined &&
    found[lastClear].remainder > CLEAR ** 2 * next.noise &&
    !isClear(next) &&
    next.remainder < found[lastClear].remainder / 16;
  if (found.length >= 4 && (lastClear < 0 || breaks)) {
    const linear = breaks || found.every(({ remainder, rounding }) => remainder <= CLEAR * rounding);
    return { order: null, verdict: "ok", linear };
  }
  const orders = rows.flatMap(({ order }) => (order === null ? [] : [order])).slice(-3);
  if (orders.length < 3) return { order: null, verdict: "unclear", linear: false };
  const order = median(orders);
  // a function that does not itself fall towards f(x) with the step is wilder than the steps are small
  const last = rows.findLastIndex((row) => row.order !== null);
  const falls = median([last - 2, last - 1, last].map((i) => Math.log2(rows[i].first / rows[i + 1].first)));
  if (!(falls >= FALLS)) return { order, verdict: order >= RIGHT ? "ok" : "unclear", linear: false };
  const verdict = order >= RIGHT ? "ok" : order >= FALLS && order < WRONG ? "failed" : "unclear";
  return { order, verdict, linear: false };
}

function median(three: readonly number[]): number {
  return [...three].sort((a, b) => a - b)[1];
}

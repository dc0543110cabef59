/** Errors of the forward and the central quotient over powers of two, in one number format, taken apart. */
import { rounder } from "../ops/dtype.js";
import type { Dtype } from "../trace/trace.js";
import type { Evaluation } from "./evaluate.js";
import { epsilonOf } from "./judge.js";

export type Scheme = "forward" | "central";

/** How a row's truncation is known. */
export type TruncationBy =
  /** the same points evaluated in f64 */
  | "f64"
  /** continued from a larger step with the order of the formula */
  | "order"
  /** it is below f64's rounding at every step */
  | "none";

export interface StepRow {
  readonly step: number;
  /** the step is 2^exponent */
  readonly exponent: number;
  /** null: NaN, Inf or another branch at a point it needs */
  readonly quotient: number | null;
  /** |quotient - derivative| */
  readonly error: number | null;
  /** part of the error that an exact evaluation would have too */
  readonly truncation: number | null;
  /** part of the error that rounding makes: the two values cancel */
  readonly cancellation: number | null;
  readonly truncationBy: TruncationBy;
  /** x + h rounds to x: the step is lost before anything is computed */
  readonly vanishes: boolean;
}

export interface Points {
  readonly dtype: Dtype;
  readonly x: number;
  /** the largest step */
  readonly unit: number;
  /** the function at a value of the input, in the format */
  readonly own: (moved: number) => Evaluation;
  /** the same in f64 */
  readonly reference: (moved: number) => Evaluation;
}

interface Series {
  readonly rows: readonly StepRow[];
  /** truncation error is coefficient x h^order; null where it could not be told */
  readonly coefficient: number | null;
}

/** Steps reach this many powers of two below the format's last place. */
const BELOW = 3;
/** Times f64's rounding that a measured truncation must be. */
const CLEAR = 64;
/** A measured truncation falls with at least this order less than the formula's. */
const SLACK = 0.3;

interface Measured {
  readonly step: number;
  readonly exponent: number;
  readonly quotient: number | null;
  /** quotient in f64 over the same points, minus the derivative */
  readonly deviation: number | null;
  /** f64's rounding in that quotient */
  readonly rounding: number;
  readonly vanishes: boolean;
}

/** Both schemes at one point; each function value is computed once. */
export function series(
  points: Points,
  derivative: number,
): { forward: Series; central: Series; crossings: { site: number; step: number }[] } {
  const { dtype, x, unit } = points;
  const round = rounder(dtype);
  const digits = -Math.log2(epsilonOf(dtype));
  const crossings: { site: number; step: number }[] = [];
  const forward: Measured[] = [];
  const central: Measured[] = [];
  const own = points.own(x);
  const exact = points.reference(x);
  for (let k = 0; k <= digits + BELOW; k++) {
    const step = unit * 2 ** -k;
    const right = round(x + step);
    const left = round(x - step);
    const plus = sideAt(points, right);
    const minus = sideAt(points, left);
    for (const { own: value } of [plus, minus])
      if (value.crossing !== null) crossings.push({ site: value.crossing.site, step });
    const head = { step, exponent: Math.log2(step) };
    const here: Side = { own, reference: exact };
    forward.push({ ...head, ...measure(plus, here, right - x, step, round, derivative, 1) });
    central.push({ ...head, ...measure(plus, minus, right - left, step, round, derivative, 2) });
  }
  return {
    forward: takeApart(forward, 1, derivative),
    central: takeApart(central, 2, derivative),
    crossings,
  };
}

interface Side {
  readonly own: Evaluation;
  readonly reference: Evaluation;
}

function sideAt({ dtype, own, reference }: Points, moved: number): Side {
  const value = own(moved);
  return { own: value, reference: dtype === "f64" ? value : reference(moved) };
}

/** @param width the quotient's denominator in steps */
function measure(
  a: Side,
  b: Side,
  distance: number,
  step: number,
  round: (x: number) => number,
  derivative: number,
  width: 1 | 2,
): Omit<Measured, "step" | "exponent"> {
  const usable = (side: Evaluation): boolean => side.crossing === null && Number.isFinite(side.value);
  const quotient =
    usable(a.own) && usable(b.own) ? round(round(a.own.value - b.own.value) / (width * step)) : null;
  const known = usable(a.reference) && usable(b.reference) && distance !== 0;
  const deviation = known ? (a.reference.value - b.reference.value) / distance - derivative : null;
  const rounding = (2 ** -52 * Math.max(a.reference.size, b.reference.size)) / step;
  return { quotient, deviation, rounding, vanishes: distance === 0 };
}

/**
 * Truncation at every step: as measured down to the anchor, the smallest step at which it is far above f64's rounding and
 * falls as the formula has it; from there on continued with the order.
 */
function takeApart(measured: readonly Measured[], order: 1 | 2, derivative: number): Series {
  const anchor = anchorOf(measured, order);
  const none =
    anchor < 0 &&
    measured.every(
      ({ deviation, rounding }) => deviation === null || Math.abs(deviation) <= CLEAR * rounding,
    );
  const coefficient =
    anchor < 0 ? (none ? 0 : null) : measured[anchor].deviation! / measured[anchor].step ** order;
  const rows = measured.map(({ step, exponent, quotient, deviation, vanishes }, i): StepRow => {
    const by: TruncationBy = none ? "none" : anchor >= 0 && i > anchor ? "order" : "f64";
    const truncation = by === "none" ? 0 : by === "order" ? coefficient! * step ** order : deviation;
    const error = quotient === null ? null : quotient - derivative;
    return {
      step,
      exponent,
      quotient,
      error: size(error),
      truncation: size(truncation),
      cancellation: error === null || truncation === null ? null : Math.abs(error - truncation),
      truncationBy: by,
      vanishes,
    };
  });
  return { rows, coefficient };
}

function size(x: number | null): number | null {
  return x === null ? null : Math.abs(x);
}

function anchorOf(measured: readonly Measured[], order: number): number {
  const falls = (i: number): boolean => {
    const [before, now] = [measured[i - 1]?.deviation, measured[i].deviation];
    return (
      before !== null &&
      before !== undefined &&
      now !== null &&
      Math.abs(before / now) >= 2 ** (order - SLACK)
    );
  };
  let anchor = -1;
  for (let i = 2; i < measured.length; i++) {
    const { deviation, rounding } = measured[i];
    if (deviation === null || !(Math.abs(deviation) > CLEAR * rounding)) continue;
    if (falls(i) && falls(i - 1)) anchor = i;
  }
  return anchor;
}

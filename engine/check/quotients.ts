/**
 * Difference quotients along a line, the step chosen by a sweep over powers of two.
 *
 * The central quotient errs by O(h^2) of truncation and by eps |f| / h of rounding (Nocedal and Wright 2006, section 8.1).
 * Neither is known beforehand, so the sweep goes from large steps to small ones and keeps the step where quotients of
 * successive steps agree best; what they still differ by there is the error they are believed to have. The derivative that
 * is being checked plays no part in the choice.
 */
import type { Crossing, Evaluation } from "./evaluate.js";

/** The function at x + t v. `t` is the distance really moved: x + t is rounded. */
export interface Sample extends Evaluation {
  readonly t: number;
}
export type Along = (t: number) => Sample;

export interface Quotient {
  readonly value: number;
  /** the step it was taken with */
  readonly step: number;
  /** what it may be off by: difference to its neighbours in the sweep, or rounding, the larger */
  readonly error: number;
}

/** Quotients of a sweep along one line. */
export interface LineQuotients {
  /** null: no three successive steps could be used */
  readonly central: Quotient | null;
  readonly forward: Quotient | null;
  /** one-sided quotients that stay apart however small the step: not differentiable here */
  readonly kink: { readonly left: number; readonly right: number } | null;
  /** over the smallest step the function still varies about as much as over the largest: no step is small enough */
  readonly wild: boolean;
  /** the branch that even the smallest step crosses */
  readonly edge: Crossing | null;
  /** branches crossed by larger steps, which were left out, with the smallest step that does */
  readonly crossed: readonly { readonly crossing: Crossing; readonly step: number }[];
  /** steps left out because the function is NaN or infinite there */
  readonly outside: number;
  /** every central quotient that could be used, from large steps to small */
  readonly sweep: readonly Quotient[];
}

const EPSILON = 2 ** -52;
/** Below the smallest normal number values are not rounded relatively: what they may have lost on the way. */
export const UNDERFLOW = 2 ** -1022;
/** Successive steps of the sweep: each a quarter of the one before. */
const FACTOR = 4;
const LARGEST = 2 ** -2;
const SMALLEST = 2 ** -30;
/** Where fewer steps than this could be used, the sweep goes on to smaller ones. */
const ENOUGH = 6;
const UTMOST = 2 ** -44;
/** The sweep ends when a relative error below the first has grown by the second, that often in a row. */
const SETTLED = 1e-4;
const LOST = 64;
const LOST_ROWS = 3;

/** Arguments below this are as good as 0: a step relative to them would leave the range of numbers. */
const TINY = 2 ** -900;

/** The power of two next below |x|; 1 for 0. */
export function powerBelow(x: number): number {
  const size = Math.abs(x);
  return size > TINY && size < Infinity ? 2 ** Math.floor(Math.log2(size)) : 1;
}

/**
 * Steps for a coordinate of this size, largest first: relative to it, and for a size below 1 also relative to 1, for
 * functions that do not notice so small an argument. `further` are for functions that need smaller ones.
 */
export function stepsFor(size: number): {
  readonly steps: readonly number[];
  readonly further: readonly number[];
} {
  const unit = powerBelow(size);
  const steps: number[] = [];
  for (let h = Math.max(unit, 1) * LARGEST; h >= Math.max(unit, 1) * SMALLEST; h /= FACTOR) steps.push(h);
  const least = steps[steps.length - 1];
  for (let h = unit * LARGEST; h >= unit * SMALLEST; h /= FACTOR) if (h < least) steps.push(h);
  const further: number[] = [];
  for (let h = (unit * SMALLEST) / FACTOR; h >= unit * UTMOST; h /= FACTOR) further.push(h);
  return { steps, further };
}

interface Row {
  readonly step: number;
  readonly central: number;
  readonly forward: number;
  readonly backward: number;
  /** rounding errors of the two values, divided by the step */
  readonly rounding: number;
}

/** Sweeps the steps of a coordinate of this size. `base` is the function at t = 0. */
export function lineQuotients(along: Along, base: Evaluation, coordinate: number): LineQuotients {
  const { steps, further } = stepsFor(coordinate);
  const rows: Row[] = [];
  const crossed = new Map<number, { crossing: Crossing; step: number }>();
  let outside = 0;
  let edge: Crossing | null = null;
  for (const step of [...steps, ...further]) {
    if (step === further[0] && rows.length >= ENOUGH) break;
    const plus = along(step);
    const minus = along(-step);
    edge = plus.crossing ?? minus.crossing;
    if (edge !== null) {
      crossed.set(edge.site, { crossing: edge, step });
      continue;
    }
    if (!Number.isFinite(plus.value) || !Number.isFinite(minus.value)) {
      outside++;
      continue;
    }
    rows.push(row(step, plus, minus, base));
    if (isLost(rows)) break;
  }
  const central = choose(rows, (at) => at.central);
  return {
    central,
    forward: choose(rows, (at) => at.forward),
    kink: kinkOf(rows, central),
    wild: isWild(rows),
    edge: rows.length === 0 ? edge : null,
    crossed: rows.length === 0 ? [] : [...crossed.values()],
    outside,
    sweep: errors(rows, (at) => at.central),
  };
}

function row(step: number, plus: Sample, minus: Sample, base: Evaluation): Row {
  const size = Math.max(plus.size, minus.size, base.size);
  return {
    step,
    central: (plus.value - minus.value) / (plus.t - minus.t),
    forward: (plus.value - base.value) / plus.t,
    backward: (base.value - minus.value) / -minus.t,
    rounding: (EPSILON * size + UNDERFLOW) / step,
  };
}

/**
 * Quotients with their errors: by how much one differs from that of the next smaller step, and by how much it improved on
 * that of the next larger one. Three successive ones have to agree, because two may do so by accident; the first and the
 * last of the sweep have no two neighbours and are left out.
 */
function errors(rows: readonly Row[], of: (row: Row) => number): Quotient[] {
  const out: Quotient[] = [];
  for (let i = 1; i + 1 < rows.length; i++) {
    const [larger, value, smaller] = [of(rows[i - 1]), of(rows[i]), of(rows[i + 1])];
    const error = Math.max(Math.abs(larger - value) / FACTOR, Math.abs(value - smaller), rows[i].rounding);
    out.push({ value, step: rows[i].step, error });
  }
  return out;
}

/**
 * The quotient with the smallest relative error; of those nearly as good, the smallest error: where the derivative is 0,
 * relative errors say nothing, and where its size differs from step to step, absolute ones do not.
 */
function choose(rows: readonly Row[], of: (row: Row) => number): Quotient | null {
  const all = errors(rows, of).filter(({ error }) => Number.isFinite(error));
  const least = Math.min(...all.map(relativeError));
  const good = all.filter((quotient) => !(relativeError(quotient) > 2 * least));
  return good.reduce<Quotient | null>(
    (best, now) => (best === null || now.error < best.error ? now : best),
    null,
  );
}

function relativeError({ value, error }: Quotient): number {
  return error === 0 ? 0 : error / (Math.abs(value) + error);
}

/** True when the quotients had settled and smaller steps have only been worse since: rounding has taken over. */
function isLost(rows: readonly Row[]): boolean {
  const all = errors(rows, (at) => at.central).map(relativeError);
  if (all.length <= LOST_ROWS) return false;
  const best = Math.min(...all);
  const last = all.slice(-LOST_ROWS);
  return best < SETTLED && last.every((error, i) => error > LOST * best && (i === 0 || error > last[i - 1]));
}

/** Part of its variation over the largest step that a function may keep over the smallest. */
const KEEPS = 0.01;

function isWild(rows: readonly Row[]): boolean {
  const [largest, smallest] = [rows[0], rows.at(-1)];
  if (smallest === undefined || smallest === largest) return false;
  const varies = ({ step, forward, backward }: Row): number =>
    step * Math.max(Math.abs(forward), Math.abs(backward));
  const rounding = 1e3 * smallest.rounding * smallest.step;
  return varies(smallest) > Math.max(rounding, KEEPS * varies(largest));
}

/** Part of the larger one-sided quotient by which they must differ. */
const KINK = 1e-3;
/** With a quarter of the step, a smooth function's one-sided quotients are four times nearer to each other. */
const STAYS = 0.6;
/** Part of the gap between them that each may still move by. */
const MOVES = 0.1;

function kinkOf(rows: readonly Row[], central: Quotient | null): LineQuotients["kink"] {
  const found = rows.findIndex(({ step }) => step === central?.step);
  const at = found < 0 ? rows.length - 2 : found;
  if (at < 0 || at + 1 >= rows.length) return null;
  const [now, next] = [rows[at], rows[at + 1]];
  const gap = Math.abs(now.forward - now.backward);
  const enough = KINK * Math.max(Math.abs(now.forward), Math.abs(now.backward)) + 8 * now.rounding;
  const stays = Math.abs(next.forward - next.backward) > STAYS * gap;
  const moved = Math.max(Math.abs(next.forward - now.forward), Math.abs(next.backward - now.backward));
  if (!(gap > enough && stays && moved < MOVES * gap)) return null;
  return { left: next.backward, right: next.forward };
}

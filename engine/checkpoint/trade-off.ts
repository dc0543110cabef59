/**
 * Memory against work, one convention for all: x = peakStates + peakTapes, y = extraForwards = totalForwards - steps. A schedule
 * that keeps states only lies on or above the binomial curve (s + 1, t(n, s)).
 */
import { BacksweepError } from "../trace/failure.js";
import { leastAdvances } from "./binomial.js";
import { parseSchedule } from "./parse.js";
import { countSchedule, needSteps } from "./plan.js";

export interface TradeOffPoint {
  readonly schedule: string;
  /** what stands before the colon */
  readonly family: string;
  readonly x: number;
  readonly y: number;
  readonly peakStates: number;
  readonly peakTapes: number;
  /** states only: one tape at a time, and nothing computed back */
  readonly statesOnly: boolean;
  /** runs on chains of coupling layers only, and is left out of the front */
  readonly couplingOnly: boolean;
  /** no other point has less of one and no more of the other */
  readonly onFront: boolean;
}

export interface CurvePoint {
  readonly slots: number;
  readonly x: number;
  readonly y: number;
}

/** Points of a family with a parameter. */
const MOST_OF_FAMILY = 16;
/** Families that are planned by a table or by running their stream take part up to these lengths. */
const MOST_BY_TABLE = 600;
const MOST_BY_STREAM = 5000;
/** Streams of more actions are counted in closed form, so that a plot takes a moment. */
const MOST_STREAMED = 20_000;

const plain = ["store-all", "none", "sqrt", "bisection", "reversible"];
const blocks = ["uniform", "uniform-tapes"];
const closed = ["revolve"];
const streamed = ["online", "treeverse", "pebble"];
const tabled = ["mixed"];

/** Whole numbers from 1 to `most`, about evenly spaced by ratio, powers of two among them where they are few. */
export function spread(most: number, count = MOST_OF_FAMILY): number[] {
  const values = new Set<number>();
  for (let i = 0; i < count; i++)
    values.add(Math.max(1, Math.round(most ** (count === 1 ? 0 : i / (count - 1)))));
  return [...values];
}

/** The schedules that are drawn for a chain of a length when nobody names others. */
export function usualSchedules(steps: number): string[] {
  const names = [...plain];
  const of = (families: readonly string[], values: readonly number[]): void => {
    for (const family of families) for (const value of values) names.push(`${family}:${value}`);
  };
  of(blocks, spread(steps));
  of(closed, spread(Math.max(1, steps - 1)));
  if (steps <= MOST_BY_STREAM) {
    names.push("bennett");
    of(streamed, spread(Math.min(steps, 64), 8));
  }
  if (steps <= MOST_BY_TABLE) of(tabled, spread(Math.min(64, Math.max(1, steps - 1)), 10));
  return names;
}

/**
 * The points of schedules for a chain, with their Pareto front. Schedules that cannot be planned for it are left out, as are counts
 * beyond the safe integers.
 *
 * @throws BacksweepError `option` for a number of steps out of range
 */
export function tradeOff(steps: number, names: readonly string[] = usualSchedules(steps)): TradeOffPoint[] {
  needSteps(steps);
  const points: Omit<TradeOffPoint, "onFront">[] = [];
  for (const name of names) {
    const point = pointOf(steps, name);
    if (point !== null) points.push(point);
  }
  const front = frontOf(points.filter(({ couplingOnly }) => !couplingOnly));
  return points.map((point) => ({ ...point, onFront: front.has(point) }));
}

function pointOf(steps: number, name: string): Omit<TradeOffPoint, "onFront"> | null {
  try {
    const { executed } = countSchedule(parseSchedule(name), steps, MOST_STREAMED);
    const { peakStates, peakTapes, extraForwards, uncomputes } = executed;
    if (typeof extraForwards === "bigint") return null;
    const family = name.replace(/:.*/, "");
    return {
      schedule: name,
      family,
      x: Number(peakStates) + Number(peakTapes),
      y: extraForwards,
      peakStates: Number(peakStates),
      peakTapes: Number(peakTapes),
      statesOnly: peakTapes === 1 && uncomputes === 0,
      couplingOnly: family === "reversible",
    };
  } catch (error) {
    if (error instanceof BacksweepError && error.kind === "option") return null;
    throw error;
  }
}

/** Points that no other one beats in one number without losing in the other; of equal points all. */
function frontOf<P extends { readonly x: number; readonly y: number }>(points: readonly P[]): Set<P> {
  const front = new Set<P>();
  const rising = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  let least = Infinity;
  let at = -1;
  for (const point of rising) {
    if (point.y < least) {
      least = point.y;
      at = point.x;
    }
    if (point.y === least && point.x === at) front.add(point);
  }
  return front;
}

/** The binomial curve: what states alone allow, by the number of slots. */
export function binomialCurve(steps: number): CurvePoint[] {
  needSteps(steps);
  return spread(Math.max(1, steps - 1), 64).map((slots) => ({
    slots,
    x: (steps === 1 ? 0 : slots) + 1,
    y: leastAdvances(steps, slots),
  }));
}

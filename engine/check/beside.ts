/**
 * Where to check instead of a point that proves nothing. A derivative shown for a point is that of the branch the function
 * takes there, so a point beside it counts for it only if every decision is the same.
 */
import { displaced } from "./directions.js";
import { isOfFunction } from "./elsewhere.js";
import type { Crossing, Evaluator } from "./evaluate.js";
import type { InputLayout } from "./point.js";

/** Displacements tried, relative to the first: either side, then nearer. */
const SCALES = [1, -1, 1 / 16, -1 / 16] as const;
/** More inputs than these are moved together only, not one by one. */
const MOST_INPUTS = 50;
/** Operations that looking for a point may take, about. */
const OPERATIONS = 1e7;

/** The decision in which the function differs at x from the evaluator's own point; null: it takes the same branches. */
export function branchAt(evaluator: Evaluator, x: Float64Array): Crossing | null {
  return evaluator.at(x, evaluator.weights).crossing;
}

/** The n-th point beside the evaluator's own: on its branches where one is found, else wherever it falls. */
export function pointBeside(n: number, { start }: InputLayout, evaluator: Evaluator): Float64Array {
  const candidates = SCALES.map((scale) => displaced(n, start, scale));
  for (const x of candidates) if (isOnBranch(evaluator, x)) return x;
  if (start.length <= MOST_INPUTS && evaluator.work * start.length * SCALES.length <= OPERATIONS) {
    const x = oneByOne(candidates, start, evaluator);
    if (x.every((value, i) => !Object.is(value, start[i]))) return x;
  }
  return candidates[0];
}

/** Moves every input by itself as the branches allow, the others where they have got to; one that cannot move stays. */
function oneByOne(
  candidates: readonly Float64Array[],
  start: Float64Array,
  evaluator: Evaluator,
): Float64Array {
  const x = Float64Array.from(start);
  for (let i = 0; i < x.length; i++) {
    for (const candidate of candidates) {
      x[i] = candidate[i];
      if (isOnBranch(evaluator, x)) break;
      x[i] = start[i];
    }
  }
  return x;
}

function isOnBranch(evaluator: Evaluator, x: Float64Array): boolean {
  try {
    const { value, crossing } = evaluator.at(x, evaluator.weights);
    return crossing === null && Number.isFinite(value);
  } catch (error) {
    if (!isOfFunction(error)) throw error;
    return false;
  }
}

/** The table over block lengths (the textbook's figure of peak states and replays for a depth) and the best length of every depth. */
import { BacksweepError } from "../trace/failure.js";
import type { ModelCounts } from "./actions.js";
import { bestBlock, storeAllStates, uniformCheckpointCost, type BestBlock } from "./model.js";
import { uniform } from "./schedules/uniform.js";

export interface BlockRow {
  readonly blockSize: number;
  readonly model: ModelCounts;
  readonly executed: {
    readonly peakStates: number;
    readonly totalForwards: number;
    readonly replays: number;
  };
}

export interface BlockSweep {
  readonly steps: number;
  readonly rows: readonly BlockRow[];
  readonly best: BestBlock;
  /** states that store-all keeps in the model */
  readonly storeAll: number;
}

/** Longest table. */
const MOST_ROWS = 1e6;

/**
 * Model and executed counts for every block length 1..steps.
 *
 * @throws BacksweepError `option` for more than 10^6 steps
 */
export function sweepBlock(steps: number): BlockSweep {
  if (steps > MOST_ROWS)
    throw new BacksweepError(
      "option",
      `the table over block lengths goes up to ${MOST_ROWS} steps, not ${steps}`,
    );
  const rows: BlockRow[] = [];
  for (let k = 1; k <= steps; k++) {
    const cost = uniformCheckpointCost(steps, k);
    const executed = uniform(`uniform:${k}`, k).closedForm!(steps)!;
    rows.push({
      blockSize: k,
      model: { peakStates: cost.peakStateUnits, replays: cost.recomputedForwardEvaluations },
      executed: {
        peakStates: Number(executed.peakStates),
        totalForwards: Number(executed.totalForwards),
        replays: Number(executed.replays),
      },
    });
  }
  return { steps, rows, best: bestBlock(steps), storeAll: storeAllStates(steps) };
}

export interface DepthRow extends BestBlock {
  readonly depth: number;
  /** sqrt L rounded to a whole block length, and what that costs */
  readonly rounded: number;
  readonly roundedPeak: number;
}

export interface DepthSweep {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly DepthRow[];
  /** depths whose rounded square root is among the best lengths */
  readonly roundedIsBest: number;
  /** the largest peak of a rounded root above the best one, in states, and the first depth that has it */
  readonly worstRounded: { readonly depth: number; readonly states: number };
  /** the largest distance of the best peak from 2 sqrt L, and the first depth that has it */
  readonly farthest: { readonly depth: number; readonly states: number };
}

/**
 * The best block length of every depth from..to beside sqrt L.
 *
 * @throws BacksweepError `option` for a range that is none, or of more than 10^6 depths
 */
export function sweepDepths(from: number, to: number): DepthSweep {
  if (!(from >= 1 && to >= from && to <= MOST_ROWS))
    throw new BacksweepError(
      "option",
      `depths go from 1 to ${MOST_ROWS}, the smaller one first, not ${from}..${to}`,
    );
  const rows: DepthRow[] = [];
  let roundedIsBest = 0;
  let worstRounded = { depth: from, states: 0 };
  let farthest = { depth: from, states: 0 };
  for (let depth = from; depth <= to; depth++) {
    const best = bestBlock(depth);
    const rounded = Math.max(1, Math.round(best.squareRoot));
    const roundedPeak = uniformCheckpointCost(depth, rounded).peakStateUnits;
    rows.push({ depth, ...best, rounded, roundedPeak });
    if (roundedPeak === best.peakStateUnits) roundedIsBest++;
    if (roundedPeak - best.peakStateUnits > worstRounded.states)
      worstRounded = { depth, states: roundedPeak - best.peakStateUnits };
    const distance = best.peakStateUnits - 2 * best.squareRoot;
    if (distance > farthest.states) farthest = { depth, states: distance };
  }
  return { from, to, rows, roundedIsBest, worstRounded, farthest };
}

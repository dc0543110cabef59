/**
 * The count model of uniform checkpointing: every state has one size, a step is one primitive whose VJP reads its input state, and
 * what a step records is not counted. Block length k on depth L:
 *
 *     M(k) = ceil(L / k) + k     states at once: one a block boundary and the k of the open block
 *     R(k) = L - ceil(L / k)     forward evaluations run again: all but the first of every block
 *
 * For k that divides L these are the L / k + k and L - L / k of the textbook theorem (after Griewank 1992), where store-all keeps
 * L + 1 states.
 */
import { BacksweepError } from "../trace/failure.js";

export interface UniformCost {
  readonly blockSize: number;
  readonly peakStateUnits: number;
  readonly recomputedForwardEvaluations: number;
}

/**
 * The model's cost of a block length.
 *
 * @param depth L, a whole number from 1
 * @param blockSize k, a whole number from 1 to L
 * @throws BacksweepError `option` for other numbers
 */
export function uniformCheckpointCost(depth: number, blockSize: number): UniformCost {
  needWhole("the depth", depth, Number.MAX_SAFE_INTEGER);
  needWhole("the block length", blockSize, depth);
  const blocks = Math.ceil(depth / blockSize);
  return {
    blockSize,
    peakStateUnits: blocks + blockSize,
    recomputedForwardEvaluations: depth - blocks,
  };
}

function needWhole(what: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? "from 1" : `from 1 to ${most}`;
  throw new BacksweepError("option", `${what} must be a whole number ${range}, not ${value}`);
}

/** States that store-all keeps in the model. */
export const storeAllStates = (depth: number): number => depth + 1;

export interface BestBlock {
  /** the smallest best block length */
  readonly blockSize: number;
  /** every block length with the same peak, the smallest first */
  readonly ties: readonly number[];
  readonly peakStateUnits: number;
  readonly recomputedForwardEvaluations: number;
  /** sqrt(L), the minimiser over the real numbers, and 2 sqrt(L), the peak there */
  readonly squareRoot: number;
}

/** The block length with the smallest peak, ties listed. */
export function bestBlock(depth: number): BestBlock {
  needWhole("the depth", depth, Number.MAX_SAFE_INTEGER);
  const squareRoot = Math.sqrt(depth);
  let peak = Infinity;
  let ties: number[] = [];
  // M(k) > k, and M of the rounded root is at most 2 sqrt(L) + 2: no larger k can be better
  const largest = Math.min(depth, Math.ceil(2 * squareRoot) + 2);
  for (let k = 1; k <= largest; k++) {
    const m = Math.ceil(depth / k) + k;
    if (m < peak) {
      peak = m;
      ties = [];
    }
    if (m === peak) ties.push(k);
  }
  return {
    blockSize: ties[0],
    ties,
    peakStateUnits: peak,
    recomputedForwardEvaluations: depth - Math.ceil(depth / ties[0]),
    squareRoot,
  };
}

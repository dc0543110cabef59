/**
 * Optimal play of the reversible pebble game on a line with a limited number of pebbles.
 *
 * A move puts a pebble on node i or takes it away, and needs a pebble on node i - 1 (node 0, the input, always has one). Knill, "An
 * analysis of Bennett's pebble game" (1995), has for the moves that take a clean line to one with node n alone pebbled
 *     F(n, S) = min over m of F(m, S) + F(n - m, S - 1) + F(m, S - 1),   F(1, S) = 1:
 * pebble m, from there n, then take m away while n keeps a pebble. The same cut gives three more counts:
 *     reach        R(n, S) = min F(m, S) + R(n - m, S - 1),               R(1, S) = 1   node n pebbled, the rest as it may be
 *     reverse      V(n, S) = min F(m, S) + V(n - m, S - 1) + W(m, S),     V(1, S) = 0   states n-1, ..., 1, 0 available in this order
 *     reverse top  W(n, S) = min F(m, S - 1) + W(n - m, S - 1) + W(m, S), W(1, S) = 1   the same, with a pebble on n to be taken away
 * In a reversal m is the lowest pebble that stays until everything above it is reversed. All four are convex in n, so each level is
 * one merge (`ladder.ts`).
 */
import { Ladder, merge, splitOf } from "./ladder.js";

export type Game = "clean" | "reach" | "reverse" | "top";

interface Level {
  readonly clean: Ladder;
  readonly reach: Ladder;
  readonly reverse: Ladder;
  readonly top: Ladder;
}

export class Optimum {
  private readonly levels: Level[] = [
    { clean: new Ladder(1, 0), reach: new Ladder(1, 0), reverse: new Ladder(0), top: new Ladder(1, 0) },
  ];

  /**
   * @param limit longest line asked about
   * @param pebbles most pebbles asked about
   */
  constructor(limit: number, pebbles: number) {
    for (let s = 1; s <= pebbles; s++) {
      const below = this.levels[s - 1];
      const level: Level = {
        clean: new Ladder(1),
        reach: new Ladder(1),
        reverse: new Ladder(0),
        top: new Ladder(1),
      };
      merge(level.clean, [level.clean, below.clean], below.clean, limit);
      merge(level.reach, [level.clean], below.reach, limit);
      merge(level.top, [below.clean, level.top], below.top, limit);
      merge(level.reverse, [level.clean, level.top], below.reverse, limit);
      this.levels.push(level);
    }
  }

  /** Fewest moves for a line of n nodes (of n steps, for the reversals) and `pebbles` pebbles; Infinity where it cannot be done. */
  moves(game: Game, n: number, pebbles: number): number {
    return this.levels[pebbles][game].value(n);
  }

  /** Where an optimal play of n >= 2 cuts the line. */
  split(game: Game, n: number, pebbles: number): number {
    return splitOf(this.levels[pebbles][game], this.levels[pebbles - 1][game], n);
  }
}

/** Fewest pebbles with which node n alone can be pebbled, ceil(log2 n) + 1. */
export function cleanPebbles(n: number): number {
  return bits(n) + 1;
}

/** Fewest pebbles with which node n can be reached, ceil(log2(n + 1)). */
export function reachPebbles(n: number): number {
  return bits(n + 1);
}

/** Fewest pebbles with which a chain of `steps` steps can be reversed: state steps - 1 must be reached, ceil(log2 steps). */
export function reversalPebbles(steps: number): number {
  return bits(steps);
}

/** ceil(log2 n), by doubling: the logarithm of a double may err at powers of two. */
function bits(n: number): number {
  let exponent = 0;
  for (let power = 1; power < n; power *= 2) exponent++;
  return exponent;
}

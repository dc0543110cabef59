/**
 * Bennett's strategy (C. H. Bennett, "Time/space trade-offs for reversible computation", SIAM J. Comput. 18, 1989) with two parts a
 * level: pebble the middle, from there the end, then take the middle away. 3^j moves and j + 1 pebbles for a line of 2^j nodes;
 * from 8 nodes on not the fewest moves for that many pebbles (27 against 25).
 */
import type { Strategy } from "./game.js";
import type { Game } from "./optimum.js";

/** Cuts in halves, the lower one the longer, whatever the number of pebbles. */
export const halving: Strategy = { split: (_game, n) => Math.ceil(n / 2) };

export interface BennettCounts {
  readonly moves: number;
  readonly pebbles: number;
}

/** Moves and pebbles of Bennett's strategy, by its recurrence over the O(log n) lengths that halving meets. n >= 1. */
export function bennettCounts(game: Game, n: number): BennettCounts {
  const known = new Map<string, BennettCounts>();
  const counts = (of: Game, length: number): BennettCounts => {
    if (length === 1) return { moves: of === "reverse" ? 0 : 1, pebbles: of === "reverse" ? 0 : 1 };
    const key = `${of} ${length}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const m = Math.ceil(length / 2);
    // the top pebble of a reversal stands while the middle is being pebbled
    const extra = of === "top" ? 1 : 0;
    const below = counts("clean", m);
    const above = counts(of, length - m);
    const after = of === "reach" ? null : counts(of === "clean" ? "clean" : "top", m);
    const out = {
      moves: below.moves + above.moves + (after?.moves ?? 0),
      pebbles: Math.max(
        below.pebbles + extra,
        above.pebbles + 1,
        (after?.pebbles ?? 0) + (of === "clean" ? 1 : 0),
      ),
    };
    known.set(key, out);
    return out;
  };
  return counts(game, n);
}

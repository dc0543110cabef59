/** A referee for the pebble game that knows nothing of strategies. */
import type { Move } from "./game.js";

export interface Played {
  /** pebbles put and taken away */
  readonly moves: number;
  readonly places: number;
  readonly peak: number;
  /** nodes pebbled at the end, ascending */
  readonly left: readonly number[];
  /** steps reversed, in order */
  readonly reversed: readonly number[];
}

/** Plays moves on an empty line (node 0 always pebbled) and counts. Throws a plain Error at an illegal move. */
export function referee(moves: Iterable<Move>): Played {
  const on = new Set<number>();
  const has = (node: number): boolean => node === 0 || on.has(node);
  const reversed: number[] = [];
  let count = 0;
  let places = 0;
  let peak = 0;
  for (const { kind, node } of moves) {
    if (kind === "reverse") {
      if (!has(node)) throw new Error(`step ${node} is reversed without its state`);
      reversed.push(node);
      continue;
    }
    if (!has(node - 1)) throw new Error(`${kind} ${node}: no pebble on ${node - 1}`);
    if (node < 1 || on.has(node) === (kind === "place")) throw new Error(`${kind} ${node}: not possible`);
    if (kind === "place") {
      on.add(node);
      places++;
    } else on.delete(node);
    peak = Math.max(peak, on.size);
    count++;
  }
  return { moves: count, places, peak, left: [...on].sort((a, b) => a - b), reversed };
}

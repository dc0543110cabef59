/** Plays the pebble game along the cuts of a strategy, as a lazy sequence of moves, without recursion. */
import type { Game } from "./optimum.js";

/**
 * `place` and `remove`: a pebble on `node`, whose predecessor has one. `reverse`: state `node` is there, so step `node` can be run with
 * its tape and pulled back.
 */
export interface Move {
  kind: "place" | "remove" | "reverse";
  node: number;
}

/** Where to cut a line of n >= 2 nodes with so many pebbles left: after node m, 1 <= m < n. */
export interface Strategy {
  split(game: Game, n: number, pebbles: number): number;
}

/** The clean game played backwards: takes node n away, the rest of the line being and staying empty. */
type Frame = Game | "undo";
const frames: readonly Frame[] = ["clean", "reach", "reverse", "top", "undo"];
const [CLEAN, REACH, REVERSE, TOP, UNDO] = [0, 1, 2, 3, 4];

/**
 * The moves of a game on nodes 1..n (for the reversals: a chain of n steps).
 * One object is handed out again and again; who keeps a move copies it. Memory: a pebble keeps one open frame, so O(pebbles).
 */
export function* play(game: Game, n: number, pebbles: number, strategy: Strategy): Generator<Move> {
  const move: Move = { kind: "place", node: 0 };
  const stack: number[] = [frames.indexOf(game), 0, n, pebbles];
  const push = (kind: number, base: number, length: number, left: number): void => {
    stack.push(kind, base, length, left);
  };
  while (stack.length > 0) {
    const left = stack.pop()!;
    const length = stack.pop()!;
    const base = stack.pop()!;
    const kind = stack.pop()!;
    if (length === 1) {
      if (kind === REVERSE || kind === TOP) {
        move.kind = "reverse";
        move.node = base;
        yield move;
        if (kind === REVERSE) continue;
      }
      move.kind = kind === TOP || kind === UNDO ? "remove" : "place";
      move.node = base + 1;
      yield move;
      continue;
    }
    const m = strategy.split(frames[kind === UNDO ? CLEAN : kind] as Game, length, left);
    // pushed last to first
    switch (kind) {
      case CLEAN:
        push(UNDO, base, m, left - 1);
        push(CLEAN, base + m, length - m, left - 1);
        push(CLEAN, base, m, left);
        break;
      case UNDO:
        push(UNDO, base, m, left);
        push(UNDO, base + m, length - m, left - 1);
        push(CLEAN, base, m, left - 1);
        break;
      case REACH:
        push(REACH, base + m, length - m, left - 1);
        push(CLEAN, base, m, left);
        break;
      case REVERSE:
        push(TOP, base, m, left);
        push(REVERSE, base + m, length - m, left - 1);
        push(CLEAN, base, m, left);
        break;
      default:
        push(TOP, base, m, left);
        push(TOP, base + m, length - m, left - 1);
        push(CLEAN, base, m, left - 1);
    }
  }
}

/**
 * The pebble game as checkpoint schedules: `bennett` and `pebble:p`.
 *
 * The game played is the reversal of a chain in which nothing is ever simply forgotten: reversing step i needs a pebble on state i
 * (state 0, the input, always has one), and a pebble is taken away only by running its step again. So every advance has its uncompute.
 */
import { BacksweepError } from "../../trace/failure.js";
import type { Action, Schedule } from "../actions.js";
import { bennettCounts, halving } from "./bennett.js";
import { play, type Move } from "./game.js";
import { Optimum, reversalPebbles } from "./optimum.js";

/** Levels of the optimum that are worked out; more pebbles than that are left unused, unless they hold every state. */
const MOST_LEVELS = 1024;

/** `bennett`: halving, with as many pebbles as that takes. */
export function bennett(): Schedule {
  return {
    name: "bennett",
    actions: (steps) => stream(play("reverse", steps, 0, halving), steps),
    length: (steps) => lengthFor(bennettCounts("reverse", steps).moves, steps),
    remarks: (steps) => {
      const { moves, pebbles } = bennettCounts("reverse", steps);
      const optimum = new Optimum(steps, Math.min(pebbles, MOST_LEVELS));
      const best = optimum.moves("reverse", steps, Math.min(pebbles, MOST_LEVELS));
      return [
        ...gameRemarks,
        `Bennett's halving makes ${moves} moves with ${pebbles} pebbles` +
          (best < moves ? `; pebble:${pebbles} makes ${best}.` : ", the fewest for that many."),
      ];
    },
  };
}

/**
 * `pebble:p`: the fewest moves with p pebbles (Knill's cut, see `optimum.ts`).
 * @throws BacksweepError "option" when p is no whole number >= 1; `actions` throws when the chain needs more pebbles
 */
export function pebble(p: number): Schedule {
  if (!Number.isSafeInteger(p) || p < 1)
    throw new BacksweepError("option", `pebble:${p}: the number of pebbles is a whole number from 1`);
  const name = `pebble:${p}`;
  let held: { steps: number; used: number; optimum: Optimum } | null = null;
  const planned = (steps: number): { used: number; optimum: Optimum } => {
    const need = reversalPebbles(steps);
    if (p < need) {
      throw new BacksweepError(
        "option",
        `${name}: ${steps} steps need ${need} ${need === 1 ? "pebble" : "pebbles"} at least (log2 of the steps, rounded up)`,
      );
    }
    const used = Math.min(p, Math.max(steps - 1, 0), MOST_LEVELS);
    if (held?.steps !== steps) held = { steps, used, optimum: new Optimum(steps, used) };
    return held;
  };
  const storeAll = (steps: number): boolean => p >= steps - 1;
  const moves = (steps: number): number => {
    if (storeAll(steps)) return 2 * (steps - 1);
    const { used, optimum } = planned(steps);
    return optimum.moves("reverse", steps, used);
  };
  return {
    name,
    actions: (steps) => {
      if (storeAll(steps)) return stream(everyState(steps), steps);
      const { used, optimum } = planned(steps);
      return stream(play("reverse", steps, used, optimum), steps);
    },
    length: (steps) => lengthFor(moves(steps), steps),
    remarks: (steps) => {
      const lines = [...gameRemarks, `${moves(steps)} moves, the fewest with ${p} pebbles by Knill's cut.`];
      if (storeAll(steps) && p > steps - 1)
        lines.push(`${steps - 1} pebbles hold every state; the others stay unused.`);
      else if (!storeAll(steps) && p > MOST_LEVELS)
        lines.push(`Planned with ${MOST_LEVELS} pebbles: more are used only where they hold every state.`);
      return lines;
    },
  };
}

const gameRemarks: readonly string[] = [
  "The reversible pebble game: a state is taken away only by running its step again, which counts as a forward evaluation.",
  "The input, which the game does not count, lies in a slot of its own: peakStates is the number of pebbles plus one.",
];

/** With a pebble for every state: up, and down again behind the reversals. */
function* everyState(steps: number): Generator<Move> {
  const move: Move = { kind: "place", node: 0 };
  for (let i = 1; i < steps; i++) {
    move.node = i;
    yield move;
  }
  for (let i = steps - 1; i >= 0; i--) {
    move.kind = "reverse";
    move.node = i;
    yield move;
    if (i === 0) return;
    move.kind = "remove";
    yield move;
  }
}

/** At most three actions a move (restore, run, store) and three a reversal. */
function lengthFor(moves: number, steps: number): number {
  return 3 * moves + 3 * steps;
}

/** Moves as actions: the input goes to slot 0, every pebble to the lowest empty slot, and the working state follows. */
function* stream(moves: Iterable<Move>, steps: number): Generator<Action> {
  if (steps > 1) yield { kind: "store", state: 0, slot: 0 };
  const slotOf = new Map<number, number>([[0, 0]]);
  const empty: number[] = [];
  let working = 0;
  for (const { kind, node } of moves) {
    const needed = kind === "reverse" ? node : node - 1;
    if (working !== needed) {
      yield { kind: "restore", slot: slotOf.get(needed)! };
      working = needed;
    }
    if (kind === "place") {
      const slot = empty.pop() ?? slotOf.size;
      yield { kind: "advance", from: node - 1, to: node };
      yield { kind: "store", state: node, slot };
      slotOf.set(node, slot);
      working = node;
    } else if (kind === "remove") {
      const slot = slotOf.get(node)!;
      yield { kind: "uncompute", step: node - 1, slot };
      slotOf.delete(node);
      empty.push(slot);
    } else {
      yield { kind: "record", step: node };
      yield { kind: "reverse", step: node };
      working = node + 1;
    }
  }
  if (steps > 1) yield { kind: "free", slot: 0 };
}

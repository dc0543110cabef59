/** `mixed:c`: c slots, each of which holds a state or the tape of one step; the fewest forwards of all such schedules. */
import type { Action, Schedule } from "../actions.js";
import { leastAdvances } from "../binomial.js";
import { MixedTable } from "./mixed-table.js";
import { clipped } from "./revolve.js";
import { amount } from "../words.js";

/** What lies in the slot of its depth, and what is done when everything behind it has been reversed. */
type Kept =
  | { readonly kind: "tape"; readonly step: number }
  | { readonly kind: "state"; readonly start: number; readonly end: number };

function* actions(steps: number, table: MixedTable): Generator<Action> {
  const kept: Kept[] = [];
  let start = 0;
  let end = steps;
  /** the state `start` lies in the slot of the next depth already */
  let stored = false;
  for (;;) {
    // down to the last step of the part
    while (end - start > 1) {
      const slot = kept.length;
      const advance = table.choice(end - start, table.slots - slot);
      if (advance === 0) {
        if (stored) yield { kind: "free", slot };
        yield { kind: "record", step: start };
        yield { kind: "store", state: start, slot, what: "tape" };
        kept.push({ kind: "tape", step: start });
        start++;
      } else {
        if (!stored) yield { kind: "store", state: start, slot };
        yield { kind: "advance", from: start, to: start + advance };
        kept.push({ kind: "state", start, end: start + advance });
        start += advance;
      }
      stored = false;
    }
    // no state is kept for one step: its tape costs the same and is used as it is
    yield { kind: "record", step: start };
    yield { kind: "reverse", step: start };
    // back over tapes to the last state
    for (;;) {
      const top = kept.pop();
      if (top === undefined) return;
      const slot = kept.length;
      yield { kind: "restore", slot };
      if (top.kind === "state") {
        ({ start, end } = top);
        stored = true;
        break;
      }
      yield { kind: "free", slot };
      yield { kind: "reverse", step: top.step };
    }
  }
}

export function mixed(name: string, slots: number): Schedule {
  let last: { readonly steps: number; readonly table: MixedTable } | null = null;
  const tableOf = (steps: number): MixedTable => {
    if (last?.steps !== steps) last = { steps, table: new MixedTable(name, steps, slots) };
    return last.table;
  };
  return {
    name,
    actions: (steps) => actions(steps, tableOf(steps)),
    length: (steps) => 7 * steps,
    remarks(steps) {
      const table = tableOf(steps);
      const forwards = table.forwards(steps, table.slots);
      const states = leastAdvances(steps, table.slots) + steps;
      return [
        ...clipped(steps, slots),
        `A slot holds a state or one step's tape: ${amount(forwards, "forward")}, where states alone need ${states} (revolve:${table.slots}). ` +
          "This counts a tape and a state as one unit each.",
        "At no time are more than the slots and one more tape held; the peaks of states and of tapes may be reached at different times.",
      ];
    },
  };
}

/**
 * `online:c`: the length of the chain is unknown until its last step is reached, so states are stored, and stored over, without
 * looking ahead (the setting of Stumm and Walther 2010, "New algorithms for optimal online checkpointing", SIAM J. Sci. Comput.
 * 32(2)). When the end is known, the parts between the stored states are reversed binomially, the last one first, each with its own
 * slot and those that are free by then: a chain of n steps with states at p_0 = 0 < p_1 < ... costs
 *
 *     p_last + sum over j of t(p_(j+1) - p_j, c - j)     advances, p_(c) = n.
 *
 * Positions. For n = beta(c, r) the offline optimum has one set of positions, beta(c, r - 1), then beta(c - 1, r - 1) further, and so
 * on. Every stage r heads for the set of its end: those positions are stored when they are passed and kept until the stage ends.
 * All other slots follow the length reached: where one more step would cost less with the present state in place of one of
 * theirs, they change. The cost is therefore optimal at every beta(c, r); in between it is compared with the optimum, not bounded.
 */
import type { Action, Schedule } from "../actions.js";
import { beta, leastAdvances } from "../binomial.js";
import { countStream } from "../count.js";
import { reverseSegment } from "../segment.js";
import { OnlinePositions } from "./online-positions.js";
import { amount } from "../words.js";

function* actions(steps: number, c: number): Generator<Action> {
  const positions = new OnlinePositions(c);
  let working = 0;
  yield { kind: "store", state: 0, slot: 0 };
  // the step behind state `steps - 1` turns out to be the last one
  for (let state = 1; state < steps - 1; state++) {
    const slot = positions.pass(state);
    if (slot === null) continue;
    yield { kind: "advance", from: working, to: state };
    working = state;
    if (slot.taken) yield { kind: "free", slot: slot.slot };
    yield { kind: "store", state, slot: slot.slot };
  }
  if (steps - 1 > working) yield { kind: "advance", from: working, to: steps - 1 };
  yield { kind: "record", step: steps - 1 };
  yield { kind: "reverse", step: steps - 1 };
  yield* parts(steps - 1, positions);
}

/** Reverses the parts between stored states, from the last to the first. */
function* parts(steps: number, { states, slots, unused }: OnlinePositions): Generator<Action> {
  const free = [...unused];
  let end = steps;
  for (let part = states.length - 1; part >= 0; part--) {
    const start = states[part];
    // the part's own slot, then the free ones
    const own = [slots[part], ...free];
    if (end === start) yield { kind: "free", slot: slots[part] };
    else
      yield* reverseSegment(start, end, (depth) => ({ slot: own[depth], level: "ram" }), own.length, {
        stored: true,
        working: false,
      });
    free.push(slots[part]);
    end = start;
  }
}

export function online(name: string, c: number): Schedule {
  let last: { readonly steps: number; readonly advances: number } | null = null;
  const advancesOf = (steps: number): number => {
    if (last?.steps !== steps)
      last = { steps, advances: countStream(name, steps, actions(steps, c)).advances };
    return last.advances;
  };
  return {
    name,
    actions: (steps) => actions(steps, c),
    length: (steps) => 7 * steps,
    remarks(steps) {
      const advances = advancesOf(steps);
      const best = leastAdvances(steps, c);
      const reach = beta(c, 2, 1e15);
      return [
        `Length unknown beforehand: ${amount(advances, "advance")}; with the length known, revolve:${c} takes ${best}` +
          (advances === best ? ": the same." : ` (${amount((advances / best).toPrecision(4), "time")}).`),
        `Optimal at the lengths C(${c} + r, ${c})` +
          (reach < 1e15 ? ` and, found by trying, at all lengths up to ${reach}.` : "."),
      ];
    },
    details: (steps) => ({ optimalAdvances: leastAdvances(steps, c) }),
  };
}

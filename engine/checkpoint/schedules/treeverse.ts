/**
 * `treeverse:d`: the first logarithmic schedule, kept for comparison. Griewank 1992, "Achieving logarithmic growth of temporal and
 * spatial complexity in reverse automatic differentiation", Optimization Methods and Software 1(1).
 *
 * A part sigma..phi may use d more slots and be advanced through t more times. It is divided at kappa = ceil((d sigma + t phi) /
 * (d + t)); the part behind kappa is reversed first, with d - 1 slots; then the part before kappa, with t - 1 repetitions.
 */
import type { Action, Schedule } from "../actions.js";
import { leastAdvances, repetitions } from "../binomial.js";
import { countStream } from "../count.js";
import { amount } from "../words.js";

interface Part {
  readonly start: number;
  end: number;
  readonly slots: number;
  times: number;
}

function* actions(steps: number, d: number): Generator<Action> {
  const parts: Part[] = [{ start: 0, end: steps, slots: d, times: Math.max(1, repetitions(steps, d)) }];
  // the outermost part is entered where the chain begins and keeps nothing
  while (parts.length > 0) {
    const slot = parts.length - 2;
    const part = parts[parts.length - 1];
    const middle = part.times > 0 ? divide(part) : part.end;
    if (middle < part.end) {
      const { start, end, slots, times } = part;
      part.times--;
      part.end = middle;
      yield { kind: "store", state: start, slot: slot + 1 };
      yield { kind: "advance", from: start, to: middle };
      parts.push({ start: middle, end, slots: slots - 1, times });
      continue;
    }
    yield { kind: "record", step: part.start };
    yield { kind: "reverse", step: part.start };
    parts.pop();
    if (slot < 0) continue;
    yield { kind: "restore", slot };
    yield { kind: "free", slot };
  }
}

function divide({ start, end, slots, times }: Part): number {
  const middle = Math.ceil((slots * start + times * end) / (slots + times));
  return middle >= end && slots > 0 ? Math.max(start + 1, end - 1) : middle;
}

export function treeverse(name: string, d: number): Schedule {
  let last: { readonly steps: number; readonly advances: number; readonly states: number } | null = null;
  const measured = (steps: number): { readonly advances: number; readonly states: number } => {
    if (last?.steps !== steps) {
      const { advances, peakStates } = countStream(name, steps, actions(steps, d));
      last = { steps, advances, states: peakStates };
    }
    return last;
  };
  return {
    name,
    actions: (steps) => actions(steps, d),
    length: (steps) => 7 * steps,
    remarks(steps) {
      const { advances, states } = measured(steps);
      const best = leastAdvances(steps, d);
      return [
        `${amount(advances, "advance")} with ${states} of ${amount(d, "slot")}; the binomial optimum with ${amount(d, "slot")} is ${best}` +
          (best === advances ? ": the same." : `, ${amount((advances / best).toPrecision(4), "time")} less.`),
      ];
    },
    details: (steps) => ({ optimalAdvances: leastAdvances(steps, d) }),
  };
}

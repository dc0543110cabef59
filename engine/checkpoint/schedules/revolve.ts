/**
 * `revolve:c`: binomial checkpointing with c slots, the length known beforehand; no schedule that keeps states only runs fewer
 * steps. Griewank and Walther 2000, "Algorithm 799: Revolve", ACM TOMS 26(1).
 */
import type { CountsOf, Schedule } from "../actions.js";
import { exactLeastAdvances, exactLeastStores, exactRepetitions } from "../binomial.js";
import { reverseSegment } from "../segment.js";
import { amount } from "../words.js";

/** The slots that a chain of `steps` steps can use: states 0..steps-2, since the last step is recorded when it is reached. */
export function usableSlots(steps: number, slots: number): number {
  return Math.min(slots, Math.max(1, steps - 1));
}

/** Counts of a schedule with the least advances and stores, all of it in RAM. */
export function binomialCounts(steps: number, slots: number): CountsOf<bigint> {
  const n = BigInt(steps);
  const s = BigInt(slots);
  const advances = exactLeastAdvances(n, s);
  const peak = steps === 1 ? 0n : BigInt(usableSlots(steps, slots));
  return {
    peakStates: peak,
    peakTapes: 1n,
    peakSlots: peak,
    advances,
    records: n,
    uncomputes: 0n,
    totalForwards: advances + n,
    extraForwards: advances,
    replays: advances - (n - 1n),
    // every reversal but the first begins with a restore
    reads: n - 1n,
    writes: exactLeastStores(n, s),
    diskReads: 0n,
    diskWrites: 0n,
    peakDiskSlots: 0n,
  };
}

/** An upper bound of the actions of a binomial stream: at most seven a step. */
export const binomialLength = (steps: number): number => 7 * steps;

/** What is said when there are more slots than a chain can use. */
export function clipped(steps: number, slots: number, most = usableSlots(steps, slots)): readonly string[] {
  return slots > most
    ? [
        `${amount(slots, "slot")} are more than a chain of ${amount(steps, "step")} can use: clipped to ${most}.`,
      ]
    : [];
}

export function revolve(name: string, slots: number): Schedule {
  return {
    name,
    actions: (steps) => reverseSegment(0, steps, (depth) => ({ slot: depth, level: "ram" }), slots),
    closedForm: (steps) => binomialCounts(steps, slots),
    length: binomialLength,
    remarks(steps) {
      const s = BigInt(usableSlots(steps, slots));
      const r = exactRepetitions(BigInt(steps), s);
      return [
        ...clipped(steps, slots),
        `Binomial: no step is advanced more than ${r} ${r === 1n ? "time" : "times"}, and no schedule that keeps ${s} ${s === 1n ? "state" : "states"} runs fewer forwards. ` +
          "The recording run of every step comes on top, so that even with a slot for every state 2 n - 1 forwards are run.",
      ];
    },
    details(steps) {
      return { repetitions: exactRepetitions(BigInt(steps), BigInt(usableSlots(steps, slots))) };
    },
  };
}

/** `store-all`: every step is recorded in the first sweep and nothing is run again. The tapes are held, no states. */
import type { Action, Schedule } from "../actions.js";
import { amount } from "../words.js";

function* actions(steps: number): Generator<Action> {
  for (let step = 0; step < steps; step++) yield { kind: "record", step };
  for (let step = steps - 1; step >= 0; step--) yield { kind: "reverse", step };
}

export function storeAll(name: string): Schedule {
  return {
    name,
    actions,
    // every intermediate of a chain of L steps, its input and its output: L + 1
    model: (steps) => ({ peakStates: steps + 1, replays: 0 }),
    closedForm(steps) {
      const n = BigInt(steps);
      return {
        peakStates: 0n,
        peakTapes: n,
        peakSlots: 0n,
        advances: 0n,
        records: n,
        uncomputes: 0n,
        totalForwards: n,
        extraForwards: 0n,
        replays: 0n,
        reads: 0n,
        writes: 0n,
        diskReads: 0n,
        diskWrites: 0n,
        peakDiskSlots: 0n,
      };
    },
    length: (steps) => 2 * steps,
    remarks: (steps) => [
      `The model counts the ${amount(steps + 1, "state")} of the chain, its input and output included; executed, they are the tapes of its ${amount(steps, "step")}.`,
    ],
  };
}

/**
 * `reversible`: for chains of coupling layers. Nothing is stored: from the output state every layer is inverted, which evaluates its
 * f and g at the operands of the forward run, and so gives its tape at once (Gomez et al. 2017, "The reversible residual network").
 */
import type { Action, Schedule } from "../actions.js";

function* actions(steps: number): Generator<Action> {
  yield { kind: "advance", from: 0, to: steps };
  for (let step = steps - 1; step >= 0; step--) {
    yield { kind: "uncompute", step, tape: true };
    yield { kind: "reverse", step };
  }
}

export function reversible(name: string): Schedule {
  return {
    name,
    actions,
    closedForm(steps) {
      const n = BigInt(steps);
      return {
        peakStates: 0n,
        peakTapes: 1n,
        peakSlots: 0n,
        advances: n,
        records: n,
        uncomputes: n,
        totalForwards: 2n * n,
        extraForwards: n,
        replays: 0n,
        reads: 0n,
        writes: 0n,
        diskReads: 0n,
        diskWrites: 0n,
        peakDiskSlots: 0n,
      };
    },
    length: (steps) => 2 * steps + 1,
    remarks: () => [
      "Only for chains of coupling layers: the state before a layer is computed from the state behind it, with one more evaluation of f and g a layer (counted in records and extraForwards).",
      "The inverse is exact in real arithmetic only; a run reports the reconstruction error of every layer in ULPs.",
    ],
  };
}

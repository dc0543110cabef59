/**
 * `uniform-tapes:k`: blocks of k steps; the state before every block is kept, and a block is recorded whole while it is replayed,
 * so that its k tapes are held at once. The last block is recorded in the first sweep. This is what deep learning frameworks do for
 * a sequence of layers (Chen et al. 2016, "Training deep nets with sublinear memory cost").
 */
import type { Action, Schedule } from "../actions.js";
import { uniformCheckpointCost } from "../model.js";
import { clippedBlock } from "./uniform.js";
import { amount } from "../words.js";

function* actions(steps: number, k: number): Generator<Action> {
  const blocks = Math.ceil(steps / k);
  for (let block = 0; block < blocks - 1; block++) {
    yield { kind: "store", state: block * k, slot: block };
    yield { kind: "advance", from: block * k, to: block * k + k };
  }
  yield { kind: "store", state: (blocks - 1) * k, slot: blocks - 1 };
  for (let block = blocks - 1; block >= 0; block--) {
    const start = block * k;
    const end = Math.min(start + k, steps);
    if (block < blocks - 1) yield { kind: "restore", slot: block };
    for (let step = start; step < end; step++) yield { kind: "record", step };
    for (let step = end - 1; step >= start; step--) yield { kind: "reverse", step };
    yield { kind: "free", slot: block };
  }
}

export function uniformTapes(name: string, k: number): Schedule {
  const clip = (steps: number): number => Math.min(k, steps);
  return {
    name,
    actions: (steps) => actions(steps, clip(steps)),
    model(steps) {
      const cost = uniformCheckpointCost(steps, clip(steps));
      return { peakStates: cost.peakStateUnits, replays: cost.recomputedForwardEvaluations };
    },
    closedForm(steps) {
      const blocks = BigInt(Math.ceil(steps / clip(steps)));
      const n = BigInt(steps);
      const inner = (blocks - 1n) * BigInt(clip(steps));
      return {
        peakStates: blocks,
        peakTapes: BigInt(clip(steps)),
        peakSlots: blocks,
        advances: inner,
        records: n,
        uncomputes: 0n,
        totalForwards: inner + n,
        extraForwards: inner,
        replays: 0n,
        reads: blocks - 1n,
        writes: blocks,
        diskReads: 0n,
        diskWrites: 0n,
        peakDiskSlots: 0n,
      };
    },
    length: (steps) => 4 * steps,
    remarks(steps) {
      const size = clip(steps);
      const model = uniformCheckpointCost(steps, size);
      const blocks = Math.ceil(steps / size);
      const last = steps - (blocks - 1) * size;
      return [
        ...clippedBlock(steps, k),
        `The model (the textbook's theorem on uniform blocks) says ${amount(model.peakStateUnits, "state")} and ${amount(model.recomputedForwardEvaluations, "extra forward evaluation")}; ` +
          `the run held ${amount(blocks, "state")} + ${amount(size, "tape")} and ran ${amount(steps - last, "forward")} more than ${steps}.`,
        `Forwards: a block is recorded while it is replayed, all of its steps, and the last block (${amount(last, "step")}) in the first sweep: ${amount(steps - last, "advance")} + ${amount(steps, "record")} = ${2 * steps - last}. ` +
          "The theorem runs all steps of a block but the first again, since its steps need no record; here all that runs again is recorded, so no advance is a replay.",
        "Memory: what is held in the open block are tapes, which may be larger than states: the model counts both as one unit.",
      ];
    },
  };
}

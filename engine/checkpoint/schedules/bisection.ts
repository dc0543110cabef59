/**
 * `bisection`: the state in the middle is kept, the second half reversed, then the first; every half likewise. log2 n slots and
 * about n log2 n / 2 advances (Griewank 1992 compares it with treeverse).
 */
import type { Action, Schedule } from "../actions.js";
import { amount } from "../words.js";

function* actions(steps: number): Generator<Action> {
  yield { kind: "store", state: 0, slot: 0 };
  // the start of a frame lies in the slot of its depth
  const frames = [{ start: 0, end: steps }];
  let working = 0;
  while (frames.length > 0) {
    const slot = frames.length - 1;
    const frame = frames[slot];
    const { start, end } = frame;
    if (working !== start) yield { kind: "restore", slot };
    if (end - start === 1) {
      yield { kind: "free", slot };
      yield { kind: "record", step: start };
      yield { kind: "reverse", step: start };
      working = end;
      frames.pop();
      if (slot > 0) frames[slot - 1].end = start;
      continue;
    }
    // the first half is the longer one
    const middle = start + Math.ceil((end - start) / 2);
    yield { kind: "advance", from: start, to: middle };
    yield { kind: "store", state: middle, slot: slot + 1 };
    working = middle;
    frames.push({ start: middle, end });
  }
}

/** Advances and peak for `length` and `length + 1` steps at once: the halves of both are among floor and floor + 1. */
function halve(length: number): { advances: bigint; peak: number }[] {
  const bits: number[] = [];
  for (let n = length; n > 1; n = Math.floor(n / 2)) bits.push(n);
  // lengths 1 and 2
  let pair = [
    { advances: 0n, peak: 1 },
    { advances: 1n, peak: 2 },
  ];
  for (const n of bits.reverse()) {
    const half = Math.floor(n / 2);
    const of = (m: number): { advances: bigint; peak: number } => {
      const left = pair[Math.ceil(m / 2) - half];
      const right = pair[Math.floor(m / 2) - half];
      return {
        advances: BigInt(Math.ceil(m / 2)) + left.advances + right.advances,
        peak: Math.max(right.peak + 1, left.peak),
      };
    };
    pair = [of(n), of(n + 1)];
  }
  return pair;
}

export function bisection(name: string): Schedule {
  return {
    name,
    actions,
    closedForm(steps) {
      const [{ advances, peak }] = halve(steps);
      const n = BigInt(steps);
      return {
        peakStates: BigInt(peak),
        peakTapes: 1n,
        peakSlots: BigInt(peak),
        advances,
        records: n,
        uncomputes: 0n,
        totalForwards: advances + n,
        extraForwards: advances,
        replays: advances - (n - 1n),
        // a store for every start of a part, a restore behind every second half
        reads: n - 1n,
        writes: n,
        diskReads: 0n,
        diskWrites: 0n,
        peakDiskSlots: 0n,
      };
    },
    length: (steps) => 7 * steps,
    remarks: (steps) => [
      `Halving takes ${amount(halve(steps)[0].peak, "slot")} for ${amount(steps, "step")}; revolve with as many slots runs no more forwards.`,
    ],
  };
}

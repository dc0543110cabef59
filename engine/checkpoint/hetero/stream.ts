/** Operations on a heterogeneous chain as the actions of a schedule: states that are come back to go into slots, tapes are held. */
import type { Action } from "../actions.js";
import type { ChainOp } from "./ops.js";

/**
 * The actions of a legal list of operations. A state is put into a slot where some later step is run from it after the working state
 * has moved on, and its slot is freed behind the last such step: in the contained model a state that only a reversal reads lies
 * inside a tape or is held by one. Steps count from 0 in actions, from 1 in operations.
 */
export function* actionsOf(ops: readonly ChainOp[]): Generator<Action> {
  const { kept, last } = comesBack(ops);
  const slotOf = new Map<number, number>();
  const empty: number[] = [];
  let slots = 0;
  const take = (): number => empty.pop() ?? slots++;
  let working = 0;
  if (kept.has(-1)) {
    slotOf.set(0, take());
    yield { kind: "store", state: 0, slot: slotOf.get(0)! };
  }
  for (let k = 0; k < ops.length; k++) {
    const { kind, i } = ops[k];
    if (kind === "B") yield { kind: "reverse", step: i - 1 };
    else if (kind === "dB" || kind === "demote") {
      // a tape that is given up unused: the only way to drop one that is held
      const slot = take();
      yield { kind: "store", state: i - 1, slot, what: "tape" };
      yield { kind: "free", slot };
      empty.push(slot);
    } else if (kind === "F" || kind === "T") {
      if (working !== i - 1) {
        const slot = slotOf.get(i - 1)!;
        yield { kind: "restore", slot };
        if (last.has(k)) {
          yield { kind: "free", slot };
          slotOf.delete(i - 1);
          empty.push(slot);
        }
      }
      yield kind === "F" ? { kind: "advance", from: i - 1, to: i } : { kind: "record", step: i - 1 };
      working = i;
      if (kept.has(k)) {
        slotOf.set(i, take());
        yield { kind: "store", state: i, slot: slotOf.get(i)! };
      }
    }
  }
}

/** Which operations make a state that is restored later (-1: the input is), and which of those that run a step restore it last. */
function comesBack(ops: readonly ChainOp[]): { kept: Set<number>; last: Set<number> } {
  const madeBy = new Map<number, number>([[0, -1]]);
  const restoredBy = new Map<number, number>();
  let working = 0;
  ops.forEach(({ kind, i }, k) => {
    if (kind !== "F" && kind !== "T") return;
    if (working !== i - 1) restoredBy.set(madeBy.get(i - 1)!, k);
    working = i;
    madeBy.set(i, k);
  });
  return { kept: new Set(restoredBy.keys()), last: new Set(restoredBy.values()) };
}

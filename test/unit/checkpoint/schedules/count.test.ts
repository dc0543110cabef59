import { describe, expect, it } from "vitest";
import type { Action } from "../../../../engine/checkpoint/actions.js";
import { countStream, describeAction } from "../../../../engine/checkpoint/count.js";
import { BacksweepError } from "../../../../engine/trace/failure.js";

const store: Action = { kind: "store", state: 0, slot: 0 };
const record = (step: number): Action => ({ kind: "record", step });
const reverse = (step: number): Action => ({ kind: "reverse", step });

const refusal = (steps: number, actions: readonly Action[]): string => {
  try {
    countStream("test", steps, actions);
  } catch (error) {
    expect(error).toBeInstanceOf(BacksweepError);
    return (error as BacksweepError).message;
  }
  throw new Error("counted");
};

describe("the counter", () => {
  it.each<[string, number, readonly Action[], string]>([
    [
      "a step that is not at hand",
      2,
      [record(1)],
      "action 1 (record step 1) is not possible: the working state is state 0",
    ],
    ["a step beyond the end", 1, [{ kind: "advance", from: 0, to: 2 }], "steps go from 0 to 0"],
    ["an advance of nothing", 2, [{ kind: "advance", from: 0, to: 0 }], "is not possible"],
    [
      "an empty slot",
      1,
      [{ kind: "restore", slot: 3 }],
      "(restore slot 3) is not possible: the slot is empty",
    ],
    [
      "a slot freed twice",
      1,
      [store, { kind: "free", slot: 0 }, { kind: "free", slot: 0 }],
      "action 3 (free slot 0)",
    ],
    ["a slot written over", 1, [store, store], "the slot is taken"],
    ["a wrong state", 2, [{ kind: "store", state: 1, slot: 0 }], "the working state is state 0"],
    ["a reversal out of order", 2, [record(0), reverse(0)], "the next step to reverse is 1"],
    ["a reversal with no tape", 1, [reverse(0)], "no tape of step 0 is held"],
    [
      "a tape that is not there",
      1,
      [{ kind: "store", state: 0, slot: 0, what: "tape" }],
      "no tape of step 0 is held",
    ],
    [
      "a step recorded twice",
      1,
      [store, record(0), { kind: "restore", slot: 0 }, record(0)],
      "a tape of step 0 is held already",
    ],
    [
      "a pebble that is not there",
      2,
      [{ kind: "uncompute", step: 0, slot: 0 }],
      "the slot does not hold state 1",
    ],
    ["steps left over", 2, [store], "the stream ends with steps 0 to 1 not reversed"],
    ["the other level", 1, [store, { kind: "restore", slot: 0, level: "disk" }], "(restore disk slot 0)"],
  ])("refuses %s", (_, steps, actions, message) => {
    expect(refusal(steps, actions)).toContain(message);
    expect(refusal(steps, actions)).toContain("schedule test");
  });

  it("counts a tape that was restored from its slot once", () => {
    const counts = countStream("test", 2, [
      record(0),
      { kind: "store", state: 0, slot: 0, what: "tape" },
      record(1),
      reverse(1),
      { kind: "restore", slot: 0 },
      reverse(0),
      { kind: "free", slot: 0 },
    ]);
    expect(counts).toMatchObject({
      peakTapes: 2,
      peakStates: 0,
      peakSlots: 1,
      totalForwards: 2,
      reads: 1,
      writes: 1,
    });
  });

  it("counts reversible moves", () => {
    const inverse = countStream("test", 1, [
      { kind: "advance", from: 0, to: 1 },
      { kind: "uncompute", step: 0, tape: true },
      reverse(0),
    ]);
    expect(inverse).toMatchObject({
      advances: 1,
      records: 1,
      uncomputes: 1,
      totalForwards: 2,
      extraForwards: 1,
      replays: 0,
    });
    const pebble = countStream("test", 1, [
      store,
      { kind: "advance", from: 0, to: 1 },
      { kind: "store", state: 1, slot: 1 },
      { kind: "restore", slot: 0 },
      { kind: "uncompute", step: 0, slot: 1 },
      record(0),
      reverse(0),
    ]);
    expect(pebble).toMatchObject({ peakStates: 2, advances: 1, uncomputes: 1, totalForwards: 3 });
  });

  it("has words for every action", () => {
    expect(describeAction({ kind: "advance", from: 3, to: 7 })).toBe("advance 3 to 7");
    expect(describeAction({ kind: "store", state: 2, slot: 1, level: "disk" })).toBe(
      "store state 2 in disk slot 1",
    );
    expect(describeAction({ kind: "store", state: 2, slot: 1, what: "tape" })).toBe(
      "store tape of step 2 in slot 1",
    );
    expect(describeAction({ kind: "uncompute", step: 2 })).toBe("uncompute step 2");
    expect(describeAction({ kind: "uncompute", step: 2, tape: true })).toBe(
      "uncompute step 2, keeping its tape",
    );
    expect(describeAction({ kind: "uncompute", step: 2, slot: 4 })).toBe("uncompute state 3 in slot 4");
  });
});

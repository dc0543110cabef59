import { describe, expect, it } from "vitest";
import type { Action, Schedule } from "../../../../engine/checkpoint/actions.js";
import {
  bennett,
  bennettCounts,
  Optimum,
  pebble,
  reversalPebbles,
} from "../../../../engine/checkpoint/pebbling/index.js";

/** Runs a stream on states that are numbers, refusing every action whose operands are not there. */
function run(schedule: Schedule, steps: number) {
  const slots = new Map<number, number>();
  const reversed: number[] = [];
  let working = 0;
  let tape = -1;
  let peak = 0;
  let advances = 0;
  let uncomputes = 0;
  const need = (condition: boolean, action: Action): void => {
    if (!condition) throw new Error(JSON.stringify(action));
  };
  for (const action of schedule.actions(steps)) {
    switch (action.kind) {
      case "advance":
        need(working === action.from && action.to > action.from, action);
        advances += action.to - action.from;
        working = action.to;
        break;
      case "record":
        need(working === action.step && tape === -1, action);
        tape = action.step;
        working++;
        break;
      case "reverse":
        need(tape === action.step, action);
        reversed.push(action.step);
        tape = -1;
        break;
      case "store":
        need(working === action.state && !slots.has(action.slot), action);
        slots.set(action.slot, action.state);
        peak = Math.max(peak, slots.size);
        break;
      case "restore":
        need(slots.has(action.slot), action);
        working = slots.get(action.slot)!;
        break;
      case "free":
        need(slots.delete(action.slot), action);
        break;
      case "uncompute":
        need(working === action.step && slots.get(action.slot!) === action.step + 1, action);
        slots.delete(action.slot!);
        uncomputes++;
    }
  }
  expect(slots.size).toBe(0);
  expect(reversed).toEqual(Array.from({ length: steps }, (_, i) => steps - 1 - i));
  return { peak, advances, uncomputes };
}

describe("the pebble schedules", () => {
  it("reverse every chain with the counted moves", () => {
    for (const steps of [1, 2, 3, 7, 8, 16, 33, 64, 100]) {
      for (let p = Math.max(1, reversalPebbles(steps)); p <= Math.min(steps + 1, 12); p++) {
        const { peak, advances, uncomputes } = run(pebble(p), steps);
        const used = Math.min(p, steps - 1);
        const moves = steps === 1 ? 0 : new Optimum(steps, used).moves("reverse", steps, used);
        expect(advances).toBe(uncomputes);
        expect(advances + uncomputes).toBe(moves);
        expect(peak).toBeLessThanOrEqual(p + 1);
      }
      const counts = bennettCounts("reverse", steps);
      const ran = run(bennett(), steps);
      expect(ran.advances + ran.uncomputes).toBe(counts.moves);
      expect(ran.peak).toBe(steps === 1 ? 0 : counts.pebbles + 1);
    }
  });

  it("hold every state when there are pebbles enough", () => {
    expect(run(pebble(5000), 3000)).toEqual({ peak: 3000, advances: 2999, uncomputes: 2999 });
  });

  it("say how many pebbles are too few, and what is no number of pebbles", () => {
    expect(() => pebble(3).actions(9)).toThrow("pebble:3: 9 steps need 4 pebbles at least");
    expect(() => pebble(0)).toThrow("pebble:0: the number of pebbles is a whole number from 1");
  });

  it("say what Bennett's strategy costs beyond the optimum", () => {
    expect(bennett().remarks!(64).join(" ")).toMatch(
      /halving makes \d+ moves with \d+ pebbles; pebble:\d+ makes \d+/,
    );
  });

  it("stream a long chain without a table over its length", () => {
    const steps = 30_000;
    let moves = 0;
    for (const action of pebble(40).actions(steps))
      if (action.kind === "advance" || action.kind === "uncompute") moves++;
    expect(moves).toBe(new Optimum(steps, 40).moves("reverse", steps, 40));
  });
});

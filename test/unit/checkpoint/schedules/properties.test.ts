/** What holds for every schedule at every length: valid streams, slots kept to, the input always recoverable, nothing below the curve. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, Counts } from "../../../../engine/checkpoint/actions.js";
import { beta, exactRepetitions, leastAdvances } from "../../../../engine/checkpoint/binomial.js";
import { StreamCounter } from "../../../../engine/checkpoint/count.js";
import { scheduleKinds } from "../../../../engine/checkpoint/kinds.js";
import { parseSchedule } from "../../../../engine/checkpoint/parse.js";
import { usableSlots } from "../../../../engine/checkpoint/schedules/revolve.js";

/** A name of the schedule with arguments from two small numbers, and how many slots it may take (null: no promise). */
const names: Readonly<Record<string, (a: number, b: number) => readonly [string, number | null]>> = {
  "store-all": () => ["store-all", 0],
  none: () => ["none", 1],
  uniform: (a) => [`uniform:${a}`, null],
  "uniform-keep-last": (a) => [`uniform-keep-last:${a}`, null],
  "uniform-tapes": (a) => [`uniform-tapes:${a}`, null],
  sqrt: () => ["sqrt", null],
  bisection: () => ["bisection", null],
  revolve: (a) => [`revolve:${a}`, a],
  multistage: (a, b) => [`multistage:${a},${b}`, a + b],
  mixed: (a) => [`mixed:${a}`, a],
  hrevolve: (a, b) => [`hrevolve:${a},${b},1,2,1.5,0.5`, a + b],
  "disk-revolve": (a, b) => [`disk-revolve:${a},${b},1,1,2`, null],
  online: (a) => [`online:${a}`, a],
  treeverse: (a) => [`treeverse:${a}`, a],
  reversible: () => ["reversible", 0],
  bennett: () => ["bennett", null],
  pebble: (a) => [`pebble:${a + 8}`, a + 9],
  "chain-budget": (a, b) => [`chain-budget:${a + b + 20}`, null],
  auto: (a, b) => [`auto:${a + b}`, null],
};

/** Runs a stream; after every action, says whether steps that are left can still be run: from a state, or with tapes for all. */
function watch(
  name: string,
  steps: number,
): { counts: Counts; most: number; lost: Action | null; leftOver: number; runs: Int32Array } {
  const counter = new StreamCounter(name, steps);
  const states = new Map<string, number>();
  const tapes = new Set<number>();
  const runs = new Int32Array(steps);
  let working = 0;
  let left = steps;
  let most = 0;
  let lost: Action | null = null;
  const slotOf = (slot: number, level = "ram"): string => `${level} ${slot}`;
  for (const action of parseSchedule(name).actions(steps)) {
    counter.take(action);
    most = Math.max(most, counter.slotsInUse);
    if (action.kind === "advance") {
      for (let i = action.from; i < action.to; i++) runs[i]++;
      working = action.to;
    } else if (action.kind === "record") {
      tapes.add(action.step);
      working = action.step + 1;
    } else if (action.kind === "reverse") left--;
    else if (action.kind === "store" && action.what !== "tape")
      states.set(slotOf(action.slot, action.level), action.state);
    else if (action.kind === "restore") working = states.get(slotOf(action.slot, action.level)) ?? working;
    else if (action.kind === "free") states.delete(slotOf(action.slot, action.level));
    else if (action.kind === "uncompute" && action.slot !== undefined) states.delete(slotOf(action.slot));
    else if (action.kind === "uncompute") working = action.step;
    // the first state is at hand, or tapes of the first steps reach up to a state, or states are computed back
    let covered = 0;
    while (covered < left && tapes.has(covered)) covered++;
    const from = (state: number): boolean => state <= covered;
    const recoverable = covered >= left || from(working) || [...states.values()].some(from);
    if (left > 0 && !recoverable && !name.startsWith("reversible")) lost ??= action;
  }
  return { counts: counter.finish(), most, lost, leftOver: counter.slotsInUse, runs };
}

describe("every schedule", () => {
  it("is tried here", () => {
    expect(Object.keys(names).sort()).toEqual(
      scheduleKinds
        .map(({ word }) => word as string)
        .filter((word) => word !== "budget")
        .sort(),
    );
  });

  it.each(Object.keys(names))("%s: valid, within its slots, the input never lost", (word) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 2, max: 14 }),
        fc.integer({ min: 1, max: 6 }),
        (steps, a, b) => {
          const [name, slots] = names[word](a, b);
          const { counts, most, lost, leftOver } = watch(name, steps);
          expect({ name, steps, lost, leftOver }).toEqual({ name, steps, lost: null, leftOver: 0 });
          expect(counts.totalForwards).toBeGreaterThanOrEqual(steps);
          expect(counts.replays).toBeGreaterThanOrEqual(0);
          if (slots !== null)
            expect({ name, steps, fits: most <= slots }).toEqual({ name, steps, fits: true });
          if (counts.uncomputes === 0) expect(counts.records).toBeGreaterThanOrEqual(steps);
          // states only: not below the binomial curve
          if (counts.peakTapes === 1 && counts.uncomputes === 0 && counts.peakStates > 0)
            expect(counts.extraForwards).toBeGreaterThanOrEqual(leastAdvances(steps, counts.peakStates));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(["revolve", "multistage", "online", "treeverse"])("%s: the same stream every time", (word) => {
    const [name] = names[word](5, 3);
    const schedule = parseSchedule(name);
    expect([...schedule.actions(60)]).toEqual([...schedule.actions(60)]);
    expect([...schedule.actions(60)]).toEqual([...parseSchedule(name).actions(60)]);
  });
});

describe("revolve", () => {
  it("advances no step more than r times, and some step r times", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 1, max: 12 }), (steps, slots) => {
        const { runs } = watch(`revolve:${slots}`, steps);
        const r = Number(exactRepetitions(BigInt(steps), BigInt(usableSlots(steps, slots))));
        expect(Math.max(...runs)).toBe(r);
      }),
      { numRuns: 80 },
    );
  });

  it("streams a million steps in as many frames as slots, and the first actions of 10^15 at once", () => {
    const counter = new StreamCounter("revolve:12", 1e6);
    let most = 0;
    for (const action of parseSchedule("revolve:12").actions(1e6)) {
      counter.take(action);
      most = Math.max(most, counter.slotsInUse);
    }
    expect(most).toBe(12);
    expect(counter.finish().advances).toBe(leastAdvances(1e6, 12));
    const first: Action[] = [];
    for (const action of parseSchedule("revolve:3").actions(1e15)) {
      first.push(action);
      if (first.length === 4) break;
    }
    expect(first.map(({ kind }) => kind)).toEqual(["store", "advance", "store", "advance"]);
  });

  it("changes over from exact integers to doubles without a seam", () => {
    // a chain just above the limit of doubles: its right parts lie below
    const steps = 90_000_007;
    const counter = new StreamCounter("revolve:2000", steps);
    let taken = 0;
    for (const action of parseSchedule("revolve:2000").actions(steps)) {
      counter.take(action);
      if (++taken === 200_000) break;
    }
    expect(counter.slotsInUse).toBeLessThanOrEqual(2000);
  });
});

describe("online", () => {
  it("does the same first sweep whatever the length turns out to be", () => {
    const sweep = (steps: number): Action[] => {
      const actions: Action[] = [];
      for (const action of parseSchedule("online:4").actions(steps)) {
        if (action.kind === "record") break;
        actions.push(action);
      }
      return actions;
    };
    const long = sweep(200);
    for (let steps = 2; steps < 200; steps++) {
      const short = sweep(steps);
      // its last advance may stop short of where the longer chain stores next
      expect(long.slice(0, short.length - 1)).toEqual(short.slice(0, -1));
    }
  });

  it("is optimal at every beta(c, r) and up to beta(c, 2), and near the optimum in between", () => {
    for (const c of [2, 3, 4, 6]) {
      let worst = 1;
      for (let steps = 2; steps <= 260; steps++) {
        const { advances } = watch(`online:${c}`, steps).counts;
        const least = leastAdvances(steps, c);
        const unique = [1, 2, 3, 4, 5].some((r) => beta(c, r) === steps);
        if (unique || steps <= beta(c, 2)) expect([c, steps, advances]).toEqual([c, steps, least]);
        worst = Math.max(worst, advances / least);
      }
      expect(worst).toBeLessThan(1.13);
    }
  });
});

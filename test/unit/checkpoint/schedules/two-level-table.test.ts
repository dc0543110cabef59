/** The table of the two-level optimum against the recurrence tried division by division. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leastAdvances } from "../../../../engine/checkpoint/binomial.js";
import { LeastSlopes } from "../../../../engine/checkpoint/schedules/least-slopes.js";
import { TwoLevelTable, type LevelCosts } from "../../../../engine/checkpoint/schedules/two-level-table.js";

/** best(n, m) as the head of two-level-table.ts has it, every division tried. */
function optimum(
  steps: number,
  ram: number,
  disk: number,
  { uf, ub, wd, rd }: LevelCosts,
  once: boolean,
): number {
  const inRam = (n: number): number => (n < 2 ? 0 : ram === 0 ? Infinity : uf * leastAdvances(n, ram));
  let best = Array.from({ length: steps + 1 }, (_, n) => inRam(n));
  const rows = disk === Infinity ? steps : Math.min(disk, steps - 1);
  for (let m = 1; m <= rows; m++) {
    const onDisk = [0, 0];
    const next = [0, 0];
    for (let n = 2; n <= steps; n++) {
      let least = inRam(n);
      for (let j = 1; j < n; j++)
        least = Math.min(least, j * uf + best[n - j]! + rd + (once ? inRam(j) : onDisk[j]!));
      onDisk[n] = least;
      next[n] = Math.min(inRam(n), wd + least);
    }
    best = next;
  }
  return best[steps]! + ub * steps;
}

const whole = fc.integer({ min: 0, max: 9 });
const broken = fc.double({ min: 0, max: 4, noNaN: true });
const cost = fc.oneof(whole, broken, fc.constantFrom(0.1, 0.25, 1));
const costs = fc.record({
  uf: fc.oneof(fc.constant(1), fc.double({ min: 0.1, max: 3, noNaN: true })),
  ub: whole,
  wd: cost,
  rd: cost,
});

describe("the two-level table", () => {
  it.each([
    ["states read as often as it pays", false],
    ["states read once", true],
  ])("has the optimum of all divisions: %s", (_, once) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 0, max: 5 }),
        fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(Infinity)),
        costs,
        (steps, ram, disk, chosen) => {
          const wanted = optimum(steps, ram, disk, chosen, once);
          const found = new TwoLevelTable("test", steps, ram, disk, chosen, once).optimum;
          // one disk slot and no RAM, each state read once: there is none
          if (wanted === Infinity) expect(found).toBe(Infinity);
          else expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-11 * wanted);
        },
      ),
      { numRuns: 120 },
    );
  });

  it("of long chains, too", () => {
    for (const [steps, ram, disk, wd, rd] of [
      [300, 3, 20, 0.1, 0.1],
      [400, 10, 40, 2, 2],
      [250, 1, 100, 0.3, 5],
      [300, 0, 30, 7, 0.5],
    ] as const) {
      const chosen = { uf: 1, ub: 1, wd, rd };
      const wanted = optimum(steps, ram, disk, chosen, false);
      const found = new TwoLevelTable("test", steps, ram, disk, chosen).optimum;
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-11 * wanted);
    }
  });
});

it("least slopes are the least from a place on", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 40 }), (values) => {
      const slopes = new LeastSlopes(values.length, 3);
      values.forEach((value, end) => {
        slopes.push(value);
        for (let from = 0; from <= end; from++)
          expect(slopes.from(3 + from)).toBe(Math.min(...values.slice(from, end + 1)));
      });
    }),
  );
});

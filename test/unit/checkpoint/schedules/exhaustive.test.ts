/** Optimal schedules against a search over all configurations of small chains. */
import { describe, expect, it } from "vitest";
import {
  leastAdvances,
  beta,
  repetitions,
  exactLeastStores,
} from "../../../../engine/checkpoint/binomial.js";
import { countStream } from "../../../../engine/checkpoint/count.js";
import { parseSchedule } from "../../../../engine/checkpoint/parse.js";
import { leastCost } from "./search.js";

const counts = (name: string, steps: number): ReturnType<typeof countStream> =>
  countStream(name, steps, parseSchedule(name).actions(steps));

describe("exhaustive search", () => {
  it("finds nothing below revolve", () => {
    for (let steps = 1; steps <= 8; steps++)
      for (let ram = 1; ram <= 4; ram++) {
        const least = leastCost({ steps, ram, costs: { uf: 1, ur: 0, wd: 0, rd: 0 } });
        expect([steps, ram, counts(`revolve:${ram}`, steps).advances]).toEqual([steps, ram, least]);
        expect(leastAdvances(steps, ram)).toBe(least);
      }
  });

  it("finds nothing below mixed", () => {
    for (let steps = 1; steps <= 7; steps++)
      for (let ram = 1; ram <= 3; ram++) {
        const least = leastCost({ steps, ram, tapes: true, costs: { uf: 1, ur: 1, wd: 0, rd: 0 } });
        expect([steps, ram, counts(`mixed:${ram}`, steps).totalForwards]).toEqual([steps, ram, least]);
      }
  });

  it.each([
    [1, 1, 0, 0],
    [1, 3, 2, 1],
    [2, 1, 1, 5],
    [3, 1, 5, 1],
    [1, 10, 0.5, 0.25],
  ])("finds nothing below hrevolve with uf %d, ub %d, wd %d, rd %d", (uf, ub, wd, rd) => {
    for (let steps = 1; steps <= 7; steps++)
      for (const [ram, disk] of [
        [1, 1],
        [1, 2],
        [2, 1],
        [0, 2],
      ]) {
        const least = leastCost({ steps, ram, disk, costs: { uf, ur: ub, wd, rd } });
        const name = `hrevolve:${ram},${disk},${uf},${ub},${wd},${rd}`;
        const { advances, diskReads, diskWrites } = counts(name, steps);
        const cost = uf * advances + ub * steps + wd * diskWrites + rd * diskReads;
        expect([name, steps, cost]).toEqual([name, steps, least]);
      }
  });
});

/** t(n, s) with the fewest stores among all divisions, by dynamic programming. */
function table(longest: number, most: number): { advances: number; stores: number }[][] {
  const best: { advances: number; stores: number }[][] = [];
  for (let s = 0; s <= most; s++) {
    best.push([]);
    for (let n = 0; n <= longest; n++) {
      if (n <= 1 || s === 0) {
        best[s].push({ advances: n <= 1 ? 0 : Infinity, stores: 0 });
        continue;
      }
      let least = { advances: Infinity, stores: 0 };
      for (let m = 1; m < n; m++) {
        const left = best[s][m];
        const right = best[s - 1][n - m];
        const advances = m + left.advances + right.advances;
        const stores = left.stores + right.stores + (n - m > 1 ? 1 : 0);
        if (advances < least.advances || (advances === least.advances && stores < least.stores))
          least = { advances, stores };
      }
      best[s].push(least);
    }
  }
  return best;
}

describe("the binomial closed form", () => {
  it("agrees with dynamic programming, stores too", () => {
    const best = table(120, 12);
    for (let s = 1; s <= 12; s++)
      for (let n = 2; n <= 120; n++) {
        const slots = Math.min(s, n - 1);
        const { advances, writes } = counts(`revolve:${s}`, n);
        expect({ n, s, advances, writes }).toEqual({
          ...{ n, s },
          ...{ advances: best[slots][n].advances, writes: best[slots][n].stores + 1 },
        });
        expect(Number(exactLeastStores(BigInt(n), BigInt(s)))).toBe(writes);
      }
  });

  it("has the smallest r", () => {
    for (let s = 1; s <= 12; s++)
      for (let n = 2; n <= 400; n++) {
        const r = repetitions(n, s);
        expect(beta(s, r) >= n && beta(s, r - 1) < n).toBe(true);
      }
  });
});

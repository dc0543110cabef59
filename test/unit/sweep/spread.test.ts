import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rounder, unitInLastPlace } from "../../../engine/ops/dtype.js";
import { SpreadCounter, ulpsApart } from "../../../engine/sweep/spread.js";
import { exactSum } from "../../../engine/sweep/spread-exact.js";
import { isReachable, permutations, shuffled } from "../../../engine/sweep/spread-orders.js";
import type { Dtype } from "../../../engine/trace/trace.js";
import { random } from "../ops/samples.js";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Sum by Shewchuk's expansions (1997): an independent exact accumulator, of no overflow in these tests. */
function expansionSum(terms: readonly number[]): number {
  let partials: number[] = [];
  for (let x of terms) {
    const next: number[] = [];
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const hi = x + y;
      const lo = y - (hi - x);
      if (lo !== 0) next.push(lo);
      x = hi;
    }
    partials = [...next, x];
  }
  let hi = 0;
  let i = partials.length;
  while (i > 0) {
    const x = hi;
    const y = partials[--i];
    hi = x + y;
    const lo = y - (hi - x);
    if (lo !== 0) {
      // half-way: the sign of what is left decides
      const left = i > 0 ? partials[i - 1] : 0;
      if ((lo < 0 && left < 0) || (lo > 0 && left > 0)) {
        const twice = 2 * lo;
        const moved = hi + twice;
        if (twice === moved - hi) hi = moved;
      }
      break;
    }
  }
  return hi;
}

describe("the exact sum", () => {
  it("equals that of Shewchuk's expansions", () => {
    const tame = fc.double({ min: -1e150, max: 1e150, noNaN: true });
    fc.assert(
      fc.property(fc.array(tame, { maxLength: 12 }), (terms) => {
        expect(exactSum(terms, "f64")).toBe(expansionSum(terms) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps what cancels, overflows on the way, or is subnormal", () => {
    expect(exactSum([1e308, 1e308, -1e308], "f64")).toBe(1e308);
    expect(exactSum([1e308, 1e308], "f64")).toBe(Infinity);
    expect(exactSum([1e300, 1, -1e300, 2 ** -1074], "f64")).toBe(1);
    expect(exactSum([5e-324, 5e-324], "f64")).toBe(1e-323);
    expect(exactSum([2 ** -1022, -(2 ** -1074)], "f64")).toBe(2 ** -1022 - 2 ** -1074);
    expect(exactSum([-3, 3], "f64")).toBe(0);
    expect(exactSum([], "f64")).toBe(0);
    expect(exactSum([Infinity, -1], "f64")).toBe(Infinity);
    expect(exactSum([Infinity, -Infinity], "f64")).toBeNaN();
  });

  it("rounds ties to even", () => {
    expect(exactSum([2 ** 53, 1], "f64")).toBe(2 ** 53);
    expect(exactSum([2 ** 53, 1, 2 ** -60], "f64")).toBe(2 ** 53 + 2);
    expect(exactSum([2 ** 53, 3], "f64")).toBe(2 ** 53 + 4);
    expect(exactSum([2 ** 53, 3, -(2 ** -60)], "f64")).toBe(2 ** 53 + 2);
  });

  it("rounds once to a narrow format, not twice", () => {
    // the double nearest to 1 + 2^-24 + 2^-60 is the f32 tie, which would go down
    const terms = [1, 2 ** -24, 2 ** -90];
    expect(exactSum(terms, "f32")).toBe(1 + 2 ** -23);
    expect(Math.fround(exactSum(terms, "f64"))).toBe(1);
    expect(exactSum([65504, 15.99], "f16")).toBe(65504);
    expect(exactSum([65504, 16], "f16")).toBe(Infinity);
  });

  it("is the same in every order and of the format", () => {
    fc.assert(
      fc.property(
        fc.array(finite, { minLength: 2, maxLength: 8 }),
        fc.constantFrom<Dtype>("f64", "f32", "f16", "bf16"),
        (terms, dtype) => {
          const sum = exactSum(terms, dtype);
          expect(exactSum(terms.slice().reverse(), dtype)).toBe(sum);
          expect(Object.is(rounder(dtype)(sum), sum)).toBe(true);
        },
      ),
    );
  });
});

describe("units in the last place", () => {
  it("are the gap to the next number", () => {
    expect(unitInLastPlace("f64", 1)).toBe(2 ** -52);
    expect(unitInLastPlace("f64", -1.5)).toBe(2 ** -52);
    expect(unitInLastPlace("f32", 16777216)).toBe(2);
    expect(unitInLastPlace("f16", 1000)).toBe(0.5);
    expect(unitInLastPlace("bf16", 3)).toBe(2 ** -6);
    expect(unitInLastPlace("f64", 0)).toBe(5e-324);
    expect(unitInLastPlace("f32", 1e-45)).toBe(2 ** -149);
  });

  it("measure distances", () => {
    expect(ulpsApart(1 + 2 ** -51, 1, "f64")).toBe(2);
    expect(ulpsApart(NaN, 1, "f64")).toBeNaN();
    expect(ulpsApart(NaN, NaN, "f64")).toBe(0);
    expect(ulpsApart(Infinity, 1, "f64")).toBe(Infinity);
    expect(ulpsApart(-0, 0, "f64")).toBe(0);
  });
});

describe("orders", () => {
  it("enumerates every permutation once", () => {
    for (let n = 0; n <= 6; n++) {
      const seen = new Set(Array.from(permutations(n), (p) => p.join()));
      let factorial = 1;
      for (let i = 2; i <= n; i++) factorial *= i;
      expect(seen.size).toBe(factorial);
      for (const text of seen) {
        expect(
          text
            .split(",")
            .filter((x) => x !== "")
            .map(Number)
            .sort(),
        ).toEqual(Array.from({ length: n }, (_, i) => i));
      }
    }
  });

  it("shuffles to permutations, all of them in the long run", () => {
    const next = random(5);
    const seen = new Set<string>();
    for (let i = 0; i < 500; i++) seen.add(shuffled(4, next).join());
    expect(seen.size).toBe(24);
  });

  it("keeps a consumer's slots together, the seed first, and what is used after its user", () => {
    // seed; consumer 0 with two slots; consumer 1, which consumer 0 comes before
    const arrivals = { edges: [-1, 10, 11, 12], consumerOf: [-1, 0, 0, 1], consumers: [7, 5] };
    const free = Uint8Array.of(0, 0, 0, 0);
    const fixed = Uint8Array.of(0, 1, 0, 0);
    expect(isReachable(arrivals, free, [0, 1, 2, 3])).toBe(true);
    expect(isReachable(arrivals, free, [0, 3, 1, 2])).toBe(true);
    expect(isReachable(arrivals, fixed, [0, 3, 1, 2])).toBe(false);
    expect(isReachable(arrivals, free, [0, 1, 3, 2])).toBe(false);
    expect(isReachable(arrivals, free, [0, 2, 1, 3])).toBe(false);
    expect(isReachable(arrivals, free, [1, 2, 0, 3])).toBe(false);
  });
});

describe("a counter", () => {
  it("tells the results of a mode apart", () => {
    const terms = [1e16, 1, -1e16];
    const counter = new SpreadCounter("sum", "f64", terms, exactSum(terms, "f64"));
    for (const p of permutations(3)) counter.add(p);
    expect(counter.result()).toEqual({
      orders: 6,
      distinct: 2,
      min: 0,
      max: 1,
      worstUlps: 2 ** 52,
      exact: 2,
    });
    const kahan = new SpreadCounter("kahan", "f64", terms, 1);
    for (const p of permutations(3)) kahan.add(p);
    expect(kahan.result()).toEqual({ orders: 6, distinct: 1, min: 1, max: 1, worstUlps: 0, exact: 6 });
  });

  it("shows NaN as NaN", () => {
    const counter = new SpreadCounter("sum", "f64", [Infinity, -Infinity, 1], NaN);
    counter.add([0, 1, 2]);
    expect(counter.result()).toEqual({ orders: 1, distinct: 1, min: NaN, max: NaN, worstUlps: 0, exact: 1 });
  });
});

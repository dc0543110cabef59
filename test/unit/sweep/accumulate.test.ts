import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAccumulation, runningSums, total } from "../../../engine/sweep/accumulate.js";
import { graph, mul, add } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";

/** Exact sum of doubles as a rational over a power of two. */
function exact(terms: readonly number[]): number {
  let sum = 0n;
  for (const term of terms) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, term);
    const bits = view.getBigUint64(0);
    const exponent = Number((bits >> 52n) & 0x7ffn);
    const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
    const shift = 1100n + BigInt((exponent === 0 ? 1 : exponent) - 1075);
    sum += (bits >> 63n === 1n ? -1n : 1n) * (shift >= 0n ? mantissa << shift : mantissa >> -shift);
  }
  const magnitude = sum < 0n ? -sum : sum;
  const drop = Math.max(0, magnitude.toString(2).length - 64);
  return (sum < 0n ? -1 : 1) * Number(magnitude >> BigInt(drop)) * 2 ** (drop - 550) * 2 ** -550;
}

const term = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("accumulation modes", () => {
  it("reads the option's text and refuses others by name", () => {
    expect(parseAccumulation("last-writer-wins:a")).toEqual({
      kind: "last-writer-wins",
      where: { name: "a" },
    });
    expect(parseAccumulation("kahan")).toEqual({ kind: "kahan" });
    expect(() => parseAccumulation("avg")).toThrow(/unknown accumulation "avg"/);
    expect(() => parseAccumulation("last-writer-wins:")).toThrow(/unknown accumulation/);
  });

  it("kahan is at least as near to the exact sum as rounding allows", () => {
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 60 }), (terms) => {
        const truth = exact(terms);
        const scale = terms.reduce((s, t) => s + Math.abs(t), 0);
        expect(Math.abs(total("kahan", terms, null) - truth)).toBeLessThanOrEqual(
          2 ** -52 * Math.abs(truth) + 2 ** -90 * scale,
        );
      }),
    );
  });

  it("recovers the term a plain sum loses", () => {
    expect(total("sum", [1, 1e100, 1, -1e100], null)).toBe(0);
    expect(total("kahan", [1, 1e100, 1, -1e100], null)).toBe(2);
    expect(total("pairwise", [1e16, 1, 1, 1], null)).toBe(1e16 + 2);
  });

  it("keeps infinities and NaN", () => {
    for (const mode of ["sum", "pairwise", "kahan"] as const) {
      expect(total(mode, [1, Infinity], null)).toBe(Infinity);
      expect(total(mode, [Infinity, -Infinity], null)).toBeNaN();
      expect(total(mode, [], null)).toBe(0);
    }
  });

  it("rounds every addition to the cotangent's format", () => {
    const ones = Array.from({ length: 3 }, () => 2 ** 24).concat([1]);
    expect(total("sum", ones, Math.fround)).toBe(Math.fround(3 * 2 ** 24));
  });

  it("running sums end at the total", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("sum", "pairwise", "kahan") as fc.Arbitrary<"sum" | "pairwise" | "kahan">,
        fc.array(term, { minLength: 1, maxLength: 20 }),
        (mode, terms) => {
          expect(runningSums(mode, terms, null).at(-1)).toBe(total(mode, terms, null));
        },
      ),
    );
  });

  it("gives the fan-out example's named wrong answers", () => {
    const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
      const a = mul(x, y);
      return mul(add(a, x), mul(a, y));
    });
    expect(sweep(fanOut).report.lastWriterWins.gradient).toEqual({ x: 90, y: 96 });
    expect(sweep(fanOut, { order: "tape" }).report.lastWriterWins.gradient).toEqual({ x: 72, y: 84 });
    expect(sweep(fanOut, { order: "tape" }).report.gradient).toEqual({ x: 144, y: 132 });
    for (const accumulate of ["sum", "pairwise", "kahan"]) {
      expect(sweep(fanOut, { accumulate }).report.gradient).toEqual({ x: 144, y: 132 });
    }
    const wrong = sweep(fanOut, { accumulate: "last-writer-wins" });
    expect(wrong.report.gradient).toEqual({ x: 90, y: 96 });
    expect(wrong.report.correctGradient).toEqual({ x: 144, y: 132 });
    // at inputs too: only the last use of x and of y counts
    expect(sweep(fanOut, { accumulate: "last-writer-wins:all" }).report.gradient).toEqual({ x: 72, y: 48 });
  });

  it("loses half of a + a only where inputs are overwritten too", () => {
    const twice = graph({ a: 5 }, ({ a }) => add(a, a));
    expect(sweep(twice, { accumulate: "last-writer-wins" }).report.gradient).toEqual({ a: 2 });
    expect(sweep(twice, { accumulate: "last-writer-wins:all" }).report.gradient).toEqual({ a: 1 });
    expect(() => sweep(twice, { accumulate: "last-writer-wins:q" })).toThrow(/no node of that name/);
  });
});

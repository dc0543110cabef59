import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { fromNested, toNested, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray } from "./checks.js";

/** What a slice is, written with loops over nested arrays: Python's rules by counting. */
function pythonSlice(x: readonly number[], [start, stop, step]: readonly (number | null)[]): number[] {
  const n = x.length;
  const by = step ?? 1;
  const out: number[] = [];
  let from = start ?? (by > 0 ? 0 : n - 1);
  let to = stop ?? (by > 0 ? n : -n - 1);
  if (start !== null && from < 0) from += n;
  if (to < 0) to += n;
  if (by > 0) from = Math.max(0, from);
  else from = Math.min(n - 1, from);
  for (let i = from; by > 0 ? i < to : i > to; i += by) if (i >= 0 && i < n) out.push(x[i]);
  return out;
}

describe("moves against loops", () => {
  const bound = fc.option(fc.integer({ min: -8, max: 8 }), { nil: null });
  const step = fc.option(
    fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0),
    { nil: null },
  );

  it("reads indices as numbers, lists, typed arrays, and shapes with elements", () => {
    const x = fromNested([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const take = (index: unknown): unknown => toNested(numeric.apply("take", [x], { axis: 1, index }));
    expect(take(-1)).toEqual([3, 6]);
    expect(take([2, 0])).toEqual([
      [3, 1],
      [6, 4],
    ]);
    expect(take(Int32Array.of(2, 0))).toEqual(take([2, 0]));
    expect(take({ shape: [2], data: [2, 0] })).toEqual(take([2, 0]));
    expect(take([[[0], [1]]])).toEqual([[[[1], [2]]], [[[4], [5]]]]);
    expect(() => take("0")).toThrow("take: index must be an array of integers, not 0");
    expect(() => take({ shape: [3], data: [2, 0] })).toThrow("take: index must be an array of integers");
    expect(() => take([[0], 1])).toThrow("where lists of 1 stand there is also 1");
  });

  it("sorts any line as a stable sort does", () => {
    const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(NaN, Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.boolean(), (line, descending) => {
        const order = line.map((_, i) => i);
        const rank = (x: number): number => (Number.isNaN(x) ? 1e9 : Math.max(-100, Math.min(100, x)));
        order.sort((i, j) => (descending ? -1 : 1) * (rank(line[i]) - rank(line[j])));
        const data = { shape: [line.length], data: Float64Array.from(line, (_, i) => i) };
        const keys = { shape: [line.length], data: Float64Array.from(line) };
        expect([...numeric.apply("sortBy", [data, keys], { descending }).data]).toEqual(order);
        expect([...numeric.apply("sort", [keys], { descending }).data]).toEqual(order.map((i) => line[i]));
      }),
    );
  });

  it("contracts an einsum in an order that keeps the products small", () => {
    const cost = (equation: string, shapes: Shape[]): number => {
      const row = numeric.row("einsum");
      return row.cost(shapes, row.shape(shapes, { equation }), { equation });
    };
    // a column, a row and a column: the last two first
    const chain = cost("ij,jk,kl->il", [
      [50, 1],
      [1, 50],
      [50, 1],
    ]);
    expect(chain).toBeLessThan(200);
  });

  it("slices as Python does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), bound, bound, step, (length, start, stop, by) => {
        const x = Array.from({ length }, (_, i) => i + 10);
        const got = numeric.apply("slice", [fromNested(x)], { slices: [[start, stop, by]] });
        expect([...got.data]).toEqual(pythonSlice(x, [start, stop, by]));
        expect(got.shape).toEqual([got.data.length]);
      }),
    );
  });

  it("concat of the parts of a split is the array", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 1 }), (parts, axis) => {
        const length = parts.reduce((a, b) => a + b, 0);
        const x = randomArray(axis === 0 ? [length, 2] : [2, length], numbers(length));
        const cut = parts.map((_, take) => numeric.apply("split", [x], { sizes: parts, axis, take }));
        expect(numeric.apply("concat", cut, { axis })).toEqual(x);
      }),
    );
  });

  it("einsum is the sum of products over all labels", () => {
    const equations = [
      "ij,jk->ik",
      "ij,ij->",
      "ijk,jil->kl",
      "ii,ij->ji",
      "ij,jk,ki->",
      "ij,kj->jik",
      "i,j->",
      "iji->j",
    ];
    const length: Record<string, number> = { i: 2, j: 3, k: 2, l: 4 };
    for (const equation of equations) {
      const [left, output] = equation.split("->");
      const terms = left.split(",");
      const xs = terms.map((term, slot) =>
        randomArray(
          [...term].map((label) => length[label]),
          numbers(slot + 3),
        ),
      );
      const labels = [...new Set(left.replace(/,/g, ""))];
      const expected: NDArray = randomArray(
        [...output].map((label) => length[label]),
        () => 0,
      );
      const at: Record<string, number> = {};
      const flat = (term: string): number =>
        [...term].reduce((sum, label) => sum * length[label] + at[label], 0);
      const loop = (depth: number): void => {
        if (depth === labels.length) {
          expected.data[flat(output)] += terms.reduce(
            (product, term, slot) => product * xs[slot].data[flat(term)],
            1,
          );
          return;
        }
        for (at[labels[depth]] = 0; at[labels[depth]] < length[labels[depth]]; at[labels[depth]]++)
          loop(depth + 1);
      };
      loop(0);
      const got = numeric.apply("einsum", xs, { equation });
      expect(got.shape, equation).toEqual(expected.shape);
      got.data.forEach((value, i) => expect(value, equation).toBeCloseTo(expected.data[i], 13));
    }
  });

  it("implies the output of an equation as NumPy does", () => {
    const a = randomArray([2, 3], numbers(1));
    const b = randomArray([3, 4], numbers(2));
    const c = numeric.apply("einsum", [a, b], { equation: "zj, ja" });
    expect(c.shape).toEqual([4, 2]);
    expect(c.data).toEqual(numeric.apply("einsum", [a, b], { equation: "zj,ja->az" }).data);
  });

  it("sorts stably, NaN last", () => {
    const x = fromNested([3, NaN, 1, 3, -Infinity]);
    expect(toNested(numeric.apply("sort", [x]))).toEqual([-Infinity, 1, 3, 3, NaN]);
    expect(toNested(numeric.apply("sort", [x], { descending: true }))).toEqual([NaN, 3, 3, 1, -Infinity]);
    const places = fromNested([0, 1, 2, 3, 4]);
    expect(toNested(numeric.apply("sortBy", [places, x], { descending: true }))).toEqual([1, 0, 3, 2, 4]);
  });

  it("tells where equal elements meet", () => {
    const { kink } = numeric.row("sort");
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [2, 1],
          ]),
        ],
        {},
      ),
    ).toBeNull();
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [2, 2],
          ]),
        ],
        {},
      ),
    ).toBe("equal elements keep their order");
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [1, 3],
          ]),
        ],
        { axis: 0 },
      ),
    ).not.toBeNull();
  });

  it("reflects and wraps as often as the border is wide", () => {
    const x = fromNested([1, 2, 3]);
    const pad = (mode: string, widths: number[]): unknown =>
      toNested(numeric.apply("pad", [x], { widths: [widths], mode }));
    expect(pad("reflect", [5, 4])).toEqual([2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]);
    expect(pad("wrap", [4, 1])).toEqual([3, 1, 2, 3, 1, 2, 3, 1]);
    expect(pad("edge", [2, 0])).toEqual([1, 1, 1, 2, 3]);
  });
});

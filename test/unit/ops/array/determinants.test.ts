import { describe, expect, it } from "vitest";
import { DualAlgebra } from "../../../../engine/ops/array/dual.js";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { fromNested, type NDArray } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray } from "./checks.js";
import { apart, product, unit } from "./matrices.js";

describe("determinants of singular matrices", () => {
  /** Cofactors by minors, which the table does not do beyond three rows. */
  const minors = (x: NDArray): number[] => {
    const n = x.shape[0];
    const rest = (skip: number): number[] => Array.from({ length: n }, (_, i) => i).filter((i) => i !== skip);
    const determinant = (rows: number[], columns: number[]): number =>
      rows.length === 0
        ? 1
        : columns.reduce(
            (sum, column, at) =>
              sum +
              (at % 2 === 0 ? 1 : -1) *
                x.data[rows[0] * n + column] *
                determinant(
                  rows.slice(1),
                  columns.filter((c) => c !== column),
                ),
            0,
          );
    return [...x.data].map((_, i) => {
      const [row, column] = [Math.floor(i / n), i % n];
      return ((row + column) % 2 === 0 ? 1 : -1) * determinant(rest(row), rest(column));
    });
  };

  const ofRank = (n: number, rank: number, seed: number): NDArray =>
    product(randomArray([n, rank], numbers(seed)), randomArray([rank, n], numbers(seed + 1)));

  it("gradients are cofactors at every rank", () => {
    for (const n of [2, 3, 4, 5]) {
      for (let rank = 0; rank <= n; rank++) {
        const x = ofRank(n, rank, 7 * n + rank);
        const expected = minors(x);
        const got = numeric.unary("cofactors", x).data;
        got.forEach((value, i) => expect(value, `${n} rows of rank ${rank}`).toBeCloseTo(expected[i], 13));
      }
    }
  });

  it("Hessians are right at every rank", () => {
    for (const n of [2, 3, 4, 5]) {
      for (let rank = 0; rank <= n; rank++) {
        const a = ofRank(n, rank, 5 * n + rank);
        const t = randomArray([n, n], numbers(n));
        const got = numeric.apply("cofactorsAlong", [a, t]).data;
        // cofactors are polynomials of degree n - 1: five points make their derivative exact
        const at = (h: number): number[] =>
          minors({ shape: a.shape, data: a.data.map((x, i) => x + h * t.data[i]) });
        const [a2, a1, b1, b2] = [at(-2), at(-1), at(1), at(2)];
        got.forEach((value, i) => {
          const slope = (8 * (b1[i] - a1[i]) - (b2[i] - a2[i])) / 12;
          expect(value, `${n} rows of rank ${rank}`).toBeCloseTo(slope, 11);
        });
      }
    }
  });

  it("third derivatives of regular determinants go through the inverse", () => {
    const a = randomArray([4, 4], numbers(3));
    const [s, t] = [randomArray([4, 4], numbers(4)), randomArray([4, 4], numbers(5))];
    const along = (h: number): NDArray =>
      numeric.apply("cofactorsAlong", [numeric.add(a, numeric.scale(s, h)), t]);
    const k = new DualAlgebra(numeric);
    const third = k.apply("cofactorsAlong", [
      { primal: a, tangent: s },
      { primal: t, tangent: null },
    ]).tangent!;
    const h = 1e-3;
    const slope = numeric.scale(numeric.sub(along(h), along(-h)), 1 / (2 * h));
    expect(apart(third, slope)).toBeLessThan(1e-5);
  });

  it("logdet neither overflows nor underflows, and is -Infinity where det is 0", () => {
    const small = numeric.scale(unit(200), 1e-3);
    expect(numeric.unary("det", small).data[0]).toBe(0);
    expect(numeric.unary("logdet", small).data[0]).toBeCloseTo(200 * Math.log(1e-3), 10);
    const singular = fromNested([
      [1, 2],
      [2, 4],
    ]);
    const value = numeric.unary("logdet", singular);
    expect(value.data[0]).toBe(-Infinity);
    expect(numeric.unary("detSign", singular).data[0]).toBe(0);
    const part = numeric.row("logdet").vjp(0, numeric, fromNested(1), [singular], value, {})!;
    expect([...part.data]).toEqual([Infinity, -Infinity, -Infinity, Infinity]);
  });
});

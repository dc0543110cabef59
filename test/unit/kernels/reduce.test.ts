import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BLOCK, Statistic, STATISTICS } from "../../../engine/kernels/kernels.js";
import { arena, fill, formats, lengths, numbers, same } from "./helpers.js";

describe.each(formats)("reductions, $format", ({ wasm, javascript, inArena, ordinary, round }) => {
  let mark = 0;
  beforeEach(() => {
    mark = arena.mark();
    arena.poison = true;
  });
  afterEach(() => {
    arena.poison = false;
    arena.release(mark);
  });

  /** The stated order, written recursively: lanes in blocks, blocks pairwise by the highest power of two. */
  const block = (values: readonly number[]): number => {
    const lane = new Array<number>(8).fill(0);
    values.forEach((x, i) => (lane[i % 8] = round(lane[i % 8] + x)));
    const pair = (i: number): number => round(lane[i] + lane[i + 1]);
    return round(round(pair(0) + pair(2)) + round(pair(4) + pair(6)));
  };
  const tree = (sums: readonly number[]): number => {
    if (sums.length <= 1) return sums[0] ?? 0;
    let half = 1;
    while (half * 2 < sums.length) half *= 2;
    return round(tree(sums.slice(0, half)) + tree(sums.slice(half)));
  };
  const stated = (values: readonly number[]): number => {
    const sums: number[] = [];
    for (let i = 0; i < values.length; i += BLOCK) sums.push(block(values.slice(i, i + BLOCK)));
    return tree(sums);
  };
  const cases = [...lengths, 3000, 4096, 5000];
  const builds = [
    [wasm, inArena],
    [javascript, inArena],
    [wasm, ordinary],
  ] as const;

  it("sum, dot and sumSquares follow the stated order in both builds", () => {
    for (const share of [0, 0.02]) {
      const draw = numbers(7, share);
      for (const n of cases) {
        const a = fill(n, draw).map(round);
        const b = fill(n, draw).map(round);
        for (const [build, make] of builds) {
          same([build.sum(make(a))], [stated(a)], `sum of ${n} ${build.backend}`);
          same([build.dot(make(a), make(b))], [stated(a.map((x, i) => round(x * b[i])))], `dot of ${n}`);
          same([build.sumSquares(make(a))], [stated(a.map((x) => round(x * x)))], `squares of ${n}`);
        }
      }
    }
  });

  it("the error of a long sum does not grow with its length", () => {
    const n = 100_000;
    const a = fill(n, () => 0.1).map(round);
    const exact = a[0] * n;
    expect(Math.abs(wasm.sum(inArena(a)) - exact) / exact).toBeLessThan(
      64 * (round === Math.fround ? 6e-8 : 1.2e-16),
    );
  });

  it("extremes: NaN wins, -0 is below 0, nothing has the identity", () => {
    const draw = numbers(11, 0.05);
    for (const n of cases) {
      const withNaN = fill(n, draw).map(round);
      const a = withNaN.map((x) => (Number.isNaN(x) ? 1 : x));
      for (const values of [a, withNaN]) {
        for (const [build, make] of builds) {
          const from = make(values);
          same([build.max(from)], [values.reduce((x, y) => Math.max(x, y), -Infinity)], `max of ${n}`);
          same([build.min(from)], [values.reduce((x, y) => Math.min(x, y), Infinity)], `min of ${n}`);
          same(
            [build.maxAbs(from)],
            [values.reduce((x, y) => Math.max(x, Math.abs(y)), 0)],
            `maxAbs of ${n}`,
          );
        }
      }
    }
    for (const [build, make] of builds) {
      same([build.max(make([-0, 0])), build.max(make([0, -0])), build.min(make([0, -0]))], [0, 0, -0]);
      for (let at = 0; at < 9; at++) {
        const values = fill(9, () => 1);
        values[at] = NaN;
        same([build.max(make(values)), build.min(make(values)), build.maxAbs(make(values))], [NaN, NaN, NaN]);
      }
    }
  });

  it("statistics are over the finite elements, in one pass", () => {
    const draw = numbers(13, 0.1);
    for (const n of cases) {
      const a = fill(n, draw).map(round);
      const finite = a.map((x) => (Number.isFinite(x) ? x : 0));
      const kept = a.filter((x) => Number.isFinite(x));
      for (const [build, make] of builds) {
        const into = new Float64Array(STATISTICS);
        build.statistics(into, make(a));
        const what = `${n} ${build.backend}`;
        same([into[Statistic.sum]], [stated(finite)], what);
        same([into[Statistic.sumSquares]], [stated(finite.map((x) => round(x * x)))], what);
        same([into[Statistic.min]], [kept.reduce((x, y) => Math.min(x, y), Infinity)], what);
        same([into[Statistic.max]], [kept.reduce((x, y) => Math.max(x, y), -Infinity)], what);
        same([into[Statistic.nonfinite]], [n - kept.length], what);
      }
    }
  });

  it("reduces leading, middle and trailing axes", () => {
    const draw = numbers(17, 0.02);
    for (const [outer, axis, inner] of [
      [1, 5, 7],
      [1, 300, 1],
      [7, 13, 1],
      [3, 600, 1],
      [2, 3, 17],
      [4, 9, 32],
      [0, 4, 3],
      [2, 0, 3],
      [2, 0, 1],
      [2, 3, 0],
      [1, 40, 33],
    ]) {
      const a = fill(outer * axis * inner, draw).map(round);
      const column = (o: number, i: number): number[] =>
        fill(axis, () => 0).map((_, x) => a[(o * axis + x) * inner + i]);
      const expected = (reduce: (values: number[]) => number): number[] =>
        fill(outer * inner, () => 0).map((_, at) => reduce(column(Math.floor(at / inner), at % inner)));
      const sums = expected((v) => (inner === 1 ? stated(v) : v.reduce((x, y) => round(x + y), 0)));
      for (const [build, make] of builds) {
        const out = make(sums.map(() => 5));
        const what = `${outer}x${axis}x${inner} ${build.backend}`;
        build.sumAxis(out, make(a), outer, axis, inner);
        same(out, sums, `sum ${what}`);
        build.maxAxis(out, make(a), outer, axis, inner);
        same(
          out,
          expected((v) => v.reduce((x, y) => Math.max(x, y), -Infinity)),
          `max ${what}`,
        );
        build.minAxis(out, make(a), outer, axis, inner);
        same(
          out,
          expected((v) => v.reduce((x, y) => Math.min(x, y), Infinity)),
          `min ${what}`,
        );
      }
    }
  });

  it("refuses arrays that are too short", () => {
    const a = inArena([1, 2, 3]);
    for (const build of [wasm, javascript]) {
      expect(() => build.dot(a, inArena([1]))).toThrow(/kernel dot/);
      expect(() => build.sumAxis(a, a, 2, 2, 1)).toThrow(/kernel sumAxis/);
      expect(() => build.statistics(new Float64Array(2), a)).toThrow(/kernel statistics/);
    }
  });
});

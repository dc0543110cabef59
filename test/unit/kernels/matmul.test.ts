import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Product, type ProductKind } from "../../../engine/kernels/kernels.js";
import { arena, fill, formats, numbers, same } from "./helpers.js";

describe.each(formats)("products of matrices, $format", ({ wasm, javascript, inArena, ordinary, round }) => {
  let mark = 0;
  beforeEach(() => {
    mark = arena.mark();
    arena.poison = true;
  });
  afterEach(() => {
    arena.poison = false;
    arena.release(mark);
  });

  const builds = [
    [wasm, inArena],
    [javascript, inArena],
    [wasm, ordinary],
  ] as const;

  /** The triple loop, k ascending from +0. */
  const naive = (kind: ProductKind, a: number[], b: number[], m: number, n: number, k: number): number[] =>
    fill(m * n, () => 0).map((_, at) => {
      const i = Math.floor(at / n);
      const j = at % n;
      let sum = 0;
      for (let p = 0; p < k; p++) {
        const x = kind === Product.TN ? a[p * m + i] : a[i * k + p];
        const y = kind === Product.NT ? b[j * k + p] : b[p * n + j];
        sum = round(sum + round(x * y));
      }
      return sum;
    });

  const check = (kind: ProductKind, m: number, n: number, k: number, seed: number, share: number): void => {
    const draw = numbers(seed, share);
    const a = fill(m * k, draw).map(round);
    const b = fill(k * n, draw).map(round);
    const c = fill(m * n, draw).map(round);
    const expected = naive(kind, a, b, m, n, k);
    const added = c.map((x, i) => round(x + expected[i]));
    for (const [build, make] of builds) {
      const out = make([...c, 42]);
      const what = `${m}x${n}x${k} kind ${kind} ${build.backend}`;
      build.matmul(kind, out, make(a), make(b), m, n, k);
      same(out, [...expected, 42], what);
      const more = make([...c, 42]);
      build.matmul(kind, more, make(a), make(b), m, n, k, true);
      same(more, [...added, 42], `${what}, accumulated`);
    }
  };

  it.each([Product.NN, Product.TN, Product.NT])(
    "kind %i equals the triple loop for all small shapes",
    (kind) => {
      for (const m of [0, 1, 2, 3, 4, 5, 8, 9, 13]) {
        for (const n of [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33]) {
          for (const k of [0, 1, 2, 5, 16]) check(kind, m, n, k, m + 31 * n + 977 * k, 0);
        }
      }
    },
  );

  it("equals the triple loop with infinities, NaN, -0 and denormals in it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(Product.NN, Product.TN, Product.NT),
        fc.nat(12),
        fc.nat(20),
        fc.nat(9),
        fc.nat(),
        (kind, m, n, k, seed) => check(kind, m, n, k, seed, 0.03),
      ),
    );
  });

  it.each([
    [64, 64, 64],
    [33, 47, 65],
    [70, 9, 300],
    [140, 3, 1000],
    [1, 40, 500],
    [40, 1, 500],
    [3, 5, 17_000],
    [1, 1, 17_000],
  ])("equals the triple loop for %i x %i x %i", (m, n, k) => {
    for (const kind of [Product.NN, Product.TN, Product.NT]) check(kind, m, n, k, 3, 0);
  });

  it("runs batches, shared operands and a sum over the batch", () => {
    const draw = numbers(21, 0);
    const [batch, m, n, k] = [3, 4, 5, 6];
    const a = fill(batch * m * k, draw).map(round);
    const b = fill(batch * k * n, draw).map(round);
    const part = (values: number[], i: number, size: number): number[] =>
      values.slice(i * size, (i + 1) * size);
    const products = [0, 1, 2].map((i) => naive(Product.NN, part(a, i, m * k), part(b, i, k * n), m, n, k));
    const shared = [0, 1, 2].map((i) => naive(Product.NN, part(a, i, m * k), part(b, 0, k * n), m, n, k));
    for (const [build, make] of builds) {
      const out = make(fill(batch * m * n, () => 1));
      build.matmul(Product.NN, out, make(a), make(b), m, n, k, false, batch);
      same(out, products.flat());
      build.matmul(Product.NN, out, make(a), make(b), m, n, k, false, batch, m * n, m * k, 0);
      same(out, shared.flat());
      const total = make(fill(m * n, () => 0));
      build.matmul(Product.NN, total, make(a), make(b), m, n, k, true, batch, 0);
      same(
        total,
        products[0].map((_, i) => round(round(round(0 + products[0][i]) + products[1][i]) + products[2][i])),
      );
    }
  });

  it("leaves the arena as it found it", () => {
    const used = arena.used;
    const a = ordinary(fill(90 * 90, () => 1));
    const out = ordinary(a);
    wasm.matmul(Product.NN, out, a, a, 90, 90, 90);
    expect(out.every((x) => x === 90)).toBe(true);
    expect(arena.used).toBe(used);
  });

  it("refuses shapes that the arrays do not have", () => {
    const a = inArena(fill(6, () => 1));
    for (const build of [wasm, javascript]) {
      expect(() => build.matmul(Product.NN, a, a, a, 2, 3, 4)).toThrow(/kernel matmul: an array of 6/);
      expect(() => build.matmul(Product.NN, a, a, a, 2, -1, 4)).toThrow(/not a count/);
      expect(() => build.matmul(Product.NN, a, a, a, 1, 1, 1, false, 2, 0)).toThrow(/overlap/);
    }
  });
});

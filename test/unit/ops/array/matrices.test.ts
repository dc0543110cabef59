import { describe, expect, it } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { fromNested, type NDArray } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray } from "./checks.js";
import { apart, dominant, product, unit } from "./matrices.js";

describe("what the results satisfy", () => {
  it("solves, inverts, factors", () => {
    for (const n of [1, 2, 7, 30]) {
      const a = dominant([n, n], numbers(n));
      const b = randomArray([n, 3], numbers(n + 1));
      expect(apart(product(a, numeric.apply("solve", [a, b])), b)).toBeLessThan(1e-13);
      expect(apart(product(a, numeric.unary("inverse", a)), unit(n))).toBeLessThan(1e-13);
      const s = product(a, numeric.transpose(a));
      const l = numeric.apply("cholesky", [s]);
      expect(apart(product(l, numeric.transpose(l)), s)).toBeLessThan(1e-12 * n);
      expect(l.data[1] ?? 0).toBe(n > 1 ? 0 : (l.data[1] ?? 0));
      const upper = numeric.apply("cholesky", [s], { upper: true });
      expect(upper.data).toEqual(numeric.transpose(l).data);
    }
  });

  it("has orthonormal eigenvectors in ascending order, the largest element of each positive", () => {
    for (const n of [1, 2, 8, 25]) {
      const x = randomArray([n, n], numbers(n));
      const s = numeric.scale(numeric.add(x, numeric.transpose(x)), 0.5);
      const v = numeric.unary("eigvecsh", x);
      const values = numeric.unary("eigvalsh", x);
      expect(apart(product(numeric.transpose(v), v), unit(n))).toBeLessThan(1e-13 * Math.sqrt(n));
      expect(apart(product(s, v), numeric.mul(v, values))).toBeLessThan(1e-13 * n);
      expect([...values.data]).toEqual([...values.data].sort((a, b) => a - b));
    }
  });

  it("takes eigenvalues that are equal", () => {
    expect([...numeric.unary("eigvalsh", unit(4)).data]).toEqual([1, 1, 1, 1]);
    const g = randomArray([3], () => 1);
    const row = numeric.row("eigvalsh");
    // the sum of the eigenvalues is the trace, whose gradient is the identity
    const part = row.vjp(0, numeric, g, [unit(3)], numeric.unary("eigvalsh", unit(3)), {})!;
    expect(apart(part, unit(3))).toBe(0);
    expect(row.kink!([unit(3)], {})).toContain("equal eigenvalues");
    expect(
      row.kink!(
        [
          fromNested([
            [1, 0],
            [0, 2],
          ]),
        ],
        {},
      ),
    ).toBeNull();
  });

  it("has the four properties of a pseudo-inverse, whatever the rank", () => {
    const a = product(randomArray([5, 2], numbers(1)), randomArray([2, 4], numbers(2)));
    const p = numeric.apply("pinv", [a], { rcond: 1e-10 });
    const [ap, pa] = [product(a, p), product(p, a)];
    expect(apart(product(a, p, a), a)).toBeLessThan(1e-13);
    expect(apart(product(p, a, p), p)).toBeLessThan(1e-12);
    expect(apart(ap, numeric.transpose(ap))).toBeLessThan(1e-13);
    expect(apart(pa, numeric.transpose(pa))).toBeLessThan(1e-13);
  });

  it("has the singular values of a product of rotations and a diagonal", () => {
    const turned = (n: number, seed: number): NDArray =>
      numeric.unary("eigvecsh", randomArray([n, n], numbers(seed)));
    const middle = numeric.apply("pad", [numeric.apply("diag", [fromNested([5, 3, 1e-7])])], {
      widths: [
        [0, 1],
        [0, 0],
      ],
    });
    const x = product(turned(4, 1), middle, turned(3, 2));
    for (const matrix of [x, numeric.transpose(x)]) {
      expect(apart(numeric.unary("svdvals", matrix), fromNested([5, 3, 1e-7]))).toBeLessThan(3e-15);
      expect(numeric.apply("matrixNorm", [matrix], { ord: 2 }).data[0]).toBeCloseTo(5, 14);
      expect(numeric.apply("matrixNorm", [matrix], { ord: "nuc" }).data[0]).toBeCloseTo(8 + 1e-7, 14);
      expect(numeric.apply("matrixNorm", [matrix]).data[0]).toBeCloseTo(Math.sqrt(34), 13);
    }
  });

  it("exponentials: rotations, triangles, large and small norms", () => {
    const turn = (angle: number): NDArray =>
      fromNested([
        [0, -angle],
        [angle, 0],
      ]);
    for (const angle of [1e-9, 0.3, 5, 60]) {
      const rotation = fromNested([
        [Math.cos(angle), -Math.sin(angle)],
        [Math.sin(angle), Math.cos(angle)],
      ]);
      expect(apart(numeric.unary("expm", turn(angle)), rotation)).toBeLessThan(1e-13 * Math.max(1, angle));
    }
    const nilpotent = fromNested([
      [0, 1e6],
      [0, 0],
    ]);
    expect(
      apart(
        numeric.unary("expm", nilpotent),
        fromNested([
          [1, 1e6],
          [0, 1],
        ]),
      ),
    ).toBeLessThan(1e-6);
    expect(
      apart(
        numeric.unary(
          "expm",
          fromNested([
            [-800, 0],
            [0, 1],
          ]),
        ),
        fromNested([
          [0, 0],
          [0, Math.E],
        ]),
      ),
    ).toBeLessThan(1e-13);
  });

  it("the derivative of an exponential does not lose digits to a long direction", () => {
    const x = randomArray([3, 3], numbers(4));
    const e = randomArray([3, 3], numbers(5));
    const row = numeric.row("expm");
    const push = (t: NDArray): NDArray => row.jvp(numeric, [t], [x], numeric.unary("expm", x), {})!;
    const long = numeric.scale(push(numeric.scale(e, 2 ** 40)), 2 ** -40);
    expect(apart(long, push(e))).toBeLessThan(1e-14);
  });
});

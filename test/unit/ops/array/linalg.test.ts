import { describe, expect, it } from "vitest";
import { defineComposite } from "../../../../engine/ops/array/composite.js";
import { DualAlgebra } from "../../../../engine/ops/array/dual.js";
import { enterRow } from "../../../../engine/ops/array/lookup.js";
import { NumericAlgebra, numeric } from "../../../../engine/ops/array/numeric.js";
import { DomainError, ShapeError, type Params } from "../../../../engine/ops/array/row.js";
import { fromNested, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray, wrongAt, type Point } from "./checks.js";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

const texts = { formula: "", rule: "", doc: "" };

// the reference's function of an eigendecomposition that no choice of signs or order changes
enterRow(
  defineComposite({
    ...texts,
    name: "test.sinOfSymmetric",
    operands: ["x"],
    formulaOf(k, [x]) {
      const v = k.unary("eigvecsh", x);
      const sines = k.unary("sin", k.unary("eigvalsh", x));
      const n = k.shape(sines)[k.shape(sines).length - 1];
      return k.matmul(k.mul(v, k.reshape(sines, [...k.shape(sines).slice(0, -1), 1, n])), v, {
        transposeB: true,
      });
    },
  }),
);

const call = (c: Case): Call => ({ op: c.op === "eigh" ? "test.sinOfSymmetric" : c.op, params: c.params });

/** Where one framework throws and the reference's numbers are the other's infinities, the table refuses. */
const refused: Readonly<Record<string, RegExp>> = {
  "linalg/solve/singular/special": /^solve: the matrix is singular/,
  "linalg/inverse/singular/special": /^inverse: the matrix is singular/,
  "linalg/cholesky/semidefinite/special": /^cholesky: the matrix is not positive definite/,
  "linalg/cholesky/indefinite/special": /^cholesky: the matrix is not positive definite/,
};

describe("linear algebra against the reference", () => {
  for (const c of cases("linalg")) {
    it(c.id, () => {
      const message = refused[c.id];
      if (message !== undefined) {
        expect(() => evaluate(c, call(c))).toThrow(DomainError);
        expect(() => evaluate(c, call(c))).toThrow(message);
        return;
      }
      expect(failures(c, evaluate(c, call(c)), tolerances("linalg", c))).toEqual([]);
      if (c.extra?.sign !== undefined) {
        const sign = numeric.apply("detSign", [fromNested(c.inputs[0])]);
        expect([...sign.data]).toEqual([c.extra.sign].flat());
      }
    });
  }
});

/** A matrix that is far from singular. */
const dominant = (shape: Shape, next: () => number): NDArray => {
  const x = randomArray(shape, next);
  const n = shape[shape.length - 1];
  for (let at = 0; at < x.data.length; at += n * n) for (let i = 0; i < n; i++) x.data[at + i * (n + 1)] += 3;
  return x;
};

/** A positive definite matrix (not quite symmetric: only the symmetric part counts). */
const definite = (shape: Shape, next: () => number): NDArray => {
  const x = randomArray(shape, next);
  const n = shape[shape.length - 1];
  for (let at = 0; at < x.data.length; at += n * n)
    for (let i = 0; i < n; i++) x.data[at + i * (n + 1)] += n + 1;
  return x;
};

type Maker = (shape: Shape, next: () => number) => NDArray;
interface Sample extends Pick<Point, "differences" | "identities"> {
  readonly op: string;
  readonly shapes: readonly Shape[];
  readonly make?: Maker;
  readonly params?: Params;
}

const samples: readonly Sample[] = [
  { op: "solve", shapes: [[3, 3], [3]], make: dominant },
  { op: "solve", shapes: [[2, 3, 3], [3]], make: dominant },
  {
    op: "solve",
    shapes: [
      [2, 3, 3],
      [3, 2],
    ],
    make: dominant,
  },
  {
    op: "solve",
    shapes: [
      [3, 3],
      [2, 3, 2],
    ],
    make: dominant,
    params: { transpose: true },
  },
  {
    op: "solve",
    shapes: [
      [2, 1, 3, 3],
      [4, 3, 2],
    ],
    make: dominant,
  },
  {
    op: "solve",
    shapes: [
      [0, 3, 3],
      [3, 2],
    ],
    make: dominant,
  },
  {
    op: "solve",
    shapes: [
      [0, 0],
      [0, 2],
    ],
  },
  { op: "inverse", shapes: [[2, 4, 4]], make: dominant },
  { op: "triangularSolve", shapes: [[2, 3, 3], [3]], make: dominant },
  {
    op: "triangularSolve",
    shapes: [
      [3, 3],
      [2, 3, 2],
    ],
    make: dominant,
    params: { upper: true, transpose: true },
  },
  {
    op: "triangularSolve",
    shapes: [
      [3, 3],
      [3, 2],
    ],
    params: { upper: true, unitDiagonal: true },
  },
  { op: "det", shapes: [[1, 1]] },
  { op: "det", shapes: [[2, 2, 2]] },
  { op: "det", shapes: [[2, 3, 3]] },
  { op: "det", shapes: [[2, 5, 5]] },
  { op: "det", shapes: [[0, 0]] },
  { op: "cofactors", shapes: [[4, 4]], identities: 1e-9 },
  { op: "cofactors", shapes: [[2, 3, 3]], identities: 1e-9 },
  { op: "logdet", shapes: [[2, 4, 4]], make: dominant },
  { op: "logdet", shapes: [[3, 3]], make: dominant, params: { form: "logdet" } },
  { op: "inverseTransposed", shapes: [[2, 3, 3]], make: dominant },
  { op: "cholesky", shapes: [[2, 4, 4]], make: definite },
  { op: "cholesky", shapes: [[3, 3]], make: definite, params: { upper: true } },
  { op: "eigvalsh", shapes: [[2, 4, 4]], identities: 1e-9 },
  { op: "eigvecsh", shapes: [[2, 3, 3]], differences: 1e-4, identities: 1e-9 },
  { op: "pinv", shapes: [[2, 4, 3]], differences: 1e-5 },
  { op: "pinv", shapes: [[3, 4]], differences: 1e-5 },
  { op: "svdvals", shapes: [[2, 4, 3]], differences: 1e-4, identities: 1e-9 },
  { op: "svdvals", shapes: [[3, 5]], differences: 1e-4, identities: 1e-9 },
  { op: "matrixNorm", shapes: [[2, 4, 3]] },
  { op: "matrixNorm", shapes: [[4, 3]], params: { ord: "nuc" }, differences: 1e-4, identities: 1e-9 },
  { op: "matrixNorm", shapes: [[4, 3]], params: { ord: 2 }, differences: 1e-4, identities: 1e-9 },
  { op: "matrixNorm", shapes: [[4, 3]], params: { ord: 1 } },
  { op: "matrixNorm", shapes: [[4, 3]], params: { ord: "Infinity" } },
  { op: "matrixPower", shapes: [[2, 3, 3]], params: { n: 5 } },
  { op: "matrixPower", shapes: [[3, 3]], make: dominant, params: { n: -3 } },
  { op: "matrixPower", shapes: [[3, 3]], params: { n: 1 } },
  { op: "matrixPower", shapes: [[3, 3]], params: { n: 0 } },
  { op: "expm", shapes: [[2, 3, 3]] },
  {
    op: "expm",
    shapes: [[3, 3]],
    make: (shape, next) => randomArray(shape, next, (x) => 6 * x),
    identities: 1e-10,
  },
];

describe("derivatives of linear algebra", () => {
  samples.forEach(({ op, shapes, params = {}, make = randomArray, ...tolerance }, i) => {
    it(`${op} of ${shapes.map((shape) => `[${shape.join()}]`).join(" ")} ${JSON.stringify(params)}`, () => {
      const next = numbers(i + 11);
      const operands = shapes.map((shape, slot) => (slot === 0 ? make : randomArray)(shape, next));
      expect(wrongAt({ op, params, operands, seed: i, ...tolerance })).toEqual([]);
    });
  });
});

const product = (...matrices: NDArray[]): NDArray => matrices.reduce((a, b) => numeric.matmul(a, b));
const apart = (a: NDArray, b: NDArray): number => {
  expect(a.shape).toEqual(b.shape);
  return a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i])), 0);
};
const unit = (n: number): NDArray => numeric.apply("diag", [randomArray([n], () => 1)], {});

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

describe("what linear algebra refuses", () => {
  const ones = (shape: Shape): NDArray => randomArray(shape, () => 1);

  it("names the singular matrix of a batch, and its column", () => {
    const a = numeric.apply("stack", [
      unit(3),
      fromNested([
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ]),
    ]);
    expect(() => numeric.unary("inverse", a)).toThrow(
      "inverse: matrix 1 of the batch [2] is singular to working precision: no pivot is left in column 2 of 3",
    );
  });

  it("takes badly scaled matrices, and ill-conditioned ones with digits left", () => {
    const scaled = fromNested([
      [1e-200, 0],
      [0, 1e200],
    ]);
    expect([...numeric.unary("inverse", scaled).data]).toEqual([1e200, 0, 0, 1e-200]);
    const hilbert = fromNested(
      Array.from({ length: 9 }, (_, i) => Array.from({ length: 9 }, (_, j) => 1 / (i + j + 1))),
    );
    const x = numeric.apply("solve", [hilbert, numeric.matmul(hilbert, ones([9]))]);
    expect(apart(x, ones([9]))).toBeLessThan(1e-3);
  });

  const refusals: readonly (readonly [string, readonly NDArray[], Params, RegExp])[] = [
    ["solve", [ones([2, 3]), ones([2])], {}, /square matrices are needed, not the shape \[2, 3\]/],
    [
      "solve",
      [unit(2), ones([3])],
      {},
      /right-hand side of shape \[3\] does not fit a matrix of shape \[2, 2\]/,
    ],
    ["solve", [ones([3, 2, 2]), ones([2, 2, 1])], {}, /cannot be broadcast/],
    ["inverse", [ones([3])], {}, /at least 2 axes/],
    [
      "triangularSolve",
      [
        fromNested([
          [1, 0],
          [5, 0],
        ]),
        ones([2]),
      ],
      {},
      /element \[1, 1\] is 0/,
    ],
    ["triangularSolve", [unit(2), ones([2])], { upper: 1 }, /upper must be true or false/],
    [
      "cholesky",
      [
        fromNested([
          [1, 2],
          [2, 1],
        ]),
      ],
      {},
      /leading minor of order 2 is not positive/,
    ],
    [
      "cholesky",
      [numeric.apply("stack", [unit(2), numeric.neg(unit(2))])],
      {},
      /matrix 1 of 2 is not positive definite/,
    ],
    ["logdet", [unit(2)], { form: "log" }, /form must be one of slogdet, logdet/],
    ["matrixPower", [unit(2)], { n: 0.5 }, /n must be an integer, not 0.5/],
    ["matrixPower", [ones([2, 2])], { n: -1 }, /inverse: the matrix is singular/],
    ["pinv", [unit(2)], { rcond: -1 }, /rcond must be a number of at least 0/],
    ["matrixNorm", [unit(2)], { ord: 3 }, /ord must be one of fro, nuc, 1, 2, Infinity, not 3/],
    ["svdvals", [ones([3])], {}, /at least 2 axes/],
    ["expm", [ones([2, 3])], {}, /expm: square matrices are needed/],
  ];
  for (const [op, operands, params, message] of refusals) {
    it(`${op} ${JSON.stringify(params)} ${message.source}`, () => {
      expect(() => numeric.apply(op, operands, params)).toThrow(ShapeError);
      expect(() => numeric.apply(op, operands, params)).toThrow(message);
    });
  }

  it("lets NaN and infinities through as NaN", () => {
    const x = fromNested([
      [1, NaN],
      [2, 3],
    ]);
    expect(numeric.unary("inverse", x).data.some(Number.isNaN)).toBe(true);
    expect(numeric.unary("eigvalsh", x).data.every(Number.isNaN)).toBe(true);
  });
});

describe("number formats", () => {
  it("rounds inside factorizations", () => {
    const single = new NumericAlgebra(Math.fround);
    const a = dominant([6, 6], numbers(2));
    a.data.forEach((value, i) => (a.data[i] = Math.fround(value)));
    const b = randomArray([6, 2], numbers(3), Math.fround);
    const wide = numeric.apply("solve", [a, b]);
    const x = single.apply("solve", [a, b]);
    expect(x.data.every((value) => Math.fround(value) === value)).toBe(true);
    const error = apart(x, wide);
    expect(error).toBeGreaterThan(0);
    expect(error).toBeLessThan(1e-6);
    // more than the rounding of the result alone
    expect(x.data).not.toEqual(wide.data.map(Math.fround));
    const exponential = single.unary("expm", a);
    expect(exponential.data.every((value) => Math.fround(value) === value)).toBe(true);
    expect(apart(exponential, numeric.unary("expm", a)) / Math.max(...exponential.data)).toBeLessThan(1e-5);
  });
});

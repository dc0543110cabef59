import { describe, expect, it } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { ShapeError, type Params } from "../../../../engine/ops/array/row.js";
import { fromNested, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";
import { randomArray } from "./checks.js";
import { apart, unit } from "./matrices.js";

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

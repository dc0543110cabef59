import { describe, expect, it } from "vitest";
import type { Params } from "../../../../engine/ops/array/row.js";
import type { NDArray, Shape } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray, shapesOf, wrongAt, type Point } from "./checks.js";
import { definite, dominant } from "./matrices.js";

type Maker = (shape: Shape, next: () => number) => NDArray;
interface Options extends Pick<Point, "differences" | "identities"> {
  /** makes the first operand */
  readonly make?: Maker;
}

const wide: Maker = (shape, next) => randomArray(shape, next, (x) => 6 * x);

/** An operation, the shapes of its operands, its parameters, its first operand and tolerances. */
type Sample = readonly [op: string, shapes: string, params?: Params, options?: Options];

const samples: readonly Sample[] = [
  ["solve", "3x3 3", {}, { make: dominant }],
  ["solve", "2x3x3 3", {}, { make: dominant }],
  ["solve", "2x3x3 3x2", {}, { make: dominant }],
  ["solve", "3x3 2x3x2", { transpose: true }, { make: dominant }],
  ["solve", "2x1x3x3 4x3x2", {}, { make: dominant }],
  ["solve", "0x3x3 3x2", {}, { make: dominant }],
  ["solve", "0x0 0x2"],
  ["inverse", "2x4x4", {}, { make: dominant }],
  ["triangularSolve", "2x3x3 3", {}, { make: dominant }],
  ["triangularSolve", "3x3 2x3x2", { upper: true, transpose: true }, { make: dominant }],
  ["triangularSolve", "3x3 3x2", { upper: true, unitDiagonal: true }],
  ["det", "1x1"],
  ["det", "2x2x2"],
  ["det", "2x3x3"],
  ["det", "2x5x5"],
  ["det", "0x0"],
  ["cofactors", "4x4", {}, { identities: 1e-9 }],
  ["cofactors", "2x3x3", {}, { identities: 1e-9 }],
  ["logdet", "2x4x4", {}, { make: dominant }],
  ["logdet", "3x3", { form: "logdet" }, { make: dominant }],
  ["inverseTransposed", "2x3x3", {}, { make: dominant }],
  ["cholesky", "2x4x4", {}, { make: definite }],
  ["cholesky", "3x3", { upper: true }, { make: definite }],
  ["eigvalsh", "2x4x4", {}, { identities: 1e-9 }],
  ["eigvecsh", "2x3x3", {}, { differences: 1e-4, identities: 1e-9 }],
  ["pinv", "2x4x3", {}, { differences: 1e-5 }],
  ["pinv", "3x4", {}, { differences: 1e-5 }],
  ["svdvals", "2x4x3", {}, { differences: 1e-4, identities: 1e-9 }],
  ["svdvals", "3x5", {}, { differences: 1e-4, identities: 1e-9 }],
  ["matrixNorm", "2x4x3"],
  ["matrixNorm", "4x3", { ord: "nuc" }, { differences: 1e-4, identities: 1e-9 }],
  ["matrixNorm", "4x3", { ord: 2 }, { differences: 1e-4, identities: 1e-9 }],
  ["matrixNorm", "4x3", { ord: 1 }],
  ["matrixNorm", "4x3", { ord: "Infinity" }],
  ["matrixPower", "2x3x3", { n: 5 }],
  ["matrixPower", "3x3", { n: -3 }, { make: dominant }],
  ["matrixPower", "3x3", { n: 1 }],
  ["matrixPower", "3x3", { n: 0 }],
  ["expm", "2x3x3"],
  ["expm", "3x3", {}, { make: wide, identities: 1e-10 }],
];

describe("derivatives of linear algebra", () => {
  samples.forEach(([op, shapes, params = {}, { make = randomArray, ...tolerance } = {}], i) => {
    it(`${op} of ${shapes} ${JSON.stringify(params)}`, () => {
      const next = numbers(i + 11);
      const operands = shapesOf(shapes).map((shape, slot) => (slot === 0 ? make : randomArray)(shape, next));
      expect(wrongAt({ op, params, operands, seed: i, ...tolerance })).toEqual([]);
    });
  });
});

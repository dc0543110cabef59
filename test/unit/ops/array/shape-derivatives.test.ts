import { describe, expect, it } from "vitest";
import { defineComposite } from "../../../../engine/ops/array/composite.js";
import { enterRow } from "../../../../engine/ops/array/lookup.js";
import { NumericAlgebra, numeric } from "../../../../engine/ops/array/numeric.js";
import type { Params } from "../../../../engine/ops/array/row.js";
import { numbers, randomArray, shapesOf, wrongAt } from "./checks.js";

/** An operation, the shapes of its operands, its parameters. */
type Sample = readonly [op: string, shapes: string, params?: Params];

const samples: readonly Sample[] = [
  ["outer", "3 4"],
  ["dot", "3 3"],
  ["dot", "2x3 3"],
  ["dot", "() 2x2"],
  ["dot", "2x3 2x3x4"],
  ["kron", "2x2 3"],
  ["einsum", "2x3 3x4 4x2", { equation: "ij,jk,kl->il" }],
  ["einsum", "2x3x3 3", { equation: "bii,i" }],
  ["einsum", "2x1x2x3 4x3x2", { equation: "...ij,...jk->...ik" }],
  ["einsum", "2x3x3x3", { equation: "biii->ib" }],
  ["einsum", "1x3 2x3", { equation: "ij,ij->i" }],
  ["einsum", "0x3 3x2", { equation: "ij,jk->ik" }],
  ["transpose", "2x3x4", { axes: [2, 0, 1] }],
  ["squeeze", "1x3x1"],
  ["squeeze", "1x3x1", { axis: [0, -1] }],
  ["expandDims", "2x3", { axis: [0, -1] }],
  ["slice", "4x5x3", { slices: [[1, -1], 2, [null, null, -2]] }],
  ["slice", "4x5", { slices: [-1, null] }],
  ["slice", "4x5", { slices: [[3, 1, 1]] }],
  ["concat", "2x1x3 2x2x3 2x0x3", { axis: -2 }],
  ["stack", "2x3 2x3 2x3", { axis: -1 }],
  ["split", "2x6", { sizes: [1, 3, 2], axis: 1, take: 1 }],
  [
    "pad",
    "2x3",
    {
      widths: [
        [1, 0],
        [7, 5],
      ],
      mode: "reflect",
    },
  ],
  [
    "pad",
    "1x3",
    {
      widths: [
        [2, 1],
        [4, 4],
      ],
      mode: "wrap",
    },
  ],
  [
    "pad",
    "1x3",
    {
      widths: [
        [2, 1],
        [2, 4],
      ],
      mode: "reflect",
    },
  ],
  [
    "pad",
    "2x3",
    {
      widths: [
        [1, 1],
        [0, 2],
      ],
      mode: "edge",
    },
  ],
  [
    "pad",
    "0x2",
    {
      widths: [
        [1, 1],
        [0, 2],
      ],
      value: 3,
    },
  ],
  [
    "gather",
    "3x4",
    {
      axis: -1,
      index: [
        [-1, 0, 0, 2, 3],
        [1, 1, 1, 1, -4],
      ],
    },
  ],
  ["take", "2x3", { index: [5, 0, -1, 0] }],
  ["take", "2x3x2", { index: 1, axis: -2 }],
  [
    "scatterAdd",
    "3x2 4x3",
    {
      axis: 0,
      index: [
        [0, 2],
        [0, 1],
        [-1, 1],
      ],
    },
  ],
  ["indexAdd", "2x4 2x3", { axis: 1, index: [0, -1, 0] }],
  ["segmentSum", "4x2", { segmentIds: [1, 1, 0, 3] }],
  ["tile", "2x3", { reps: [2, 1, 2] }],
  ["repeat", "2x3", { repeats: 2 }],
  ["repeat", "3x2", { repeats: [0, 2, 1], axis: 0 }],
  ["diag", "3", { k: 1 }],
  ["diag", "2x5", { k: 3 }],
  ["diagonal", "2x3x4", { k: -1 }],
  ["diagonal", "2x3x4", { k: 9 }],
  ["trace", "2x3x3"],
  ["triu", "2x3x4", { k: 1 }],
  ["tril", "3x2"],
  ["flip", "2x3"],
  ["roll", "2x3", { shifts: 4 }],
  ["roll", "2x3", { shifts: [1, 1, -1], axis: [0, 1, 1] }],
  ["sort", "3x4"],
  ["sort", "3x4", { axis: 0, descending: true }],
  ["sortBy", "3x4 3x4", { axis: 0 }],
  ["unsortBy", "3x4 3x4", { axis: 1 }],
  ["diff", "5x2", { axis: 0, n: 2 }],
  ["diff", "2x2", { n: 3 }],
  ["diff", "2x4"],
  ["diff", "2x4", { n: 0 }],
  ["take", "2x3", { axis: 1, index: [] }],
  ["gather", "2x3", { axis: 1, index: [[], []] }],
  ["scatterAdd", "3 2", { axis: 0, index: [] }],
  ["segmentSum", "0x2", { segmentIds: [], numSegments: 2 }],
  ["concat", "0x2 0x2"],
  ["sort", "2x0x3", { axis: 1 }],
  ["flip", "0x3"],
  ["roll", "0", { shifts: 2 }],
  ["trace", "0x0"],
  ["kron", "0x2 2x2"],
  ["einsum", "2x0 0x3", { equation: "ij,jk->ik" }],
  ["repeat", "()", { repeats: 3 }],
  ["scatterBack", "3", { op: "slice", of: { slices: [[0, 5, 2]] }, shape: [6] }],
];

describe("derivatives of moves and products", () => {
  samples.forEach(([op, shapes, params = {}], i) => {
    it(`${op} of ${shapes} ${JSON.stringify(params)}`, () => {
      const next = numbers(i + 1);
      const operands = shapesOf(shapes).map((shape) => randomArray(shape, next));
      expect(wrongAt({ op, params, operands, seed: i })).toEqual([]);
    });
  });

  it("adds up what comes in through both slots of one operand", () => {
    const x = randomArray([3, 3], numbers(5));
    const params = { equation: "ij,jk->ik" };
    const both = defineComposite({
      name: "test.square",
      operands: ["x"],
      formulaOf: (k, [a]) => k.apply("concat", [k.apply("einsum", [a, a], params), a], { axis: 0 }),
      formula: "",
      rule: "",
      doc: "",
    });
    enterRow(both);
    expect(wrongAt({ op: "test.square", operands: [x] })).toEqual([]);
  });

  it("rounds every addition where repeated indices add up", () => {
    const half = new NumericAlgebra(Math.fround);
    const tiny = 2 ** -24;
    const ones = { shape: [3], data: Float64Array.of(1, tiny, tiny) };
    const sum = half.apply("segmentSum", [ones], { segmentIds: [0, 0, 0], numSegments: 1 });
    expect([...sum.data]).toEqual([1]);
    expect(numeric.apply("segmentSum", [ones], { segmentIds: [0, 0, 0] }).data[0]).toBe(1 + 2 * tiny);
  });
});

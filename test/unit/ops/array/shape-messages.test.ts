import { describe, expect, it } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { ShapeError, type Params } from "../../../../engine/ops/array/row.js";
import type { Shape } from "../../../../engine/tape/ndarray.js";
import { randomArray } from "./checks.js";

describe("messages of moves and products", () => {
  const refusals: readonly (readonly [string, readonly Shape[], Params, RegExp])[] = [
    ["take", [[4, 3]], { axis: 1, index: [0, 3] }, /take: index 3 .* axis 1 \(length 3\) .*\[4, 3\]/],
    ["take", [[4, 3]], { axis: 2, index: 0 }, /axis 2 does not exist in the shape \[4, 3\]/],
    ["take", [[4]], { index: [0.5] }, /index must hold integers, not 0.5/],
    ["gather", [[4, 3]], { axis: 0, index: [[0], [-5]] }, /index -5 .* axis 0 \(length 4\)/],
    ["gather", [[4, 3]], { axis: 0, index: [0] }, /index of shape \[1\] does not fit the shape \[4, 3\]/],
    [
      "gather",
      [[4, 3]],
      { axis: 0, index: [[0, 1], [1]] },
      /where lists of 2 stand there is also a list of 1/,
    ],
    ["slice", [[4]], { slices: [[0, 2, 0]] }, /step of axis 0 must not be 0/],
    ["slice", [[4]], { slices: [4] }, /index 4 is out of range for axis 0 \(length 4\)/],
    [
      "slice",
      [[4]],
      {
        slices: [
          [0, 1],
          [0, 1],
        ],
      },
      /2 slices were given for the shape \[4\]/,
    ],
    ["slice", [[4]], { slices: [[0, "1"]] }, /must be integers, not 1/],
    [
      "concat",
      [
        [2, 3],
        [3, 2],
      ],
      { axis: 0 },
      /operand 1 of shape \[3, 2\] does not fit \[2, 3\]/,
    ],
    ["stack", [[2], [3]], { axis: 0 }, /operand 1 has shape \[3\], operand 0 \[2\]/],
    ["stack", [], {}, /at least one array/],
    ["split", [[5]], { sizes: [2, 2], axis: 0, take: 0 }, /add up to 4, but axis 0 .* length 5/],
    ["split", [[4]], { sizes: [2, 2], axis: 0, take: 2 }, /no part 2 of 2/],
    ["pad", [[3]], { widths: [[1, -1]] }, /widths of axis 0/],
    ["pad", [[3]], { widths: [[1, 1]], mode: "mirror" }, /mode must be one of/],
    ["pad", [[0]], { widths: [[1, 1]], mode: "edge" }, /axis 0 of \[0\] is empty/],
    [
      "scatterAdd",
      [[3], [2]],
      { axis: 0, index: [0, 1, 2] },
      /index of shape \[3\] .* updates of shape \[2\]/,
    ],
    [
      "indexAdd",
      [
        [3, 2],
        [2, 3],
      ],
      { axis: 0, index: [0, 1] },
      /updates of shape \[2, 3\] .* \[2, 2\] is needed/,
    ],
    ["segmentSum", [[2]], { segmentIds: [0, 2], numSegments: 2 }, /segment 2 is out of range for 2/],
    ["segmentSum", [[2]], { segmentIds: [0] }, /segmentIds of shape \[1\] do not fit the shape \[2\]/],
    ["repeat", [[3]], { repeats: [1, 2], axis: 0 }, /2 counts .* axis 0 \(length 3\)/],
    ["tile", [[3]], { reps: [-1] }, /must not be negative/],
    ["diag", [[2, 2, 2]], {}, /1 to 2 axes .* \[2, 2, 2\]/],
    ["triu", [[3]], {}, /at least 2 axes .* \[3\]/],
    ["roll", [[3]], { shifts: [1, 2], axis: 0 }, /2 shifts were given for 1 axes/],
    ["squeeze", [[2, 1]], { axis: 0 }, /axis 0 of \[2, 1\] has length 2/],
    ["sort", [[2]], { descending: 1 }, /descending must be true or false/],
    [
      "einsum",
      [
        [2, 3],
        [2, 3],
      ],
      { equation: "ij,jk->ik" },
      /label "j" has the length 3 .* 2 in operand 1/,
    ],
    ["einsum", [[2, 3]], { equation: "ijk->i" }, /names 3 axes, operand 0 has the shape \[2, 3\]/],
    ["einsum", [[2, 3]], { equation: "ij->k" }, /no operand has the output's label "k"/],
    ["einsum", [[2, 3]], { equation: "ij,jk" }, /for 2 arrays, 1 were given/],
    ["einsum", [[2]], { equation: "i->ii" }, /label "i" twice/],
    ["outer", [[2, 2], [2]], {}, /an array of 1 axis .* \[2, 2\]/],
    ["dot", [[2], [3]], {}, /inner lengths are 2 and 3/],
  ];
  for (const [op, shapes, params, message] of refusals) {
    it(`${op} ${JSON.stringify(params)} of ${shapes.map((shape) => `[${shape.join()}]`).join(" ")}`, () => {
      const operands = shapes.map((shape) => randomArray(shape, () => 1));
      expect(() => numeric.apply(op, operands, params)).toThrow(ShapeError);
      expect(() => numeric.apply(op, operands, params)).toThrow(message);
    });
  }
});

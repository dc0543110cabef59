import { describe, expect, it } from "vitest";
import type { Params } from "../../../../engine/ops/array/row.js";
import { primitives } from "../../../../engine/ops/table.js";
import { smoothPoints } from "../samples.js";
import { numbers, randomArray, shapesOf, wrongAt, type Point } from "./checks.js";

/** An operation, the shapes of its operands, its parameters, and what the operands are mapped to. */
type Sample = readonly [op: string, shapes: string, params?: Params, more?: Partial<Point>];

const pool = { kernel: [2, 3], stride: [1, 2], padding: [0, 1] };
/** wide apart, so that no difference moves an extreme to another element */
const spread = (x: number): number => Math.round(x * 1e4) / 40;

const samples: readonly Sample[] = [
  ["sum", "2x3x4", { axis: [0, 2] }],
  ["sum", "2x3", { axis: 1, keepdims: true }],
  ["sum", "0x3", { axis: 0 }],
  ["mean", "2x3x4", { axis: [-1, 0] }],
  ["prod", "2x3", { axis: 1 }],
  ["prod", "2x2x2", { axis: [0, 2], keepdims: true }],
  ["centre", "3x4", { axis: 0 }],
  ["var", "3x4", { axis: 0, correction: 1 }],
  ["std", "3x4", { axis: 1 }],
  ["norm", "3x4", { axis: 1 }],
  ["norm", "2x2x3", { axis: [0, 2], ord: 3 }],
  ["norm", "5", { ord: 1.5 }],
  ["logsumexp", "3x4", { axis: 0 }],
  ["softmax", "3x4", { axis: 0 }],
  ["softmax", "2x3x2"],
  ["logSoftmax", "3x4"],
  ["cumsum", "3x4", { axis: 0 }],
  ["cumsum", "3x4", { axis: 1, reverse: true }],
  ["cumprod", "2x4", { axis: 1 }],
  ["logcumsumexp", "4x2", { axis: 0 }],
  ["crossEntropy", "3x4", { target: [1, 3, 0] }],
  [
    "crossEntropy",
    "2x3x2",
    {
      axis: 1,
      target: [
        [0, 2],
        [9, 1],
      ],
      ignoreIndex: 9,
      labelSmoothing: 0.1,
    },
  ],
  [
    "crossEntropy",
    "2x2",
    {
      targetProbs: [
        [0.2, 0.8],
        [0.5, 0.5],
      ],
      reduction: "none",
    },
  ],
  ["mseLoss", "3x2 2"],
  ["huberLoss", "4 4", { delta: 0.3, reduction: "sum" }, { second: false }],
  ["bceWithLogits", "4", { target: [0, 1, 0.3, 1] }],
  ["divOrZero", "3x2 2"],
  ["masked", "3 3", {}, { active: [0] }],
  ["linear", "2x3 4x3 4"],
  ["linear", "3 4x3"],
  ["layerNorm", "2x4 4 4", { normalizedShape: [4] }],
  ["layerNorm", "2x2x3", { normalizedShape: [2, 3], eps: 1e-3 }],
  ["rmsNorm", "2x4 4", { normalizedShape: [4] }],
  ["groupNorm", "2x4x3 4 4", { groups: 2 }],
  ["batchNorm", "3x2x3 2 2"],
  ["batchNorm", "3x2 2 2", { training: false, runningMean: [0.1, -0.2], runningVar: [0.5, 2] }],
  ["attention", "2x3 4x3 4x2"],
  ["attention", "2x1x3x2 2x1x3x2 2x1x3x2", { causal: true, scale: 0.3 }],
  [
    "attention",
    "2x3 3x3 3x2",
    {
      mask: [
        [false, false, false],
        [true, false, true],
      ],
    },
  ],
  [
    "embedding",
    "4x2",
    {
      indices: [
        [1, 1],
        [3, 0],
      ],
    },
  ],
  ["dropoutMask", "4", { p: 0.25, mask: [1, 0, 1, 1] }],
  ["conv1d", "2x2x7 3x2x3 3", { stride: 2, padding: 1 }],
  ["conv1d", "1x4x6 4x2x2", { groups: 2, dilation: 2 }],
  ["conv2d", "1x2x4x5 2x2x3x2 2", { padding: [1, 0] }],
  ["convTranspose1d", "2x2x3 2x3x2 3", { stride: 2, padding: 1, outputPadding: 1 }],
  ["convTranspose1d", "1x4x3 4x1x2", { groups: 2, dilation: 2 }],
  ["avgPool1d", "1x2x6", { kernel: 3, stride: 2, padding: 1 }],
  ["avgPool2d", "1x2x4x5", { ...pool, countIncludePad: false }],
  ["patches", "1x2x5", { kernel: [2], stride: [2], padding: [1], dilation: [1] }],
  ["broadcastTo", "3x1", { shape: [2, 3, 4] }],
  ["sumTo", "2x3x4", { shape: [3, 1] }],
  ["reshape", "2x6", { shape: [3, -1] }],
  ["matmul", "2x3 3x4"],
  ["matmul", "3 3"],
  ["matmul", "2x1x2x3 4x3x2"],
  ["matmul", "3x2 4x3", { transposeA: true, transposeB: true }],
  ["at", "2x3x2", { index: [1, -1] }],
  ["placeAt", "2", { index: [1, -1], shape: [2, 3, 2] }],
];

/** Piecewise: differences must not move an extreme, so the elements lie wide apart. */
const piecewise: readonly Sample[] = [
  ["reduceMax", "3x4", { axis: 0 }],
  ["reduceMin", "2x3x2", { axis: [0, 2], keepdims: true }],
  ["norm", "3x4", { axis: 1, ord: 1 }],
  ["norm", "3x4", { axis: 1, ord: "Infinity" }],
  ["maxPool1d", "1x2x6", { kernel: 3, stride: 2, padding: 1 }],
  ["maxPool2d", "1x2x4x5", pool],
  ["windowMax", "1x2x3x2"],
];

function check([op, shapes, params, more]: Sample, map?: (x: number) => number): string[] {
  const next = numbers(7);
  const operands = shapesOf(shapes).map((shape) => randomArray(shape, next, map));
  return wrongAt({ op, params: params ?? {}, operands, ...more });
}

describe("reductions and layers: derivatives by independent means", () => {
  for (const sample of samples) {
    it(`${sample[0]} ${sample[1]} ${JSON.stringify(sample[2] ?? {})}`, () => {
      expect(check(sample)).toEqual([]);
    });
  }
  for (const sample of piecewise) {
    it(`${sample[0]} ${sample[1]} ${JSON.stringify(sample[2] ?? {})}`, () => {
      expect(check(sample, spread)).toEqual([]);
    });
  }
});

describe("lifted primitives: derivatives by independent means, with broadcasting", () => {
  for (const row of primitives) {
    it(row.name, () => {
      // operands side by side, the second one number for all
      const points = smoothPoints(row, 5);
      const column = (slot: number): { shape: number[]; data: Float64Array } => ({
        shape: [points.length],
        data: Float64Array.from(points, (p) => p[slot]),
      });
      const operands = Array.from({ length: row.arity }, (_, slot) => column(slot));
      const smooth =
        row.name !== "where" && row.name !== "polygamma"
          ? {}
          : { active: row.name === "where" ? [1, 2] : [1] };
      expect(wrongAt({ op: row.name, operands, second: false, differences: 1e-5, ...smooth })).toEqual([]);
    });
  }
});

/** Rows whose contributions have a way of their own: the same numbers as by their rule, whatever kind of cotangent arrives. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kernels } from "../../../../engine/kernels/kernels.js";
import { Embedded } from "../../../../engine/ops/array/embedded.js";
import { isMove } from "../../../../engine/ops/array/moves.js";
import { numeric, NumericAlgebra } from "../../../../engine/ops/array/numeric.js";
import { Repeated } from "../../../../engine/ops/array/repeated.js";
import type { Params } from "../../../../engine/ops/array/row.js";
import { arrayPrimitive, arrayPrimitives } from "../../../../engine/ops/array/table.js";
import { sizeOf, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";

interface Sample {
  readonly op: string;
  readonly shapes: readonly Shape[];
  readonly params?: Params;
  /** largest relative difference; absent: none, signs of zeros included */
  readonly tolerance?: number;
}

const binary = ["add", "sub", "mul"].flatMap((op): Sample[] => [
  { op, shapes: [[6, 16], [6, 16]] }, // prettier-ignore
  { op, shapes: [[6, 16], [16]] },
  { op, shapes: [[6, 1], [6, 16]] }, // prettier-ignore
  { op, shapes: [[6, 16], []] },
  { op, shapes: [[1, 16], [6, 16]] }, // prettier-ignore
  { op, shapes: [[6, 1], [1, 16]] }, // prettier-ignore
  { op, shapes: [[2, 3, 16], [2, 3, 1]] }, // prettier-ignore
  { op, shapes: [[2, 3, 16], [2, 1, 16]] }, // prettier-ignore
  { op, shapes: [[3], [3]] },
]);
const unary = ["neg", "square", "exp", "log", "sqrt", "tanh", "softplus", "relu", "sin", "cos"].flatMap(
  (op): Sample[] => [
    { op, shapes: [[6, 16]] },
    { op, shapes: [[3]] },
  ],
);
const products = [{}, { transposeA: true }, { transposeB: true }].flatMap((params): Sample[] => {
  const flags = params as { transposeA?: boolean; transposeB?: boolean };
  return [
    {
      op: "matmul",
      params,
      shapes: [flags.transposeA ? [9, 8] : [8, 9], flags.transposeB ? [7, 9] : [9, 7]],
    },
    { op: "matmul", params, shapes: [[2, 2], [2, 2]] }, // prettier-ignore
  ];
});
const sums = [null, 0, -1, [1, 2], [0, 2]].flatMap((axis): Sample[] => [
  { op: "sum", shapes: [[4, 5, 6]], params: { axis } },
  { op: "sum", shapes: [[4, 5, 6]], params: { axis, keepdims: true } },
  { op: "logsumexp", shapes: [[4, 5, 6]], params: { axis }, tolerance: 1e-14 },
]);
const moves: readonly Sample[] = [
  { op: "slice", shapes: [[70]], params: { slices: [[1, null]] } },
  { op: "slice", shapes: [[70]], params: { slices: [[null, -1]] } },
  { op: "slice", shapes: [[6, 16]], params: { slices: [[2, 4]] } },
  { op: "slice", shapes: [[6, 16]], params: { slices: [null, [2, 4]] } },
  { op: "slice", shapes: [[6, 16]], params: { slices: [[null, null, -2], 3] } },
  { op: "split", shapes: [[6, 16]], params: { sizes: [2, 4], take: 1 } },
  { op: "flip", shapes: [[6, 16]], params: {} },
  { op: "roll", shapes: [[6, 16]], params: { shifts: [3], axis: [1] } },
];
const target = [0, 2, 1, 4, 3, 0, 1];
const losses = ["mean", "sum", "none"].flatMap((reduction): Sample[] => [
  { op: "crossEntropy", shapes: [[7, 5]], params: { target, reduction }, tolerance: 1e-13 },
  {
    op: "crossEntropy",
    shapes: [[7, 5]],
    params: { target, reduction, labelSmoothing: 0.1, ignoreIndex: 2 },
    tolerance: 1e-13,
  },
]);
const samples: readonly Sample[] = [...binary, ...unary, ...products, ...sums, ...moves, ...losses];

let mark = 0;
beforeEach(() => void (mark = kernels().arena.mark()));
afterEach(() => kernels().arena.release(mark));

const fill = (shape: Shape, next: () => number): NDArray => ({
  shape,
  data: Float64Array.from({ length: sizeOf(shape) }, next),
});

/** Cotangents of a shape: of its own, repeated from what broadcasts to it, and zero but for a run. */
function cotangents(shape: Shape, next: () => number, k: NumericAlgebra): NDArray[] {
  const out = [fill(shape, next)];
  if (shape.length === 0) return out;
  const repeats: Shape[] = [[], [shape[shape.length - 1]], [...shape.slice(0, -1), 1]];
  if (sizeOf(shape) > 1)
    for (const small of repeats) out.push(new Repeated(shape, fill(small, next), k.room));
  const run = fill([sizeOf(shape) - 1], next).data;
  out.push(new Embedded(shape, sizeOf(shape), run, 1, k.room));
  return out;
}

const text = ({ op, shapes, params }: Sample): string =>
  `${op} ${JSON.stringify(shapes)} ${JSON.stringify(params ?? {})}`;

function near(got: number, wanted: number, tolerance: number): boolean {
  if (Object.is(got, wanted)) return true;
  return (
    tolerance > 0 && Math.abs(got - wanted) <= tolerance * Math.max(Math.abs(got), Math.abs(wanted), 1e-3)
  );
}

describe("contributions with a way of their own", () => {
  it("are all among the samples", () => {
    const sampled = new Set(samples.map(({ op }) => op));
    // all moves have the same way, by what they move
    const missing = arrayPrimitives
      .filter((row) => row.pull !== undefined && !sampled.has(row.name) && !isMove(row.name))
      .map(({ name }) => name);
    expect(missing).toEqual([]);
  });

  for (const sample of samples) {
    it(text(sample), () => {
      const { op, shapes, params = {}, tolerance = 0 } = sample;
      const row = arrayPrimitive(op);
      fc.assert(
        fc.property(fc.infiniteStream(fc.double({ min: 0.05, max: 3, noNaN: true })), (stream) => {
          const next = (): number => stream.next().value as number;
          const k = new NumericAlgebra(null, kernels());
          const plain = shapes.map((shape) => fill(shape, next));
          const operands = plain.map(({ shape, data }) => ({ shape, data: kernels().arena.copy64(data) }));
          const output = k.evaluate(row, operands, params);
          const wanted = numeric.evaluate(row, plain, params);
          expect(output.data.every((y, i) => near(y, wanted.data[i], tolerance))).toBe(true);
          // zeros of either sign among the cotangents
          const signed = (): number => {
            const x = next();
            return x < 0.15 ? 0 : x < 0.3 ? -0 : x - 1;
          };
          for (const g of cotangents(output.shape, signed, k)) {
            const written = { shape: g.shape, data: Float64Array.from(g.data) };
            operands.forEach((operand, slot) => {
              for (const algebra of [k, numeric]) {
                const part = algebra.contribution(row, slot, g, operands, output, params)!;
                const rule = row.vjp(slot, algebra, written, operands, output, params)!;
                expect(part.shape).toEqual(operand.shape);
                const worst = [...part.data].findIndex((c, i) => !near(c, rule.data[i], tolerance));
                expect(worst, `element ${worst}: ${part.data[worst]}, by the rule ${rule.data[worst]}`).toBe(
                  -1,
                );
              }
            });
          }
        }),
        { numRuns: 5 },
      );
    });
  }
});

describe("sums of contributions", () => {
  it("are the same with runs among zeros as with all elements", () => {
    const k = new NumericAlgebra(null, kernels());
    const n = 60;
    // zeros of either sign among them
    const ramp = (from: number, length: number): Float64Array =>
      kernels().arena.copy64(Array.from({ length }, (_, i) => (i % 5 === 0 ? -0 : Math.sin(from + i))));
    const parts = [
      { shape: [n], data: ramp(1, n) },
      new Embedded([n], n, ramp(2, n - 1), 0, k.room),
      new Embedded([n], n, ramp(3, n - 1), 1, k.room),
      new Embedded([n], n, ramp(4, 3), 20, k.room),
      new Repeated([n], { shape: [], data: ramp(5, 1) }, k.room),
    ];
    for (const a of parts) {
      for (const b of parts) {
        const wanted = Array.from(a.data, (x, i) => x + b.data[i]);
        expect([...k.accumulated(a, b).data]).toEqual(wanted);
      }
    }
  });
});

/**
 * Gradients of arrays when only numbers are asked for: arrays in the kernels' memory, cotangents that are repeated or mostly
 * zero not written out. They are those of a complete run, whose arrays are all written.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  add,
  crossEntropy,
  graph,
  gradient,
  mul,
  sweep,
  Tensor,
  valueAndGradient,
} from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";

const tensor = (shape: readonly number[], next: () => number): Tensor =>
  new Tensor({ shape, data: Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next) });

type Program = (inputs: { readonly x: Tensor; readonly w: Tensor }) => number;

/** x of shape [n], w of shape [n, 8]. */
const programs: Readonly<Record<string, Program>> = {
  "slices that overlap, squares, a sum": ({ x }) => {
    const left = x.slice([[null, -1]]);
    const b = x
      .slice([[1]])
      .sub(left.square())
      .square();
    return left.sub(1).square().add(b.mul(100)).sum();
  },
  "the whole beside its slices": ({ x }) => {
    const ends = x.slice([[2, -3]]).mul(x.slice([[5]]));
    return add(mul(x.sum(), 3), add(ends.sum(), x.square().sum()));
  },
  "sums over rows and columns": ({ x, w }) => {
    const rows = w.square().sum({ axis: 1 });
    const columns = w.exp().sum({ axis: 0, keepdims: true });
    return add(rows.mul(x).sum(), w.sub(columns).square().sum());
  },
  "cross entropy of a layer": ({ x, w }) => {
    const logits = x.reshape([-1, 1]).mul(w).tanh().matmul(w.transpose()).matmul(w);
    return crossEntropy(
      logits,
      Array.from({ length: x.size }, (_, i) => i % 8),
    );
  },
  "logsumexp, weighted": ({ x, w }) => add(w.logsumexp({ axis: 1 }).mul(x).sum(), w.logsumexp()),
  "a contribution of zeros": ({ x, w }) =>
    add(
      w
        .sum({ axis: 1 })
        .slice([[3]])
        .square()
        .sum(),
      x.slice([[0, 1]]).sum(),
    ),
};

describe("gradients of arrays without a trace", () => {
  for (const [name, program] of Object.entries(programs)) {
    it(`are those of a complete run: ${name}`, () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 9, max: 90 }),
          fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
          (n, stream) => {
            const next = (): number => stream.next().value as number;
            const x = tensor([n], next);
            const w = tensor([n, 8], next);
            const definition = graph({ x, w }, program) as unknown as GraphDefinition;
            const { value, gradient: got } = valueAndGradient(definition, { x, w }) as unknown as {
              value: number;
              gradient: Record<string, Tensor>;
            };
            const { report, trace } = sweep(definition);
            expect(Math.abs(value - trace.header.outputs[0].value)).toBeLessThanOrEqual(
              1e-12 * Math.max(1, Math.abs(value)),
            );
            for (const input of ["x", "w"]) {
              const wanted = (report.gradient[input] as readonly unknown[]).flat(2) as number[];
              const largest = Math.max(1, ...wanted.map(Math.abs));
              const parts = [...got[input].toFloat64Array()];
              expect(parts.length).toBe(wanted.length);
              parts.forEach((c, i) => expect(Math.abs(c - wanted[i])).toBeLessThanOrEqual(1e-12 * largest));
            }
          },
        ),
        { numRuns: 6 },
      );
    });
  }

  it("stand in memory of their own: another gradient does not change them", () => {
    const x = tensor([100], () => 0.5);
    const definition = graph({ x }, ({ x: a }) => a.square().sum());
    const first = gradient(definition, { x }) as { x: Tensor };
    gradient(definition, { x: tensor([100], () => 7) });
    expect([...first.x.toFloat64Array()]).toEqual(new Array(100).fill(1));
  });

  it("are nested arrays where no tensor was given", () => {
    const definition = graph({ x: new Float64Array(3).fill(2) }, ({ x }) => x.square().sum());
    expect(gradient(definition)).toEqual({ x: [4, 4, 4] });
  });
});

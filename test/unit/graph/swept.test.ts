import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition, GraphOptions } from "../../../engine/graph/definition.js";
import { definition, randomGraph } from "../random-graph.js";

/** The gradient as a complete run with a trace reports it, in tape order. */
const complete = (graph: GraphDefinition): unknown => run(graph, { order: "tape" }).report.gradient;

describe("gradient() without a trace", () => {
  const options: GraphOptions[] = [
    {},
    { accumulate: "pairwise" },
    { accumulate: "kahan" },
    { accumulate: "last-writer-wins" },
    { dtype: "f32" },
    { dtype: "bf16" },
    { cotangentDtype: "f16" },
  ];
  for (const chosen of options) {
    it(`is that of a complete run, to the bit, with ${JSON.stringify(chosen)}`, () => {
      fc.assert(
        fc.property(randomGraph(40), (random) => {
          const graph = { ...definition(random), options: chosen };
          expect(B.gradient(graph)).toEqual(complete(graph));
        }),
        { numRuns: 100 },
      );
    });
  }

  it("is it for what the short way does not take: given derivatives, rules of one's own, arrays, cuts", () => {
    const square = B.custom({ forward: (x) => x * x, vjp: (g, _y, x) => [2 * g * x] });
    const graphs = [
      B.graph({ x: 3 }, ({ x }) => B.mul(square(x), x)),
      B.graph({ x: 3, y: [1, 2] }, ({ x, y }) => B.add(B.mul(B.stopGradient(x), x), y[1])),
      B.graph({ w: Float64Array.of(1, 2, 3) }, ({ w }) => B.mul(w, w) as unknown as number),
      B.graph({ x: 0.3 }, ({ x }) => B.where(x, B.clip(x, 0, 1), B.neg(x))),
      B.graph({ x: 2, unused: 5 }, ({ x }) => [x, B.exp(x), 7]),
      B.graph({ x: 2 }, () => 7),
    ] as unknown as GraphDefinition[];
    for (const graph of graphs) expect(B.gradient(graph)).toEqual(complete(graph));
  });

  it("leaves no trace of one evaluation in the next, however many there are", () => {
    const graph = B.graph({ x: [1, 2, 3] }, ({ x }) => B.mul(B.mul(x[0], x[1]), x[2]));
    for (let i = 0; i < 50; i++) {
      const x = [i, i + 1, i + 2];
      expect(B.gradient(graph, { x })).toEqual({ x: [x[1] * x[2], x[0] * x[2], x[0] * x[1]] });
    }
  });

  it("goes beyond one segment of the tape", () => {
    const n = 150_000;
    const graph = B.graph({ x: 1, y: 0.5 }, ({ x, y }) => {
      let s = x;
      for (let i = 0; i < n; i++) s = i % 2 === 0 ? B.add(s, y) : B.sub(s, 0.25);
      return B.mul(s, x);
    });
    const value = 1 + (n / 2) * 0.25;
    expect(B.valueAndGradient(graph)).toEqual({ value, gradient: { x: value + 1, y: n / 2 } });
  });
});

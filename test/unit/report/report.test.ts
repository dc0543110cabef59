import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, div, exp, graph, mul, sub } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import { walkMemory } from "../../../engine/report/memory.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { Event } from "../../../engine/trace/events.js";
import { definition, randomGraph } from "../random-graph.js";

const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = mul(x, y);
  return mul(add(a, x), mul(a, y));
});

describe("memory", () => {
  it("counts the fan-out example's four kinds", () => {
    // x, y, a, b, c are read by later rules, L is not; b, c, then a and x hold a cotangent at once
    expect(sweep(fanOut).report.memory).toEqual({
      instructions: { peakCount: 6, peakBytes: 102, atStep: 4 },
      primalStates: { peakCount: 5, peakBytes: 40, atStep: 3 },
      cotangentBuffers: { peakCount: 3, peakBytes: 24, atStep: 7 },
      metadata: { peakCount: 0, peakBytes: 0, atStep: 0 },
    });
    expect(sweep(fanOut, { dtype: "f16" }).report.memory.primalStates.peakBytes).toBe(10);
    expect(sweep(fanOut, { cotangentDtype: "f32" }).report.memory.cotangentBuffers.peakBytes).toBe(12);
  });

  it("needs no primal for sums, and the output for exp", () => {
    const sums = graph({ x: 2, y: 3 }, ({ x, y }) => sub(add(x, y), x));
    expect(sweep(sums).report.memory.primalStates.peakCount).toBe(0);
    const grown = graph({ x: 2 }, ({ x }) => exp(x));
    const { trace } = sweep(grown);
    const reads = Array.from(trace.events.kind.keys()).filter((row) => trace.events.kind[row] === Event.read);
    expect(reads.map((row) => [trace.events.node[row], trace.events.value[row]])).toEqual([[1, 1]]);
  });

  it("is at every position what a count from the definition says", () => {
    fc.assert(
      fc.property(randomGraph(12), (g) => {
        const { trace } = sweep(definition(g));
        const timeline = new Timeline(trace);
        walkMemory(trace, (position, [instructions, , cotangents]) => {
          let evaluated = 0;
          let held = 0;
          for (let v = 0; v < trace.nodes.n; v++) {
            if (timeline.isEvaluated(v, position)) evaluated++;
            const touched = timeline.arrived(v, position) > 0 || timeline.seed(v, position) !== undefined;
            let own = 0;
            let done = 0;
            for (let e = 0; e < trace.edges.n; e++) {
              if (trace.edges.to[e] !== v) continue;
              own++;
              const step = timeline.stepOfEdge(e);
              if (step >= 0 && step <= position) done++;
            }
            if (touched && !(own > 0 && done === own)) held++;
          }
          expect(instructions).toBe(evaluated);
          expect(cotangents).toBe(held);
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe("operation counts", () => {
  it("counts as the contract says, += included", () => {
    expect(sweep(fanOut).report.flops).toEqual({
      forward: 4,
      reverse: 14,
      ratio: 4.5,
      other: { forward: 0, reverse: 0 },
    });
    // one product: one operation, two products and two additions back, five in all
    expect(sweep(graph({ x: 2, y: 3 }, ({ x, y }) => mul(x, y))).report.flops.ratio).toBe(5);
    expect(sweep(graph({ x: 2, y: 3 }, ({ x, y }) => div(x, y))).report.flops.ratio).toBe(5);
    expect(sweep(graph({ x: 2 }, ({ x }) => mul(x, 3))).report.flops.ratio).toBe(3);
  });

  it("keeps other primitives apart", () => {
    const { flops } = sweep(graph({ x: 2 }, ({ x }) => mul(exp(x), x))).report;
    expect([flops.forward, flops.ratio]).toEqual([1, 5]);
    expect(flops.other.forward).toBeGreaterThan(0);
  });
});

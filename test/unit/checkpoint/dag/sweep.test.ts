/** Reverse sweeps of traced graphs under a byte budget: run with values really dropped, against the sweep that keeps everything. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  lowerBound,
  rematerialise,
  sweepProblem,
  type SweepPlan,
  type SweepProblem,
} from "../../../../engine/checkpoint/dag/index.js";
import { resolveOptions } from "../../../../engine/graph/options.js";
import { mergeSeeds } from "../../../../engine/graph/outputs.js";
import { record } from "../../../../engine/graph/record.js";
import { flatten, type FlatTape } from "../../../../engine/sweep/flat.js";
import { activeNodes, sweepOrder } from "../../../../engine/sweep/order.js";
import { Reads } from "../../../../engine/sweep/reads.js";
import { BacksweepError } from "../../../../engine/trace/failure.js";
import { definition, randomGraph, type RandomGraph } from "../../random-graph.js";

const context = { name: "g", graphs: ["g"], root: "", limitBytes: Infinity };

function traced(
  graph: RandomGraph,
  cotangents = false,
): { flat: FlatTape; order: Int32Array; sweep: SweepProblem } {
  const def = definition(graph);
  const { recorder, outputs } = record({ definition: def, settings: resolveOptions(def, {}), context });
  const flat = flatten(recorder.tape);
  const nodes = mergeSeeds(outputs).map(({ node }) => node);
  const order = sweepOrder(flat, activeNodes(flat, nodes), nodes, "breadth", String);
  const sizes = { bytes: () => 8, forward: () => 1, reverse: () => 1, cotangents };
  return { flat, order, sweep: sweepProblem(flat, nodes, order, sizes) };
}

/** Replays a plan on the tape itself: operands are live when a node is computed, what a rule reads is live when it runs. */
function replay(flat: FlatTape, order: Int32Array, plan: SweepPlan): number {
  const live = new Set<number>();
  for (let v = 0; v < flat.n; v++)
    if (flat.edgeStart[v] === flat.edgeStart[v + 1] && flat.op[v] === 255) live.add(v);
  const reversed: number[] = [];
  const reads = new Reads(flat);
  let peak = live.size;
  for (const { kind, node } of plan.ops) {
    if (kind === "compute") {
      expect(live.has(node)).toBe(false);
      for (let e = flat.edgeStart[node]; e < flat.edgeStart[node + 1]; e++)
        expect(live.has(flat.edgeFrom[e])).toBe(true);
      live.add(node);
      peak = Math.max(peak, live.size);
    } else if (kind === "drop") expect(live.delete(node)).toBe(true);
    else {
      const count = reads.collect(node);
      for (let i = 0; i < count; i++) expect(live.has(reads.nodes[i])).toBe(true);
      reversed.push(node);
    }
  }
  expect(reversed).toEqual(Array.from(order));
  return 8 * peak;
}

describe("reverse sweeps under a byte budget", () => {
  it("run in the order of the sweep with every primal there when it is read", () => {
    fc.assert(
      fc.property(randomGraph(20), fc.integer({ min: 1, max: 30 }), (graph, values) => {
        const { flat, order, sweep } = traced(graph);
        let plan;
        try {
          plan = rematerialise(sweep, 8 * values);
        } catch (error) {
          expect(error).toBeInstanceOf(BacksweepError);
          return;
        }
        expect(replay(flat, order, plan)).toBe(plan.peak);
        expect(plan.peak).toBeLessThanOrEqual(8 * values);
        expect(plan.cost).toBeGreaterThanOrEqual(lowerBound(sweep.problem, 8 * values));
      }),
      { numRuns: 40 },
    );
  });

  it("with memory for everything compute each needed value once", () => {
    fc.assert(
      fc.property(randomGraph(24), (graph) => {
        const { flat, order, sweep } = traced(graph);
        const plan = rematerialise(sweep, 8 * flat.n);
        expect(plan.exact).toBe(true);
        const computed = plan.ops.filter(({ kind }) => kind === "compute").map(({ node }) => node);
        expect(new Set(computed).size).toBe(computed.length);
        expect(plan.cost).toBe(computed.length + order.length);
      }),
      { numRuns: 40 },
    );
  });

  it("count cotangent buffers when they are asked to", () => {
    const graph: RandomGraph = {
      inputs: [0.5],
      steps: Array.from({ length: 12 }, (_, i) => ({ op: "sin", a: i, b: 0, constant: null })),
      outputs: [],
    };
    const without = rematerialise(traced(graph).sweep, 8 * 5);
    const { demands } = traced(graph, true).sweep.problem;
    // on a chain a rule has its own buffer and makes one
    expect(demands.slice(1, -1).every(({ before, during }) => before === 8 && during === 16)).toBe(true);
    const counted = rematerialise(traced(graph, true).sweep, 8 * 5);
    expect(counted.peak).toBeLessThanOrEqual(40);
    expect(counted.cost).toBeGreaterThan(without.cost);
  });
});

/** Each class of faulty reverse sweep is told from the right one by the checks the engine's own sweep goes through. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten } from "../../../engine/sweep/flat.js";
import { record } from "../../../engine/graph/record.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { mergeSeeds } from "../../../engine/graph/outputs.js";
import { reverseSweep } from "../../../engine/sweep/reverse.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";
import { definition, randomGraph, referenceGradient, type RandomGraph } from "../random-graph.js";
import { exponentialSweep, faultySweeps, rightSweep, type Outcome, type Sweep } from "./faulty-sweeps.js";

const context = { name: "g", graphs: ["g"], root: "", limitBytes: Infinity };

const engineSweep: Sweep = (flat, seeds) => {
  const list = Array.from(seeds, ([node, cotangent]) => ({ node, cotangent }));
  const nodes = [...seeds.keys()];
  const active = activeNodes(flat, nodes);
  const paid = new Int32Array(flat.edgeFrom.length);
  for (let e = 0; e < paid.length; e++) paid[e] = active[flat.edgeTo[e]];
  const { cotangent } = reverseSweep(flat, {
    order: sweepOrder(flat, active, nodes, "breadth", String),
    seeds: list,
    accumulation: { kind: "sum" },
    round: null,
    customRules: new Map(),
    assigns: null,
  });
  return { cotangent, paid };
};

function run(graph: RandomGraph, sweep: Sweep): { outcome: Outcome; inputs: number } {
  const def = definition(graph);
  const { recorder, outputs } = record({ definition: def, settings: resolveOptions(def, {}), context });
  const seeds = new Map(mergeSeeds(outputs).map(({ node, cotangent }) => [node, cotangent]));
  return { outcome: sweep(flatten(recorder.tape), seeds), inputs: graph.inputs.length };
}

/** True where the sweep's gradient is the slow reference's. */
function agrees(graph: RandomGraph, sweep: Sweep): boolean {
  const expected = referenceGradient(graph);
  const { outcome } = run(graph, sweep);
  return expected.every((want, i) => {
    const got = outcome.cotangent[i];
    return Math.abs(got - want) <= 1e-10 * Math.max(1, Math.abs(got), Math.abs(want));
  });
}

const graphs = fc.sample(randomGraph(12), { numRuns: 200, seed: 20 });

describe("planted faults", () => {
  it("the right sweep, plain or the engine's, agrees with the reference on all 200 graphs", () => {
    for (const graph of graphs) {
      expect(agrees(graph, rightSweep)).toBe(true);
      expect(agrees(graph, engineSweep)).toBe(true);
    }
  });

  for (const [name, sweep] of Object.entries(faultySweeps)) {
    it(`${name}: seen within 200 random graphs`, () => {
      expect(graphs.some((graph) => !agrees(graph, sweep))).toBe(true);
    });
  }

  it("visits that grow with the number of paths: right numbers, seen by the payments", () => {
    // a chain of diamonds: 2^12 paths over 24 edges
    const steps = Array.from({ length: 12 }, (_, i) => ({ op: "add", a: i, b: i, constant: null }));
    const diamonds: RandomGraph = { inputs: [0.5], steps, outputs: [] };
    const slow = run(diamonds, exponentialSweep).outcome;
    const ours = run(diamonds, engineSweep).outcome;
    expect(slow.cotangent[0]).toBe(ours.cotangent[0]);
    expect(Math.max(...slow.paid)).toBeGreaterThan(1000);
    expect(Math.max(...ours.paid)).toBe(1);
  });
});

/** A sweep with a cotangent given by hand: the gradient changes by that change times the forward derivative of the node. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import { mergeSeeds } from "../../../engine/graph/outputs.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { record } from "../../../engine/graph/record.js";
import { flatten, isArrayNode, nodeArray } from "../../../engine/sweep/flat.js";
import type { GivenCotangent } from "../../../engine/sweep/given.js";
import { MixedForward } from "../../../engine/sweep/mixed-forward.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";
import { reverseSweep, type SweepResult } from "../../../engine/sweep/reverse.js";
import type { NDArray } from "../../../engine/tape/ndarray.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { arrayGraph, definitionOf } from "../random-arrays.js";
import { definition, randomGraph } from "../random-graph.js";

const context = { name: "g", graphs: ["g"], root: "", limitBytes: Infinity };

describe("a cotangent that is given", () => {
  it("changes the gradient as the forward sweep says, elements of arrays included, in every mode of adding", () => {
    const modes = fc.constantFrom("sum" as const, "pairwise" as const, "kahan" as const);
    fc.assert(
      fc.property(
        arrayGraph(),
        modes,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        (g, kind, p, q, change) => {
          const graph = definitionOf(g);
          const { recorder, outputs, inputs } = record({
            definition: graph,
            settings: resolveOptions(graph, {}),
            context,
          });
          const tape = flatten(recorder.tape);
          const seeds = mergeSeeds(outputs);
          const nodes = seeds.map(({ node }) => node);
          const active = activeNodes(tape, nodes);
          const order = sweepOrder(tape, active, nodes, "breadth", String);
          const run = (given: readonly GivenCotangent[]): SweepResult =>
            reverseSweep(tape, {
              order,
              seeds,
              accumulation: { kind },
              round: null,
              customRules: recorder.customRules,
              assigns: null,
              given,
            });
          const node = order[p % order.length];
          const array = isArrayNode(tape, node);
          const element = array ? q % nodeArray(tape, node).data.length : null;
          const truth = run([]);
          const before = array ? truth.arrays!.cotangent.get(node)!.data[element!] : truth.cotangent[node];
          const other = run([{ node, element, value: before + change }]);

          const direction = new Map<number, NDArray>();
          let phase = 0.4;
          for (const { first, shape } of inputs) {
            const size = shape.reduce((a, b) => a * b, 1);
            direction.set(first, {
              shape,
              data: Float64Array.from({ length: size }, () => Math.cos((phase += 2.3))),
            });
          }
          const { tangents } = new MixedForward(tape, direction, recorder.customRules, null);
          const along = (swept: SweepResult): number => {
            let sum = 0;
            for (const { first } of inputs) {
              const u = direction.get(first)!.data;
              const bar = swept.arrays?.cotangent.get(first)?.data ?? [swept.cotangent[first]];
              for (let i = 0; i < u.length; i++) sum += u[i] * bar[i];
            }
            return sum;
          };
          const expected = change * (tangents[node]?.data[element ?? 0] ?? 0);
          const [now, then] = [along(other), along(truth)];
          const size = Math.max(1, Math.abs(now), Math.abs(then), Math.abs(expected));
          expect(Math.abs(now - then - expected)).toBeLessThanOrEqual(1e-10 * size);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("is rounded as the sweep rounds, and stands in the trace as the node's cotangent", () => {
    fc.assert(
      fc.property(randomGraph(), fc.nat(), (g, pick) => {
        const timeline = new Timeline(sweep(definition(g)).trace);
        const reached = Array.from({ length: timeline.trace.nodes.n }, (_, v) => v).filter(
          (v) => timeline.finalStep(v) >= 0,
        );
        const node = reached[pick % reached.length];
        const given = [{ node, element: null, value: 1 / 3 }];
        const changed = sweep(definition(g), { given, cotangentDtype: "f32" }).trace;
        expect(new Timeline(changed).cotangent(node)).toBe(Math.fround(1 / 3));
        expect(changed.events.n).toBe(timeline.trace.events.n);
      }),
      { numRuns: 60 },
    );
  });
});

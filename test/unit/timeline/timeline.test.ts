import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, graph, mul } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { Event } from "../../../engine/trace/events.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { definition, randomGraph } from "../random-graph.js";

const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = mul(x, y);
  return mul(add(a, x), mul(a, y));
});
// ids: x 0, y 1, a 2, b 3, c 4, L 5

/** State at a position by plain replay of the rows, the slow way. */
function replayed(
  trace: Trace,
  position: number,
): { arrived: number[]; sum: number[]; final: boolean[]; evaluated: boolean[] } {
  const n = trace.nodes.n;
  const state = {
    arrived: new Array<number>(n).fill(0),
    sum: new Array<number>(n).fill(0),
    final: new Array<boolean>(n).fill(false),
    evaluated: Array.from({ length: n }, (_, v) => trace.nodes.kind[v] === 1),
  };
  let step = 0;
  for (let row = 0; row < trace.events.n; row++) {
    const kind = trace.events.kind[row];
    if (kind === Event.eval || kind === Event.contribute) step++;
    if (step > position) break;
    const node = trace.events.node[row];
    const value = trace.values.mean[trace.events.value[row]];
    if (kind === Event.eval) state.evaluated[node] = true;
    if (kind === Event.seed) state.sum[node] += value;
    if (kind === Event.contribute) {
      state.arrived[node]++;
      state.sum[node] += value;
    }
    if (kind === Event.final) state.final[node] = true;
  }
  return state;
}

describe("timeline", () => {
  it("counts the steps of the fan-out example as the contract does", () => {
    const timeline = new Timeline(sweep(fanOut).trace);
    expect([timeline.forwardSteps, timeline.steps]).toEqual([4, 12]);
    const into = timeline.arrivals(2);
    expect(into.map(({ child, slot, value, step, local }) => [child, slot, value, step, local])).toEqual([
      [3, 0, 18, 7, 1],
      [4, 0, 24, 9, 3],
    ]);
    expect(timeline.finalStep(2)).toBe(9);
    expect(timeline.finalStep(5)).toBe(4);
    expect(timeline.seed(5, 3)).toBeUndefined();
    expect(timeline.seed(5, 4)).toBe(1);
    expect(timeline.cotangent(0)).toBe(144);
    expect(timeline.arrivals(2, 8).map((arrival) => arrival.value)).toEqual([18]);
    expect(timeline.nodeAt(9)).toBe(2);
  });

  it("answers at any position what a replay from the start would", () => {
    fc.assert(
      fc.property(randomGraph(), fc.double({ min: 0, max: 1, noNaN: true }), (g, at) => {
        const { trace } = sweep(definition(g));
        const timeline = new Timeline(trace);
        const position = Math.round(at * timeline.steps);
        const slow = replayed(trace, position);
        for (let v = 0; v < trace.nodes.n; v++) {
          expect(timeline.arrived(v, position)).toBe(slow.arrived[v]);
          expect(timeline.isFinal(v, position)).toBe(slow.final[v]);
          expect(timeline.isEvaluated(v, position)).toBe(slow.evaluated[v]);
          const sum = timeline
            .arrivals(v, position)
            .reduce((s, arrival) => s + arrival.value, timeline.seed(v, position) ?? 0);
          expect(sum).toBe(slow.sum[v]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

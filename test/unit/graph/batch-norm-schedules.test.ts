/** Batch normalisation with running statistics under schedules: replays read what the first run read and update nothing. */
import { describe, expect, it } from "vitest";
import { replay } from "../../../engine/analysis/replay.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import * as B from "../../../engine/index.js";
import { chainSchedules } from "../checkpoint/execute/schedules-for-tests.js";

const LAYERS = 6;
const context = { name: "graph", graphs: ["graph"], root: "", limitBytes: Infinity };
const batch = B.tensor([
  [0.2, -1.3],
  [1.1, 0.4],
  [-0.6, 0.9],
  [0.3, 2.2],
]);

interface Statistics {
  readonly graph: GraphDefinition;
  /** what the last recording left: number of updates, mean and variance */
  left(): { readonly updates: number; readonly mean: number[]; readonly variance: number[] };
}

/** Layers that normalise their batch; the running statistics of each batch are those of its channels. */
function network(training: boolean): Statistics {
  const running = B.runningState({ updates: 0, mean: [0, 0], variance: [1, 1] });
  const graph = B.graph({ x: batch, scale: B.tensor([1.2, 0.8]), shift: B.tensor([0.1, -0.2]) }, (inputs) => {
    const { x, scale, shift } = inputs as unknown as Record<"x" | "scale" | "shift", B.Tensor>;
    const end = B.chain(LAYERS, x, (state) => {
      const u = state as B.Tensor;
      const { updates, mean, variance } = running.get();
      const options = training
        ? { weight: scale, bias: shift }
        : {
            weight: scale,
            bias: shift,
            training: false,
            runningMean: mean,
            runningVar: variance,
          };
      const next = B.batchNorm(u, options as never);
      const rows = u.toArray() as number[][];
      const means = [0, 1].map((c) => rows.reduce((sum, row) => sum + row[c]!, 0) / rows.length);
      const variances = [0, 1].map(
        (c) => rows.reduce((sum, row) => sum + (row[c]! - means[c]!) ** 2, 0) / rows.length,
      );
      const moved = (old: number[], now: number[]): number[] => old.map((m, c) => 0.9 * m + 0.1 * now[c]!);
      running.update({
        updates: updates + 1,
        mean: moved(mean, means),
        variance: moved(variance, variances),
      });
      return B.tanh(next).add(u.mul(0.5));
    }) as B.Tensor;
    return end.square().sum();
  }) as unknown as GraphDefinition;
  return { graph, left: () => running.get() as ReturnType<Statistics["left"]> };
}

describe.each([
  ["of the batch", true],
  ["of running statistics", false],
])("batchNorm %s", (_, training) => {
  const { graph, left } = network(training);
  const all = run(graph, { order: "breadth" }).report;
  const statistics = left();

  it("updates its statistics once a layer", () => {
    expect(statistics.updates).toBe(LAYERS);
    expect(statistics.mean).not.toEqual([0, 0]);
  });

  it.each([...chainSchedules, "auto:2500", "chain-budget:2500"])("and no more often under %s", (schedule) => {
    const some = run(graph, { order: "breadth", schedule }).report;
    expect(some.gradient).toEqual(all.gradient);
    expect(left()).toEqual(statistics);
    expect(B.gradient({ ...graph, options: { schedule } })).toEqual(all.gradient);
    expect(left()).toEqual(statistics);
  });

  it("keeps the replay contract", () => {
    const settings = resolveOptions(graph, { schedule: "revolve:2" });
    const asked = { kind: "replay", stream: "matched", dtype: null, accumulate: null } as const;
    const result = replay({ definition: graph, settings, context }, asked);
    expect(result.points.filter(({ holds }) => !holds)).toEqual([]);
    expect(result.compared.replays).toBeGreaterThan(LAYERS - 2);
    expect(result.checkpoint!.replay!.stateUpdates).toBe(LAYERS);
  });
});

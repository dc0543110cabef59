/** Every schedule there is, by the table of names: the gradient of everything kept on random graphs and chains, to the bit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scheduleKinds } from "../../../../engine/checkpoint/kinds.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";
import * as B from "../../../../engine/index.js";
import { definition, randomGraph } from "../../random-graph.js";
import { chainSchedules, everySchedule, wordOf } from "./schedules-for-tests.js";

it("the lists of the tests have every name of the table", () => {
  const words = scheduleKinds.map(({ word }) => word);
  expect(words.filter((word) => !everySchedule.some((name) => wordOf(name) === word))).toEqual([]);
  // what is executed for its steps alone: all but the ends, those with a budget, and the one for layers
  const others = ["store-all", "reversible", "chain-budget", "budget", "auto"];
  expect(words.filter((word) => !chainSchedules.some((name) => wordOf(name) === word)).sort()).toEqual(
    [...others].sort(),
  );
});

const exact = everySchedule.filter((name) => !name.startsWith("reversible"));

/** A budget that is a part of what everything takes. */
function within(schedule: string, all: number, part: number): string {
  const word = wordOf(schedule);
  return ["budget", "auto", "chain-budget"].includes(word)
    ? `${word}:${Math.max(16, Math.floor(part * all))}`
    : schedule;
}

/** Null where the budget is too small for any plan. */
function under(graph: GraphDefinition, schedule: string, order: "tape" | "breadth") {
  try {
    return run(graph, { schedule, order }).report;
  } catch (error) {
    expect(error).toMatchObject({ kind: "option" });
    return null;
  }
}

describe.each(exact)("%s", (schedule) => {
  it("on random graphs", () => {
    let ran = 0;
    fc.assert(
      fc.property(randomGraph(60), fc.double({ min: 0.5, max: 0.99, noNaN: true }), (random, part) => {
        const graph = definition(random);
        const all = run(graph, { order: "tape" });
        const some = under(graph, within(schedule, 8 * all.trace.nodes.n, part), "tape");
        if (some === null) return;
        ran++;
        expect(some.gradient).toEqual(all.report.gradient);
      }),
      { numRuns: 12 },
    );
    expect(ran).toBeGreaterThan(0);
  });

  it("on random chains", () => {
    let ran = 0;
    const shape = fc.record({
      length: fc.integer({ min: 2, max: 20 }),
      width: fc.integer({ min: 1, max: 4 }),
      arrays: fc.boolean(),
      part: fc.double({ min: 0.5, max: 0.99, noNaN: true }),
    });
    fc.assert(
      fc.property(shape, ({ length, width, arrays, part }) => {
        const start = Float64Array.from({ length: 1 + 2 * width }, (_, i) => Math.cos(i));
        const graph = (arrays
          ? B.graph({ u: start, w: 0.7 }, ({ u, w }) =>
              (B.chain(length, u, (s) => B.tanh((s as B.Tensor).mul(w).add(u))) as B.Tensor).sum(),
            )
          : B.graph({ u: [...start].slice(0, width), w: 0.7 }, ({ u, w }) =>
              (
                B.chain(length, u, (s) =>
                  s.map((x, i) => B.add(B.sin(B.mul(x, w)), B.mul(0.1 * i, x))),
                ) as number[]
              ).reduce((a, b) => B.add(a, b)),
            )) as unknown as GraphDefinition;
        const all = run(graph, { order: "breadth" });
        const some = under(
          graph,
          within(schedule, all.report.checkpoint!.allocatedBytes.storeAll, part),
          "breadth",
        );
        if (some === null) return;
        ran++;
        expect(some.gradient).toEqual(all.report.gradient);
      }),
      { numRuns: 12 },
    );
    expect(ran).toBeGreaterThan(0);
  });
});

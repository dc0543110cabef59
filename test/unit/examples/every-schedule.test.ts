/** Every example under every schedule of the table of names, in this process: the gradient of store-all, to the bit. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { scheduleKinds } from "../../../engine/checkpoint/kinds.js";
import { run } from "../../../engine/graph/complete.js";
import { isGraph, type GraphDefinition } from "../../../engine/graph/definition.js";
import type { RunReport } from "../../../engine/report/report.js";
import { chainSchedules, wordOf } from "../checkpoint/execute/schedules-for-tests.js";
import { load } from "../compile/harness.js";

const folder = fileURLToPath(new URL("../../../examples", import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith(".graph.ts"));
/** More pebbles than any example needs. */
const schedules = chainSchedules.map((name) => (wordOf(name) === "pebble" ? "pebble:8" : name));
/** Those with a budget: a byte short of what everything takes, and less. */
const budgets = ["auto", "chain-budget", "budget"];
const inverses = ["reversible", "reversible+revolve:2", "reversible+auto:1MiB"];
/** Graphs that break the contract on purpose. */
const broken = ["careless"];

/** Budgets under which an example ran with something dropped. */
const dropped = new Set<string>();

it("every schedule of the table is tried here", () => {
  const tried = new Set(["store-all", ...schedules.map(wordOf), ...budgets, ...inverses]);
  expect(scheduleKinds.map(({ word }) => word).filter((word) => !tried.has(word))).toEqual([]);
});

describe.each(files)("examples/%s", (file) => {
  const graphs = new Map<string, GraphDefinition>();
  beforeAll(async () => {
    const { namespace } = await load({ [file]: readFileSync(join(folder, file), "utf8") }, "rewritten");
    for (const [name, value] of Object.entries(namespace))
      if (isGraph(value) && !broken.includes(name)) graphs.set(name, value);
  });

  // a graph without chains is cut under a schedule: in tape order both sweeps are the same
  const under = (graph: GraphDefinition, schedule: string): RunReport =>
    run(graph, { schedule, order: "tape" }).report;

  it("has the gradient of store-all under every schedule of steps", () => {
    expect(graphs.size).toBeGreaterThan(0);
    for (const [name, graph] of graphs) {
      const kept = under(graph, "store-all");
      for (const schedule of schedules)
        expect(under(graph, schedule).gradient, `${name} under ${schedule}`).toEqual(kept.gradient);
    }
  });

  it("has it within budgets of bytes, or is told that they are too few", () => {
    for (const [name, graph] of graphs) {
      const kept = under(graph, "store-all");
      const all = under(graph, "revolve:1").checkpoint!.allocatedBytes.storeAll;
      for (const word of budgets) {
        for (const bytes of [all - 1, Math.ceil((3 * all) / 4)]) {
          const schedule = `${word}:${bytes}`;
          let some: RunReport;
          try {
            some = under(graph, schedule);
          } catch (error) {
            expect(error, `${name} under ${schedule}`).toMatchObject({ kind: "option" });
            continue;
          }
          expect(some.gradient, `${name} under ${schedule}`).toEqual(kept.gradient);
          const { peak, storeAll } = some.checkpoint!.allocatedBytes;
          if (peak >= storeAll) continue;
          dropped.add(word);
          expect(peak).toBeLessThanOrEqual(bytes);
        }
      }
    }
  });

  it("has it up to a stated error where coupling layers are inverted", () => {
    for (const [name, graph] of graphs) {
      const kept = under(graph, "store-all");
      if (kept.checkpoint?.regions.some(({ kind }) => kind === "coupling") !== true) {
        expect(() => under(graph, "reversible"), name).toThrow("is for coupling layers");
        continue;
      }
      for (const schedule of inverses) {
        const { checkpoint } = under(graph, schedule);
        expect(checkpoint!.regions.some((region) => region.schedule === "reversible")).toBe(true);
        expect(checkpoint!.reconstruction!.layers.length).toBeGreaterThan(0);
        expect(checkpoint!.reconstruction!.gradient!.relative).toBeLessThan(1e-9);
      }
    }
  });
});

it("every budget has dropped something of some example", () => {
  expect([...dropped].sort()).toEqual([...budgets].sort());
});

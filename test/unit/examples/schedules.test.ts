/** Every example under schedules: the gradient of store-all to the bit, and a Taylor test through the replays. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { RunOptions, RunResult, RunSuccess } from "../../../runner/messages.js";
import { buildForTest, type Built, quietRunner } from "../runner/built.js";

const folder = fileURLToPath(new URL("../../../examples", import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith(".graph.ts"));
/** One of each sort: `every-schedule.test.ts` goes through all, in one process. */
const schedules = ["uniform-tapes:2", "revolve:3", "auto:1KiB"];
/** A graph that breaks the contract on purpose. */
const careless = "careless";

let built: Built;
let runner: Runner;
beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
});

const run = (file: string, options: RunOptions): Promise<RunResult> =>
  runner.run({
    file: join(folder, file),
    root: folder,
    options,
    timeoutMs: 120_000,
    memoryBytes: 2 ** 30,
    allowImports: false,
    layout: false,
  });

async function good(file: string, options: RunOptions): Promise<RunSuccess> {
  const result = await run(file, options);
  if (!result.ok) throw new Error(`${file}: ${result.failure.message}`);
  return result;
}

describe.each(files)("examples/%s", (file) => {
  it("has the gradient of store-all under schedules, bit for bit", async () => {
    const { graphs } = (await good(file, {})).report;
    for (const graph of graphs) {
      if (graph === careless) continue;
      // a graph without chains is cut under a schedule: in tape order both sweeps are the same
      const kept = (await good(file, { graph, order: "tape" })).report;
      for (const schedule of schedules) {
        const some = await run(file, { graph, schedule, order: "tape" });
        if (some.ok) expect(some.report.gradient, `${graph} under ${schedule}`).toEqual(kept.gradient);
        // a budget may be too small for the graph
        else expect(some.failure, schedule).toMatchObject({ kind: "option" });
      }
    }
  });
});

it("a careless running mean gives no gradient under any schedule that replays", async () => {
  for (const schedule of ["sqrt", "uniform-tapes:2", "revolve:3", "mixed:2"]) {
    const result = await run("running-mean.graph.ts", { graph: careless, schedule });
    expect(result.ok ? "a gradient" : result.failure.kind, schedule).toBe("replay");
  }
});

describe("the Taylor remainder falls like h^2 through the replays of", () => {
  it.each([
    ["chain-64.graph.ts", "w", "revolve:4"],
    ["dropout.graph.ts", "x", "revolve:2"],
    ["dropout.graph.ts", "w", "uniform-tapes:3"],
  ])("%s in %s under %s", async (file, input, schedule) => {
    const at = async (x: number): Promise<{ value: number; slope: number }> => {
      const { trace, report } = await good(file, { schedule, set: { [input]: x } });
      return { value: trace.header.outputs[0].value, slope: report.gradient[input] as number };
    };
    const { value, slope } = await at(0.8);
    const remainder = async (h: number): Promise<number> =>
      Math.abs((await at(0.8 + h)).value - value - h * slope);
    const ratio = (await remainder(2e-3)) / (await remainder(1e-3));
    expect(ratio).toBeGreaterThan(3.5);
    expect(ratio).toBeLessThan(4.5);
  });
});

/** A graph that does not fit the memory limit when everything is kept runs when a schedule is chosen for a budget. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { RunResult } from "../../../runner/messages.js";
import { type CompareRow, compareSchedules } from "../../../runner/compare.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

const heat = `import { chain, graph, tensor } from "backsweep";
const cells = 2000;
const start = Float64Array.from({ length: cells }, (_, i) => Math.exp(-((i - cells / 3) ** 2) / 10));
const wanted = tensor(Array.from({ length: cells }, () => 0.2));
export const heat = graph({ u: start, k: 0.8, c: 0.05 }, ({ u, k, c }) => {
  const end = chain(40, u, (state) => {
    const diffusion = state.roll(1, 0).add(state.roll(-1, 0)).sub(state.mul(2)).mul(k);
    const reaction = state.mul(state).mul(state).mul(c);
    return state.add(diffusion.sub(reaction).mul(0.2));
  });
  return end.sub(wanted).square().sum() / cells;
});
`;
const LIMIT = 24 * 2 ** 20;

const DEEP_STEPS = 45;
const DEEP_CELLS = 100_000;
const deep = `import { chain, graph } from "backsweep";
const start = Float64Array.from({ length: ${DEEP_CELLS} }, (_, i) => Math.sin(i));
export const deep = graph({ u: start, k: 0.9 }, ({ u, k }) => {
  const end = chain(${DEEP_STEPS}, u, (state) => state.mul(k).add(u).mul(0.5).sub(0.1));
  return end.square().sum();
});
`;

let built: Built;
let runner: Runner;
let folder: { path: string; dispose(): void };

beforeAll(async () => {
  built = await buildForTest();
  folder = folderOf({ "heat.graph.ts": heat, "deep.graph.ts": deep });
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
  folder?.dispose();
});

const runs = (schedule: string, memoryBytes = LIMIT): Promise<RunResult> =>
  runner.run({
    file: join(folder.path, "heat.graph.ts"),
    root: folder.path,
    options: { schedule },
    timeoutMs: 120_000,
    memoryBytes,
    allowImports: false,
    layout: false,
  });

describe("a graph over the memory limit", () => {
  it("is refused when everything is kept, and runs within a stated budget", async () => {
    const all = await runs("store-all");
    expect(all).toMatchObject({ ok: false, failure: { kind: "memory" } });

    const some = await runs("auto:1000000");
    if (!some.ok) throw new Error(some.failure.message);
    const { allocatedBytes, remarks } = some.report.checkpoint!;
    // 40 steps of 12 arrays of 2000 numbers
    expect(allocatedBytes.storeAll).toBe(40 * 12 * 2000 * 8);
    expect(allocatedBytes.peak).toBeLessThanOrEqual(1_000_000);
    expect(remarks.join(" ")).toMatch(/store-all was rejected: it needs 7680000 bytes/);
    // said once
    expect(new Set(remarks).size).toBe(remarks.length);

    const roomy = await runs("store-all", 2 ** 29);
    if (!roomy.ok) throw new Error(roomy.failure.message);
    expect(some.report.gradient).toEqual(roomy.report.gradient);
  });

  it("does not let a budget beyond the limit run into it", async () => {
    const some = await runs("auto:1000000000");
    if (!some.ok) throw new Error(some.failure.message);
    const { allocatedBytes, remarks } = some.report.checkpoint!;
    expect(allocatedBytes.peak).toBeLessThanOrEqual(LIMIT / 2);
    expect(remarks.join(" ")).toContain("not the memory limit beside the arrays of its sweep");
  });

  it("stays within the stated budget as the system measures its process", async () => {
    const budget = 48 * 2 ** 20;
    const limit = 2 ** 27;
    const ask = async (): Promise<CompareRow> => {
      const answer = await compareSchedules(
        { runnerPath: join(built.dist, "runner.js"), log: () => undefined, onConsole: () => undefined },
        {
          file: join(folder.path, "deep.graph.ts"),
          root: folder.path,
          options: {},
          timeoutMs: 240_000,
          memoryBytes: limit,
          allowImports: false,
          layout: false,
        },
        [`auto:${budget}`],
      );
      if ("ok" in answer) throw new Error(answer.failure.message);
      const [all, some] = answer.rows;
      expect(all.failure).toMatchObject({ kind: "memory" });
      expect(some.failure).toBe(null);
      return some;
    };
    const storeAll = DEEP_STEPS * 4 * DEEP_CELLS * 8;
    expect(storeAll).toBeGreaterThan(limit);
    // growth of the process over what it was with the engine loaded. What the system adds of its own (pages that the
    // allocator keeps, code being compiled beside) varies by some megabytes, and only ever adds
    let some = await ask();
    const growth = ({ measured }: CompareRow): number => measured!.peak - measured!.before;
    for (let again = 0; again < 3 && growth(some) >= budget; again++) some = await ask();
    expect(growth(some)).toBeLessThan(budget);
    expect(growth(some)).toBeGreaterThanOrEqual(some.allocatedBytes! / 2);
    expect(some.counts!.extraForwards).toBeGreaterThan(0);
    expect(some.remarks.join(" ")).toMatch(/bytes of the budget are left to the arrays of the sweep/);
    // processes that compute for seconds, on a machine that may be busy
  }, 600_000);
});

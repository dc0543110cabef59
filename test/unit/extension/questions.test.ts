import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CompareAnswer } from "../../../engine/report/questions.js";
import { Questions } from "../../../extension/questions.js";
import type { Target } from "../../../extension/target.js";
import { compareSchedules, type Comparison } from "../../../runner/compare.js";
import { buildForTest, type Built } from "../runner/built.js";

vi.mock("vscode", () => ({
  workspace: {
    getConfiguration: () => ({ get: (name: string) => (name === "timeout" ? 120 : undefined) }),
    getWorkspaceFolder: () => undefined,
    textDocuments: [],
  },
  window: {
    createOutputChannel: () => ({ debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }),
  },
}));

const file = resolve(import.meta.dirname, "../../../examples/revnet.graph.ts");
let built: Built;
let runnerPath: string;
let questions: Questions;
beforeAll(async () => {
  built = await buildForTest({ cli: false });
  runnerPath = join(built.dist, "runner.js");
  questions = new Questions(runnerPath);
});
afterAll(() => {
  questions?.dispose();
  built?.dispose();
});

describe("schedules measured for the panel", () => {
  it("are the rows of backsweep compare: the same counts, bytes and distances", async () => {
    const url = pathToFileURL(file);
    const uri = { fsPath: file, scheme: "file", path: url.pathname, toString: () => url.href };
    const asked = { target: { uri, graph: null } as unknown as Target, trace: null, isCurrent: () => true };
    const schedules = ["sqrt", "reversible"];
    const question = { kind: "compare", sweep: 1, schedules } as const;
    const answer = (await questions.answer(question, asked)) as CompareAnswer;
    const request = {
      file,
      root: resolve(file, ".."),
      texts: { [file]: readFileSync(file, "utf8") },
      options: {},
      timeoutMs: 120_000,
      memoryBytes: 512 * 2 ** 20,
      allowImports: false,
      layout: false,
    };
    const silent = { runnerPath, log: () => undefined, onConsole: () => undefined };
    const told = (await compareSchedules(silent, request, schedules)) as Comparison;
    const plain = (rows: Comparison["rows"] | CompareAnswer["rows"]): unknown =>
      rows.map(({ schedule, counts, allocatedBytes, distance, reversible }) => ({
        schedule,
        counts,
        allocatedBytes,
        distance,
        reversible,
      }));
    expect(answer.reference).toBe(told.reference);
    expect(answer.rows.map(({ schedule }) => schedule)).toEqual(["store-all", ...schedules]);
    expect(plain(answer.rows)).toEqual(plain(told.rows));
    for (const { failure, measured } of answer.rows) {
      expect(failure).toBeNull();
      expect(measured!.peak).toBeGreaterThanOrEqual(measured!.before);
    }
    expect(() => JSON.stringify(answer)).not.toThrow();
    expect(answer.rows.some((row) => "gradient" in row)).toBe(false);
  });

  it("are of the sweep on screen only", async () => {
    const asked = { target: null, trace: null, isCurrent: () => true };
    const question = { kind: "compare", sweep: 1, schedules: null } as const;
    await expect(questions.answer(question, asked)).rejects.toThrow("another sweep is on screen now");
  });
});

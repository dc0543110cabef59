import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
/** Not differentiable where it is evaluated: |x - 2| at 2. */
const KINK = `import { chain, graph } from "backsweep";

export const kink = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = Math.abs(x - 2) + y;
  return chain(6, a, (u) => Math.tanh(u) + 0.5 * y);
});
`;

let built: Built;
let runnerPath: string;
let questions: Questions;
beforeAll(async () => {
  built = await buildForTest();
  runnerPath = join(built.dist, "runner.js");
  questions = new Questions(runnerPath);
});
afterAll(() => {
  questions?.dispose();
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
    expect(answer.notes).toEqual(told.notes);
    expect(answer.rows.map(({ schedule }) => schedule)).toEqual(["store-all", ...schedules]);
    expect(plain(answer.rows)).toEqual(plain(told.rows));
    for (const { failure, measured } of answer.rows) {
      expect(failure).toBeNull();
      expect(measured!.peak).toBeGreaterThanOrEqual(measured!.before);
    }
    expect(() => JSON.stringify(answer)).not.toThrow();
    expect(answer.rows.some((row) => "gradient" in row)).toBe(false);
  });

  it("bring the notes of the recording, each at its place, and so do quotients and replays", async () => {
    const folder = mkdtempSync(join(tmpdir(), "backsweep-notes-"));
    try {
      const path = join(folder, "kink.graph.ts");
      writeFileSync(path, KINK);
      const { href, pathname } = pathToFileURL(path);
      const uri = { fsPath: path, scheme: "file", path: pathname, toString: () => href };
      const target = { uri, graph: null } as unknown as Target;
      const asked = { target, trace: null, isCurrent: () => true };
      const kinks = [{ code: "kink", severity: "warning", line: 4, file: path }];
      const questionsOf = [
        { kind: "compare", sweep: 1, schedules: [] },
        { kind: "replay", sweep: 1, schedule: "revolve:2" },
        { kind: "steps", sweep: 1, input: "x" },
      ] as const;
      for (const question of questionsOf) {
        const { notes } = (await questions.answer(question, asked)) as Pick<CompareAnswer, "notes">;
        expect(notes.filter(({ code }) => code === "kink")).toMatchObject(kinks);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("are of the sweep on screen only", async () => {
    const asked = { target: null, trace: null, isCurrent: () => true };
    const question = { kind: "compare", sweep: 1, schedules: null } as const;
    await expect(questions.answer(question, asked)).rejects.toThrow("another sweep is on screen now");
  });
});

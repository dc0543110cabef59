/** Analyses in the runner: one graph or every graph of a module, with the failures and limits of a run. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { AnalysisRequest, AnalysisSuccess, RunFailure } from "../../../runner/messages.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

let built: Built;
let runner: Runner;
const folders: { dispose(): void }[] = [];

beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterEach(() => folders.splice(0).forEach((folder) => folder.dispose()));
afterAll(() => {
  runner?.dispose();
});

type Answer = AnalysisSuccess<"check"> | RunFailure;

function ask(text: string, asked: Partial<AnalysisRequest<"check">> = {}): Promise<Answer> {
  const folder = folderOf({ "a.ts": `import { graph, custom } from "backsweep";\n${text}` });
  folders.push(folder);
  return runner.analyse<"check">({
    file: join(folder.path, "a.ts"),
    root: folder.path,
    options: {},
    timeoutMs: 60_000,
    memoryBytes: 256 * 2 ** 20,
    allowImports: false,
    layout: false,
    analysis: { kind: "check" },
    ...asked,
  });
}

function success(answer: Answer): AnalysisSuccess<"check"> {
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer;
}

const square = "export const square = graph({ x: 3 }, ({ x }) => x * x);\n";
const bad =
  'export const bad = graph({ x: 3 }, ({ x }) => { if (x > 2) throw new Error("no"); return x; });\n';
const endless = "export const endless = graph({ x: 3 }, ({ x }) => { for (;;) {} });\n";

describe("an analysis in the runner", () => {
  it("is of the first graph, with the others named", async () => {
    const { graphs, analysed } = success(await ask(square + bad));
    expect(graphs).toEqual(["square", "bad"]);
    expect(analysed).toHaveLength(1);
    expect(analysed[0]).toMatchObject({
      graph: "square",
      failure: null,
      settings: { dtype: "f64", accumulation: "sum", order: "breadth", seed: 0 },
      result: { verdict: "ok" },
    });
  });

  it("of every graph goes on after one that fails, and says where", async () => {
    const { analysed } = success(await ask(bad + square, { everyGraph: true }));
    expect(analysed.map(({ graph, failure }) => [graph, failure === null])).toEqual([
      ["bad", false],
      ["square", true],
    ]);
    expect(analysed[0].failure).toMatchObject({ kind: "exception", message: "Error: no", line: 2 });
  });

  it("fails as a run does when its only graph does", async () => {
    const answer = await ask(bad);
    expect(answer).toMatchObject({ ok: false, failure: { kind: "exception", line: 2 }, partial: null });
    const unknown = await ask(square, { options: { graph: "cube" } });
    expect(unknown).toMatchObject({ ok: false, failure: { kind: "no-graph" } });
  });

  it("names a wrong rule at its place", async () => {
    const text =
      'const half = custom({ name: "half", forward: (x) => x / 2, vjp: (g) => g });\nexport const f = graph({ x: 3 }, ({ x }) =>\n  half(x));\n';
    const [one] = success(await ask(text)).analysed;
    if (one.failure !== null) throw new Error(one.failure.message);
    expect(one.result.verdict).toBe("failed");
    expect(one.result.customRules[0]).toMatchObject({ name: "half", place: { line: 4, column: 3 } });
  });

  it("is ended at the deadline, with the last line reached", async () => {
    const answer = await ask(endless, { timeoutMs: 2_000 });
    expect(answer).toMatchObject({ ok: false, failure: { kind: "deadline" } });
    if (!answer.ok) expect(answer.failure.message).toMatch(/a\.ts:2/);
  });

  it("ends whole when one of several graphs does not end", async () => {
    const answer = await ask(square + endless, { timeoutMs: 200, everyGraph: true });
    expect(answer).toMatchObject({ ok: false, failure: { kind: "deadline" } });
  });

  it("is kept within the memory limit", async () => {
    const text =
      "export const f = graph({ x: 1 }, ({ x }) => { let s = x; for (let i = 0; i < 5e7; i++) s = s + x; return s; });\n";
    expect(await ask(text, { memoryBytes: 32 * 2 ** 20 })).toMatchObject({
      ok: false,
      failure: { kind: "memory" },
    });
  });

  it("and a run after it is as any other", async () => {
    const folder = folderOf({ "a.ts": `import { graph } from "backsweep";\n${square}` });
    folders.push(folder);
    const request = {
      file: join(folder.path, "a.ts"),
      root: folder.path,
      options: {},
      timeoutMs: 60_000,
      memoryBytes: 256 * 2 ** 20,
      allowImports: false,
      layout: false,
    };
    expect(await runner.run(request)).toMatchObject({ ok: true, report: { gradient: { x: 6 } } });
  });
});

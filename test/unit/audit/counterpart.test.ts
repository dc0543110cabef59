/** The engine's sweep as a trace beside ours: what it shows is what the audit found, for every faulty engine of the gallery. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { foreignTrace, traceNodes } from "../../../engine/audit/counterpart.js";
import type { AuditResult, AuditValue, SmallestGraph } from "../../../engine/audit/result.js";
import { factsOf } from "../../../engine/report/facts.js";
import { arrayAt } from "../../../engine/trace/arrays.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { auditVerdict } from "../../../extension/audit/verdict.js";
import type { Runner } from "../../../runner/client.js";
import type { AuditedEngine } from "../../../runner/audit-messages.js";
import type { RunSuccess } from "../../../runner/messages.js";
import { buildForTest, type Built, quietRunner } from "../runner/built.js";
import { examples } from "./gallery.js";
import { falseStatements, statements } from "./statements.js";

vi.mock("vscode", () => ({}));

let built: Built;
let runner: Runner;
const folder = mkdtempSync(join(tmpdir(), "backsweep-smallest-"));

beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const limits = { timeoutMs: 60_000, memoryBytes: 2 ** 29, allowImports: false, layout: false };

async function audited(file: string): Promise<readonly AuditedEngine[]> {
  const root = join(examples, "faulty-engines");
  const answer = await runner.audit({
    ...limits,
    file: join(root, file),
    root,
    options: {},
    audit: { cases: 200, seed: 0 },
  });
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.audited;
}

async function run({ definition }: SmallestGraph): Promise<RunSuccess> {
  const file = join(folder, "smallest.graph.ts");
  writeFileSync(file, definition);
  const answer = await runner.run({ ...limits, file, root: folder, options: { order: "tape" } });
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer;
}

/** The final cotangent of a node as a number, or its elements. */
function final(timeline: Timeline, node: number): unknown {
  const row = timeline.cotangentRow(node);
  const array = arrayAt(timeline.trace, row);
  return array === null ? timeline.trace.values.mean[row] : Array.from(array.data);
}

const flat = (value: AuditValue): unknown =>
  typeof value === "number" ? value : (value as readonly unknown[]).flat(Infinity);

const near = (found: unknown, wanted: unknown): boolean => {
  const a = [found].flat() as number[];
  const b = [wanted].flat() as number[];
  return a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= 1e-9 * (1 + Math.abs(b[i])));
};

const files = [
  "aliasing",
  "double-counting",
  "dropped-branch",
  "one-slot",
  "overwrite",
  "post-order",
  "recursion-without-order",
  "stale-gradients",
  "sweeps",
  "total-on-arrival",
  "wrong-local",
];

describe("the smallest failing graph in the view", () => {
  it.each(files)("%s: our sweep is right, the other the engine's", async (name) => {
    const found: AuditResult[] = [];
    for (const one of await audited(`${name}.audit.ts`))
      if (one.failure === null && one.result.smallest !== null) found.push(one.result);
    expect(found.length).toBeGreaterThan(0);
    for (const { engine, smallest } of found) {
      const { trace } = await run(smallest!);
      const at = traceNodes(trace, smallest!);
      const foreign = foreignTrace(trace, smallest!);
      expect(at, engine).not.toBeNull();
      const ours = new Timeline(trace);
      const theirs = new Timeline(foreign!);
      expect(theirs.steps).toBe(ours.steps);
      let differences = 0;
      for (const node of smallest!.nodes) {
        const v = at![node.id];
        if (ours.cotangentRow(v) < 0) continue;
        expect(near(final(ours, v), flat(node.right)), `${engine}: ${node.name} by our sweep`).toBe(true);
        if (node.got === null) continue;
        expect(near(final(theirs, v), flat(node.got)), `${engine}: ${node.name} by the engine's`).toBe(true);
        if (!near(flat(node.got), flat(node.right))) differences++;
      }
      expect(differences, engine).toBeGreaterThan(0);
      expect(falseStatements(theirs, ours), engine).toEqual([]);
    }
  });

  it("shows the contribution that was overwritten in its place, as lost", async () => {
    const [one] = await audited("overwrite.audit.ts");
    const { smallest, place } = one.failure === null ? one.result : expect.fail(one.failure.message);
    const { trace } = await run(smallest!);
    const foreign = foreignTrace(trace, smallest!)!;
    const { lost } = smallest!;
    const node = traceNodes(trace, smallest!)![smallest!.nodes.findIndex(({ name }) => name === lost!.node)];
    const timeline = new Timeline(foreign);
    const facts = factsOf(timeline, node, timeline.steps);
    const gone = facts.parts.flatMap(({ slots, lost: whole }) =>
      slots.filter((_, i) => whole || (facts.overwrites && i < slots.length - 1)),
    );
    expect(gone.map(({ value }) => value)).toContain(lost!.value);
    expect(facts.cotangent).toBe(lost!.stayed);
    expect(place!.text).toMatch(/grad = /);
  });

  it("is not made of another graph's trace", async () => {
    const [one] = await audited("overwrite.audit.ts");
    const { smallest } = one.failure === null ? one.result : expect.fail(one.failure.message);
    const other = { ...smallest!, definition: smallest!.definition.replaceAll(/\bx\b/g, "other") };
    expect(foreignTrace((await run(other)).trace, smallest!)).toBeNull();
  });
});

describe("the verdict of an audit", () => {
  it("names class, line, and what was lost, with right against wrong", async () => {
    const [one] = await audited("overwrite.audit.ts");
    const { outcome, findings } = auditVerdict(one);
    expect(outcome).toBe("failed");
    expect(findings).toHaveLength(1);
    const [{ text, expected, actual, place }] = findings;
    expect(text).toMatch(/^overwrite: /);
    expect(text).toMatch(/overwrite\.ts:\d+/);
    expect(text).toMatch(/Lost: \S+ into \w+/);
    expect(expected).not.toBe(actual);
    expect(place!.file).toMatch(/overwrite\.ts$/);
  });

  it("passes a clean engine, and does not pass what could not be audited", () => {
    const clean = {
      engine: "e",
      form: "engine",
      seed: 0,
      cases: 200,
      verdict: "clean",
      gradientsRight: true,
      fault: null,
      message: "",
      place: null,
      smallest: null,
      visits: null,
      notes: ["a note"],
      elapsedMs: 1,
    } as const;
    expect(auditVerdict({ engine: "e", result: clean, failure: null })).toMatchObject({
      outcome: "passed",
      findings: [],
      output: [expect.stringContaining("200 random graphs"), "a note"],
    });
    const unusable = { ...clean, verdict: "unusable", message: "leaf gives nothing" } as const;
    expect(auditVerdict({ engine: "e", result: unusable, failure: null })).toMatchObject({
      outcome: "errored",
      findings: [{ text: "cannot be audited: leaf gives nothing", place: null }],
    });
  });
});

describe("the panel's words", () => {
  it("of an engine that throws: what it threw, its line, and no number of its own", async () => {
    const { besideForeign } = await import("../../../extension/audit/smallest.js");
    const text =
      'import { auditSweep } from "backsweep";\nexport const e = auditSweep((tape) => {\n  throw new Error(`${tape.length} entries`);\n});\n';
    const file = join(folder, "e.audit.ts");
    writeFileSync(file, text);
    const answer = await runner.audit({
      ...limits,
      file,
      root: folder,
      options: {},
      audit: { cases: 5, seed: 0 },
    });
    if (!answer.ok) throw new Error(answer.failure.message);
    const [one] = answer.audited;
    const result = one.failure === null ? one.result : expect.fail(one.failure.message);
    const shown = besideForeign(await run(result.smallest!), { ...result, files: [] }, false);
    expect(shown.run.report.lastWriterWins.gradient).toEqual({});
    expect(shown.foreign!.fault).toMatchObject({
      title: "throws",
      place: { label: "e.audit.ts:3", line: 3 },
    });
    expect(shown.foreign!.fault!.text).toMatch(/the sweep threw Error: 2 entries/);
    const theirs = new Timeline(shown.run.counterpart!);
    const said = statements(theirs, new Timeline(shown.run.trace)).join("\n");
    expect(said).toMatch(/came to nothing: the sweep threw Error: 2 entries/);
    expect(said).not.toMatch(/NaN|is final|1 of 1 use/);
  });
});

/** A smallest graph is printed so that it runs as it is, and has the right gradient: of every operation, and every engine. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Foreign } from "../../../engine/audit/engine.js";
import { truthOf, type AuditGraph } from "../../../engine/audit/graph.js";
import { operationsOf } from "../../../engine/audit/operations.js";
import { definitionText } from "../../../engine/audit/print.js";
import { single } from "../../../engine/audit/probes.js";
import { CaseStream } from "../../../engine/audit/stream.js";
import { primitives } from "../../../engine/ops/table.js";
import type { Runner } from "../../../runner/client.js";
import type { RunSuccess } from "../../../runner/messages.js";
import { buildForTest, folderOf, quietRunner } from "../runner/built.js";
import { examples } from "./gallery.js";

const fixtures = fileURLToPath(new URL("../../fixtures/audit/faulty/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "backsweep-printed-"));
let runner: Runner;
beforeAll(async () => {
  runner = quietRunner(await buildForTest());
});
afterAll(() => {
  runner?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const limits = { timeoutMs: 60_000, memoryBytes: 2 ** 30, allowImports: false, layout: false, options: {} };

async function run(definition: string): Promise<RunSuccess> {
  const file = join(folder, "smallest.graph.ts");
  writeFileSync(file, definition);
  const answer = await runner.run({ ...limits, file, root: folder });
  if (!answer.ok) throw new Error(`${answer.failure.message}\n${definition}`);
  return answer;
}

function close(got: unknown, want: unknown): boolean {
  const [a, b] = [[got].flat(9), [want].flat(9)] as number[][];
  return a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= 1e-9 * (1 + Math.abs(b[i])));
}

const own = {
  apply: (a: unknown, _b: unknown) => a,
  value: (a: number, b: number) => a * a * b,
  locals: (a: number, b: number) => [2 * a * b, a * a],
};
const names = primitives.map(({ name }) => name);
const all = (mode: "scalar" | "array"): Foreign => {
  const given = mode === "array" ? [...names, "sum", "mean", "matmul"] : names;
  const each = Object.fromEntries(given.map((name) => [name, () => 0]));
  const operations = operationsOf({ mode, operations: { ...each, squareTimes: own } } as never, -1);
  return { operations } as unknown as Foreign;
};

async function runsAsPrinted({ operations }: Foreign, graph: AuditGraph): Promise<void> {
  const truth = truthOf(graph, operations);
  const { report } = await run(definitionText(graph, operations, truth));
  graph.inputs.forEach((_, v) => {
    const name = "xyz"[v];
    const { op } = graph.steps[0];
    expect(close(report.gradient[name], Array.from(truth.cotangent[v])), operations[op].name).toBe(true);
  });
}

it.each(["scalar", "array"] as const)("every operation as it is printed: %s", async (mode) => {
  const foreign = all(mode);
  let count = 0;
  for (const [op, row] of foreign.operations.entries()) {
    const shapes = mode === "scalar" ? [[]] : row.kind === "matmul" ? [[2, 2]] : [[2, 2], [2]];
    const graph = single(foreign, op, shapes, new CaseStream(1, op));
    if (graph === null) continue;
    await runsAsPrinted(foreign, graph);
    count++;
  }
  expect(count).toBeGreaterThan(primitives.length * 0.8);
});

it("numbers among arrays: what a sum gives is summed again", async () => {
  const foreign = all("array");
  const at = (name: string): number => foreign.operations.findIndex((row) => row.name === name);
  const inputs = [{ shape: [2], data: [3, -0] }];
  for (const name of ["sum", "mean", "squareTimes"]) {
    const operands = name === "squareTimes" ? [1, 0] : [1];
    const steps = [
      { op: at("sum"), operands: [0] },
      { op: at(name), operands },
      { op: at("mul"), operands: [0, 2] },
    ];
    await runsAsPrinted(foreign, { inputs, steps, output: 3, seed: 1 });
  }
});

const arrayEngine = `
  import { audit } from "backsweep";
  type M = number[][];
  class T { g: M; back = () => {}; constructor(public d: M, public of: T[] = []) { this.g = d.map((r) => r.map(() => 0)); } }
  const map = (m: M, f: (i: number, j: number) => number): M => m.map((r, i) => r.map((_, j) => f(i, j)));
  const big = (a: T, b: T) => (a.d.length * a.d[0].length >= b.d.length * b.d[0].length ? a : b).d;
  const at = (m: M, i: number, j: number) => m[m.length === 1 ? 0 : i][m[0].length === 1 ? 0 : j];
  const pay = (n: T, i: number, j: number, c: number) => { n.g[n.d.length === 1 ? 0 : i][n.d[0].length === 1 ? 0 : j] += c; };
  const each = (m: M, f: (i: number, j: number) => void) => m.forEach((r, i) => r.forEach((_, j) => f(i, j)));
  const mul = (a: T, b: T) => {
    const o = new T(map(big(a, b), (i, j) => at(a.d, i, j) * at(b.d, i, j)), [a, b]);
    o.back = () => each(o.d, (i, j) => { pay(a, i, j, o.g[i][j] * at(b.d, i, j)); pay(b, i, j, o.g[i][j] * at(a.d, i, j)); });
    return o;
  };
  const sum = (a: T, factor = 1) => {
    const o = new T([[a.d.flat().reduce((p, q) => p + q, 0)]], [a]);
    o.back = () => each(a.d, (i, j) => { a.g[i][j] += factor * o.g[0][0]; });
    return o;
  };
  const cube = (a: T, factor = 3) => {
    const o = new T(map(a.d, (i, j) => a.d[i][j] ** 3), [a]);
    o.back = () => each(a.d, (i, j) => { a.g[i][j] += factor * a.d[i][j] ** 2 * o.g[i][j]; });
    return o;
  };
  const backward = (r: T) => { const t: T[] = [], s = new Set<T>(); const go = (n: T) => { if (s.has(n)) return; s.add(n); n.of.forEach(go); t.push(n); }; go(r); r.g = map(r.d, () => 1); for (const n of t.reverse()) n.back(); };
  const base = { mode: "array" as const, leaf: (v: any) => new T(typeof v === "number" ? [[v]] : v), backward, gradient: (n: T) => n.g, shapes: [[2, 3]] };
  const ownCube = (factor: number) => ({ apply: (a: T) => cube(a, factor), value: (a: number) => a ** 3, locals: (a: number) => [3 * a * a] });
  export const halfSum = audit({ ...base, operations: { mul, sum: (a: T) => sum(a, 0.5), cube: ownCube(3) } });
  export const wrongCube = audit({ ...base, operations: { mul, sum: (a: T) => sum(a), cube: ownCube(2) } });
`;

it("every smallest graph of the gallery and of array engines", async () => {
  const written = folderOf({ "arrays.audit.ts": arrayEngine });
  const arrays = readdirSync(fixtures).filter((name) =>
    /mode: "array"/.test(readFileSync(join(fixtures, name), "utf8")),
  );
  const shown = readdirSync(join(examples, "faulty-engines")).filter((name) => name.endsWith(".audit.ts"));
  const files = [
    join(written.path, "arrays.audit.ts"),
    ...arrays.map((name) => join(fixtures, name)),
    ...shown.map((name) => join(examples, "faulty-engines", name)),
  ];
  let count = 0;
  for (const file of files) {
    const answer = await runner.audit({
      ...limits,
      timeoutMs: 120_000,
      file,
      root: join(file, ".."),
      audit: { cases: 200, seed: 0 },
    });
    if (!answer.ok) throw new Error(answer.failure.message);
    for (const one of answer.audited) {
      const { engine, smallest } = one.failure === null ? one.result : expect.fail(one.failure.message);
      if (smallest === null) continue;
      const { report } = await run(smallest.definition);
      for (const [name, want] of Object.entries(smallest.gradient.right))
        expect(close(report.gradient[name], want), `${engine}: ${name}`).toBe(true);
      count++;
    }
  }
  written.dispose();
  expect(count).toBeGreaterThan(20);
});

/** Through a real runner, where writes are observed: the line of every faulty engine, and what a view is told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditResult } from "../../../engine/audit/result.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, type Built, folderOf, quietRunner } from "../runner/built.js";
import { examples, faults, gallery } from "./gallery.js";

let built: Built;
let runner: Runner;
beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built, { spare: false });
});
afterAll(() => {
  runner?.dispose();
});

async function audited(file: string, root: string, seed = 0, timeoutMs = 120_000): Promise<AuditResult[]> {
  const answer = await runner.audit({
    file,
    root,
    options: {},
    timeoutMs,
    memoryBytes: 2 ** 30,
    allowImports: false,
    layout: false,
    audit: { cases: 200, seed },
  });
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.audited.map((one) => {
    if (one.failure !== null) throw new Error(one.failure.message);
    return one.result;
  });
}

/** What stands on the line that is named. */
const lines: Readonly<Record<string, RegExp>> = {
  aliasing: /this\.grad = g; \/\/ fault/,
  doubleCounting: /operand\.grad \+=/,
  droppedBranch: /operand\.grad \+=/,
  everyArrival: /bar\[p\] \+=/,
  everyPath: /bar\[i\] \+= part/,
  exponential: /this\.total \+= part/,
  firstMet: /bar\[p\] \+=/,
  firstParentOnly: /bar\[first\[0\]\] \+=/,
  jitter: /Math\.random\(\)/,
  magnitudes: /Math\.abs\(local\)/,
  neverCleared: /kept\[p\] \+=/,
  notReversed: /bar\[p\] \+=/,
  oneSlot: /this\.(a|b) = /,
  overwrite: /a\.grad = out\.data \* out\.grad; \/\/ fault/,
  overwritten: /bar\[p\] = /,
  postOrder: /input\.grad \+=/,
  recursionWithoutOrder: /parent\.grad \+=/,
  replayBranch: /operand\.grad \+=/,
  replayRandomness: /Math\.random\(\).*\/\/ fault/,
  staleGradients: /this\.gradients\[./,
  totalOnArrival: /kid\.grad \+=/,
  writeAfterRead: /a\.data = Math\.max.*\/\/ fault/,
  wrongLocal: /\/\/ fault: the sign/,
};

describe("the line at fault", async () => {
  const engines = await gallery("faulty-engines");
  const files = [...new Set(engines.map(({ file }) => file))];
  for (const file of files) {
    it(file, async () => {
      const root = join(examples, "faulty-engines");
      for (const seed of [0, 1, 2]) {
        for (const { engine, fault, place, smallest } of await audited(join(root, file), root, seed)) {
          expect([engine, fault?.class]).toEqual([engine, faults[engine]]);
          const text = readFileSync(place!.file, "utf8").split("\n")[place!.line - 1];
          expect(text, `${engine}, seed ${seed}`).toMatch(lines[engine]);
          if (smallest !== null) expect(smallest.line).toBe(place!.line);
        }
      }
    });
  }

  it("overwrite: the contribution lost, the one that stayed, and both sweeps side by side", async () => {
    const root = join(examples, "faulty-engines");
    const [{ smallest }] = await audited(join(root, "overwrite.audit.ts"), root);
    const { lost, contributions, gradient, definition } = smallest!;
    expect(lost).toMatchObject({ node: "x", from: "L", value: 1, stayedFrom: "a" });
    const into = contributions.filter(({ to }) => to === 0);
    expect(into.map(({ state }) => state).sort()).toEqual(["kept", "lost"]);
    expect(gradient.right.x).toBeCloseTo((gradient.got.x as number) + 1, 12);
    // the graph runs as it is printed, and its gradient is the right one
    const folder = folderOf({ "smallest.graph.ts": definition });
    try {
      const result = await runner.run({
        file: join(folder.path, "smallest.graph.ts"),
        root: folder.path,
        options: {},
        timeoutMs: 60_000,
        memoryBytes: 2 ** 29,
        allowImports: false,
        layout: false,
      });
      if (!result.ok) throw new Error(result.failure.message);
      expect(result.report.gradient.x).toBe(gradient.right.x);
    } finally {
      folder.dispose();
    }
  });
});

describe("engines whose gradients nothing outside can see", () => {
  const head = 'import { audit } from "backsweep";\n';
  const engine = (body: string): string =>
    `${head}${body}\nexport const e = audit<V>({ leaf: (x) => new V(x), operations: { add: (a, b) => V.two(a, b, a.v + b.v, () => [1, 1]), ` +
    "mul: (a, b) => V.two(a, b, a.v * b.v, () => [b.v, a.v]) }, backward: (o) => o.sweep(), gradient: (n) => n.read() });\n";
  const rest = [
    "  static two(a: V, b: V, v: number, d: () => [number, number]): V { const out = new V(v); out.of = [a, b]; out.d = d; return out; }",
    "  of: V[] = []; d: () => number[] = () => [];",
    "  sweep(): void { const order: V[] = []; const seen = new Set<V>(); const visit = (n: V): void => { if (seen.has(n)) return; seen.add(n); n.of.forEach(visit); order.push(n); };",
    "    visit(this); this.take(1); for (const n of order.reverse()) { const d = n.d(); n.of.forEach((p, i) => p.take(n.read() * d[i])); } }",
    "}",
  ].join("\n");

  const run = async (text: string): Promise<AuditResult> => {
    const folder = folderOf({ "e.audit.ts": text });
    try {
      return (await audited(join(folder.path, "e.audit.ts"), folder.path))[0];
    } finally {
      folder.dispose();
    }
  };

  it("a private field", async () => {
    const body = `class V {\n  #grad = 0;\n  constructor(readonly v: number) {}\n  read(): number { return this.#grad; }\n  take(c: number): void {\n    this.#grad = c;\n  }\n${rest}`;
    const result = await run(engine(body));
    expect([result.fault?.class, result.place?.line]).toEqual(["overwrite", 7]);
  });

  it("a variable of a closure", async () => {
    const body = `class V {\n  read: () => number; take: (c: number) => void;\n  constructor(readonly v: number) {\n    let grad = 0;\n    this.read = () => grad;\n    this.take = (c) => {\n      grad = c;\n    };\n  }\n${rest}`;
    const result = await run(engine(body));
    expect([result.fault?.class, result.place?.line]).toEqual(["overwrite", 8]);
  });

  it("an engine that never ends: the deadline, and where it was", async () => {
    const text = `${head}export const e = audit<number>({ leaf: (x) => x, operations: { add: (a, b) => a + b }, gradient: () => 1,\n  backward() {\n    for (;;);\n  } });\n`;
    const folder = folderOf({ "e.audit.ts": text });
    await expect(audited(join(folder.path, "e.audit.ts"), folder.path, 0, 700)).rejects.toThrow(
      /still running after 0\.7 s: the last line reached is e\.audit\.ts:4/,
    );
    folder.dispose();
  });
});

describe("what is not the line that adds", () => {
  const tapeEngine = `
    export class V { g = 0; constructor(public x: number, public a: V[] = [], public d: number[] = []) {} }
    let order: V[] = [];
    export const make = (x: number, a: V[] = [], d: number[] = []) => { const v = new V(x, a, d); order.push(v); return v; };
    export const begin = () => { order = []; };
    export const mul = (a: V, b: V) => make(a.x * b.x, [a, b], [b.x, a.x]);
    export const add = (a: V, b: V) => make(a.x + b.x, [a, b], [1, 1]);
    export const div = (a: V, b: V) => make(a.x / b.x, [a, b], [1 / b.x, a.x / (b.x * b.x)]); // the sign
    export function back(o: V) {
      o.g = 1;
      for (let i = order.length - 1; i >= 0; i--) {
        const v = order[i];
        v.a.forEach((p, k) => { p.g += v.g * v.d[k]; }); // adds
      }
    }`;
  const tableEngine = `
    export class V { g = 0; constructor(public x: number, public op = "", public a: V[] = []) {} }
    let order: V[] = [];
    const make = (x: number, op = "", a: V[] = []) => { const v = new V(x, op, a); order.push(v); return v; };
    export { make };
    export const begin = () => { order = []; };
    export const mul = (a: V, b: V) => make(a.x * b.x, "mul", [a, b]);
    export const add = (a: V, b: V) => make(a.x + b.x, "add", [a, b]);
    export const div = (a: V, b: V) => make(a.x / b.x, "div", [a, b]);
    const quotient = (g: number, a: V, b: V) => [g / b.x, Number(g * a.x) / (b.x * b.x)]; // the sign
    const product = (g: number, a: V, b: V) => [Number(g) * b.x, g * a.x];
    const sum = (g: number) => [Number(g), g];
    const rules: Record<string, (g: number, a: V, b: V) => number[]> = { mul: product, add: sum, div: quotient };
    export function back(o: V) {
      o.g = 1;
      for (let i = order.length - 1; i >= 0; i--) {
        const v = order[i];
        if (v.op === "") continue;
        rules[v.op](v.g, v.a[0], v.a[1]).forEach((c, k) => { v.a[k].g += c; }); // adds
      }
    }`;
  const adapter = (gradient: string): string => `
    import { audit } from "backsweep";
    import * as e from "./engine.ts";
    export const one = audit({
      begin: e.begin, leaf: (v) => e.make(v), operations: { mul: e.mul, add: e.add, div: e.div },
      backward: e.back, gradient: ${gradient}, reset: (nodes) => nodes.forEach((n) => { n.g = 0; }) });`;

  async function oneOf(engine: string, gradient: string): Promise<AuditResult> {
    const folder = folderOf({ "engine.ts": engine, "one.audit.ts": adapter(gradient) });
    try {
      return (await audited(join(folder.path, "one.audit.ts"), folder.path))[0];
    } finally {
      folder.dispose();
    }
  }

  it.each([
    ["a tape's record", tapeEngine],
    ["a table of rules", tableEngine],
  ])("a wrong local derivative is blamed on the operation: %s", async (_, engine) => {
    const result = await oneOf(engine, "(n) => n.g");
    expect(result.fault!.class).toBe("wrong local derivative");
    const text = engine.split("\n")[result.place!.line - 1];
    expect(text).toMatch(/the sign/);
    const adds = engine.split("\n").findIndex((line) => line.includes("// adds")) + 1;
    expect(result.fault!.detail).toContain(`engine.ts:${adds} only adds it, as it does for other operations`);
  });

  it("an adapter that reads NaN is told of, and no line of the engine", async () => {
    const right = tapeEngine.replace("a.x / (b.x * b.x)]", "-a.x / (b.x * b.x)]");
    const result = await oneOf(right, "() => NaN");
    expect(result).toMatchObject({ verdict: "unusable", fault: null, smallest: null });
    expect(result.message).toMatch(
      /^gradient\(node\) is NaN for every node of every graph, even for the output/,
    );
    expect(result.place!.file).toMatch(/one\.audit\.ts$/);
    expect((await oneOf(right, "(n) => n.g")).verdict).toBe("clean");
  });
});

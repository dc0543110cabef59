/** Audits of several engines, one of which ends its worker or its process: the others have their results. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditAsked, AuditedEngine } from "../../../runner/audit-messages.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

const ENGINE = `import { audit } from "backsweep";
interface V { v: number; g: number; back: () => void; of: V[] }
const make = (v: number, of: V[] = [], back: (out: V) => void = () => {}): V => {
  const out: V = { v, g: 0, of, back: () => back(out) };
  return out;
};
const engine = (add: (a: V, b: V) => V) => audit({
  leaf: (v) => make(v),
  operations: { add },
  backward(root) {
    const order: V[] = [];
    const seen = new Set<V>();
    const walk = (n: V) => { if (seen.has(n)) return; seen.add(n); n.of.forEach(walk); order.push(n); };
    walk(root);
    root.g = 1;
    for (const n of order.reverse()) n.back();
  },
  gradient: (n) => n.g,
});
const right = (a: V, b: V) => make(a.v + b.v, [a, b], (out) => { a.g += out.g; b.g += out.g; });
const assigns = (a: V, b: V) => make(a.v + b.v, [a, b], (out) => { a.g = out.g; b.g = out.g; });
`;
const files = {
  "loops.audit.ts": `${ENGINE}
export const first = engine(right);
export const endless = engine((a, b) => { for (;;); return a; });
export const third = engine(assigns);
export const hungry = engine((a, b) => { const all: number[][] = []; for (;;) all.push(new Array(1e5).fill(1)); });
`,
  "one.audit.ts": `${ENGINE}export const only = engine((a, b) => { for (;;); return a; });\n`,
  "load.audit.ts": `${ENGINE}export const first = engine(right);\nfor (;;);\n`,
};

let built: Built;
let runner: Runner;
let folder: ReturnType<typeof folderOf>;
beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
  folder = folderOf(files);
});
afterAll(() => {
  runner?.dispose();
  folder?.dispose();
});

const ask = (file: string, audit: Partial<AuditAsked> = {}) =>
  runner.audit({
    file: join(folder.path, file),
    root: folder.path,
    options: {},
    timeoutMs: 3_000,
    memoryBytes: 2 ** 27,
    allowImports: false,
    layout: false,
    audit: { cases: 50, seed: 0, ...audit },
  });

const told = (one: AuditedEngine): string =>
  `${one.engine}: ${one.failure === null ? one.result.verdict : one.failure.kind}`;

describe("audits of several engines", () => {
  it("one that never ends and one that takes all memory fail alone", async () => {
    const answer = await ask("loops.audit.ts");
    if (!answer.ok) throw new Error(answer.failure.message);
    // made by one function, and all the same in the order of the text
    expect(answer.engines).toEqual(["first", "endless", "third", "hungry"]);
    expect(answer.audited.map(told)).toEqual([
      "first: clean",
      "endless: deadline",
      "third: faulty",
      "hungry: memory",
    ]);
    const { failure } = answer.audited[1];
    expect(failure?.message).toBe(
      "endless: still running after 3 s: the last line reached is loops.audit.ts:24",
    );
    expect(failure?.line).toBe(24);
  });

  it("the only engine of a file is told without its name", async () => {
    const answer = await ask("one.audit.ts");
    if (!answer.ok) throw new Error(answer.failure.message);
    expect(answer.audited[0].failure?.message).toMatch(/^still running after 3 s/);
  });

  it("one that is asked for by name", async () => {
    const answer = await ask("loops.audit.ts", { engine: "third" });
    if (!answer.ok) throw new Error(answer.failure.message);
    expect(answer.audited.map(told)).toEqual(["third: faulty"]);
  });

  it("a module that does not end is one failure", async () => {
    const answer = await ask("load.audit.ts");
    expect(answer.ok ? "" : answer.failure.kind).toBe("deadline");
  });
});

/** Every way a run can fail, through a real runner process: one clear message with its place. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { ConsoleLine, RunFailure, RunRequest, RunResult, RunSuccess } from "../../../runner/messages.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

let built: Built;
let runner: Runner;
const lines: ConsoleLine[] = [];
const head = 'import { graph } from "backsweep";\n';
const good = "export const f = graph({ x: 2 }, ({ x }) => x * x);\n";

beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built, { onConsole: (line) => lines.push(line) });
});
afterAll(() => {
  runner?.dispose();
});

type Files = Readonly<Record<string, string | Uint8Array>>;
type Asked = Partial<Omit<RunRequest, "file" | "root">>;

async function run(
  files: Files,
  asked: Asked = {},
  entry = "a.ts",
  prepare?: (root: string) => void,
): Promise<RunResult & { root: string }> {
  const folder = folderOf(files);
  try {
    prepare?.(folder.path);
    const request: RunRequest = {
      file: join(folder.path, entry),
      root: folder.path,
      options: {},
      timeoutMs: 60_000,
      memoryBytes: 512 * 2 ** 20,
      allowImports: false,
      layout: false,
      ...asked,
    };
    return { ...(await runner.run(request)), root: folder.path };
  } finally {
    folder.dispose();
  }
}

async function fail(
  files: Files | string,
  asked: Asked = {},
  entry = "a.ts",
  prepare?: (root: string) => void,
): Promise<RunFailure["failure"] & { at: string; partial: RunFailure["partial"] }> {
  const result = await run(typeof files === "string" ? { [entry]: files } : files, asked, entry, prepare);
  if (result.ok) throw new Error("the run succeeded");
  const { failure, partial } = result;
  expect(failure.message).not.toContain("\n");
  expect(failure.message).not.toMatch(/worker\.js|node:internal|\$b/);
  for (const frame of failure.frames) expect(frame).not.toMatch(/worker\.js|node:internal/);
  const file = failure.file?.startsWith(`${result.root}/`)
    ? failure.file.slice(result.root.length + 1)
    : failure.file;
  return { ...failure, at: `${file}:${failure.line}:${failure.column}`, partial };
}

async function succeed(
  files: Files | string,
  asked: Asked = {},
  entry = "a.ts",
  prepare?: (root: string) => void,
): Promise<RunSuccess> {
  const result = await run(typeof files === "string" ? { [entry]: files } : files, asked, entry, prepare);
  if (!result.ok)
    throw new Error(`${result.failure.kind}: ${result.failure.message} (line ${result.failure.line})`);
  return result;
}

describe("a run", () => {
  it("gives trace, counterpart and report", async () => {
    const { trace, counterpart, report } = await succeed(
      `${head}export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => { const a = x * y; return (a + x) * (a * y); });`,
    );
    expect(report.gradient).toEqual({ x: 144, y: 132 });
    expect(report.lastWriterWins.gradient).toEqual({ x: 90, y: 96 });
    expect(trace.nodes.n).toBe(6);
    expect(trace.nodes.op).toBeInstanceOf(Int32Array);
    expect(counterpart!.nodes.op).toBe(trace.nodes.op);
  });

  it("takes unsaved texts instead of what is on disk", async () => {
    const folder = folderOf({ "a.ts": `${head}syntax error here` });
    const file = join(folder.path, "a.ts");
    const texts = {
      [file]: `${head}import { k } from "./new.js";\nexport const f = graph({ x: 2 }, ({ x }) => x * k);`,
      [join(folder.path, "new.ts")]: "export const k = 7;",
    };
    const result = await runner.run({
      file,
      root: folder.path,
      texts,
      options: {},
      timeoutMs: 60_000,
      memoryBytes: 2 ** 29,
      allowImports: false,
      layout: true,
    });
    folder.dispose();
    if (!result.ok) throw new Error(result.failure.message);
    expect(result.report.gradient).toEqual({ x: 7 });
    expect(result.positions!.shown.length).toBe(2);
  });

  it("resolves .js to .ts, left-out endings, folders, JSON and import cycles", async () => {
    const { report } = await succeed({
      "a.ts": `${head}import { b } from "./b.js";\nimport { c } from "./c";\nimport { d } from "./d";\nimport data from "./e.json";\nexport const k = 1;\nexport const f = graph({ x: 2 }, ({ x }) => x * (b() + c + d + data.e));`,
      "b.ts": `import { k } from "./a.js";\nexport const b = () => k;`,
      "c.mjs": "export const c = 10;",
      "d/index.ts": "export const d: number = 100;",
      "e.json": '{ "e": 1000 }',
    });
    expect(report.gradient).toEqual({ x: 1111 });
  });

  it("lists graphs in the order of the text and runs the first", async () => {
    const { report } = await succeed(
      `${head}export const z = graph({ x: 1 }, ({ x }) => x * 2);\nexport const b = graph({ x: 1 }, ({ x }) => x * 3);`,
    );
    expect(report.graphs).toEqual(["z", "b"]);
    expect(report.graph).toBe("z");
  });

  it("forwards console lines, bounded", async () => {
    lines.length = 0;
    await succeed(
      `${head}console.log("a %d", 1, [2]);\nfor (let i = 0; i < 5000; i++) console.warn(i);\nexport const f = graph({ x: 2 }, ({ x }) => { console.log(x); return x * x; });`,
    );
    expect(lines[0]).toEqual({ level: "log", text: "a 1 [ 2 ]" });
    expect(lines.length).toBeLessThan(2100);
    expect(lines.at(-1)!.text).toContain("not shown");
  });
});

describe("loading", () => {
  it("reports a syntax error at its place", async () => {
    const failure = await fail(`${head}const a = (1 + ;\n`);
    expect(failure).toMatchObject({ kind: "syntax", at: "a.ts:2:16" });
  });

  it.each([
    [
      "a file that is missing",
      `import { y } from "./gone.js";`,
      "import",
      /cannot find "\.\/gone\.js"/,
      "a.ts:2:19",
    ],
    ["a file outside", `import { y } from "../../outside.js";`, "import", /outside/, "a.ts:2:19"],
    ["a node: module", `import fs from "node:fs";`, "import", /node:fs/, "a.ts:2:16"],
    ["a package", `import e from "esbuild";`, "import", /esbuild/, "a.ts:2:15"],
    [
      "an export that is missing",
      `import { y } from "./b.js";`,
      "import",
      /no export named "y"/,
      "a.ts:2:10",
    ],
    [
      "one name of several",
      `import { z as first, /* y */ y as second } from "./b.js"; const k0 = [first, second];`,
      "import",
      /no export named "y"/,
      "a.ts:2:30",
    ],
    ["an export that JSON has not", `import { y } from "./c.json";`, "import", /default export/, "a.ts:2:"],
  ])("refuses %s at the import", async (_, text, kind, message, at) => {
    const failure = await fail({
      "a.ts": `${head}${text}\n${good}export const k = ${text.includes("second") ? 1 : "y"};`,
      "b.ts": "export const z = 1;",
      "c.json": "{}",
    });
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
    expect(failure.at).toContain(at);
  });

  it("resolves symbolic links before it decides what is inside", async () => {
    const outside = folderOf({ "secret.ts": "export const k = 5;" });
    const link = (root: string): void => symlinkSync(join(outside.path, "secret.ts"), join(root, "link.ts"));
    const text = `${head}import { k } from "./link.js";\nexport const f = graph({ x: 2 }, ({ x }) => x * k);`;
    const failure = await fail(text, {}, "a.ts", link);
    expect(failure).toMatchObject({ kind: "import" });
    expect(failure.message).toContain("outside");
    const { report } = await succeed(text, { allowImports: true }, "a.ts", link);
    expect(report.gradient).toEqual({ x: 5 });
    outside.dispose();
  });

  it("loads packages, and through them node: modules, when everything is allowed", async () => {
    const { report } = await succeed(
      {
        "a.ts": `${head}import { k, sep } from "pack";\nexport const f = graph({ x: 2 }, ({ x }) => x * k * sep.length);`,
        "node_modules/pack/package.json": '{ "name": "pack", "type": "module", "exports": "./index.js" }',
        "node_modules/pack/index.js": 'export { sep } from "node:path"; export const k = 3;',
      },
      { allowImports: true },
    );
    expect(report.gradient).toEqual({ x: 3 });
  });

  it("shows packages the primal, whatever they ask of it, and notes the cut", async () => {
    const { report } = await succeed(
      {
        "a.ts": `${head}import { kind, same, truth } from "pack";\nexport const f = graph({ x: 2, y: 3 }, ({ x, y }) =>\n  y * kind(x) * same(x, 2) * truth(x - 2));`,
        "node_modules/pack/package.json": '{ "name": "pack", "type": "module", "exports": "./index.js" }',
        "node_modules/pack/index.js":
          'export const kind = (a) => (typeof a === "number" ? 10 : 1); export const same = (a, b) => (a === b ? 10 : 1); export function truth(a) { return a ? 1 : 10; }',
      },
      { allowImports: true },
    );
    expect(report.gradient).toEqual({ x: 0, y: 1000 });
    const cuts = report.notes.filter((note) => note.code === "cut");
    expect(cuts.map((note) => note.line)).toEqual([4, 4, 4]);
  });

  it("takes node: modules directly when everything is allowed", async () => {
    const { report } = await succeed(
      `${head}import { sep } from "node:path";\nexport const f = graph({ x: 2 }, ({ x }) => x * sep.length);`,
      { allowImports: true },
    );
    expect(report.gradient).toEqual({ x: 1 });
  });

  it("reports a mistake in JSON there", async () => {
    const failure = await fail({
      "a.ts": `${head}import d from "./d.json";\n${good}export { d };`,
      "d.json": '{\n  "a": ]\n}',
    });
    expect(failure).toMatchObject({ kind: "syntax", at: "d.json:2:8" });
  });

  it.each([
    ["a folder", "", /folder/],
    ["a missing file", "gone.ts", /no such file/],
    ["another kind of file", "notes.txt", /no module/],
    ["CommonJS by name", "old.cjs", /CommonJS/],
    ["bytes that are not UTF-8", "latin.ts", /not UTF-8/],
    ["a file of 50 MB", "big.ts", /47\.7 MiB/],
  ])("says what is wrong with %s", async (_, entry, message) => {
    const failure = await fail(
      { "notes.txt": "x", "old.cjs": "x", "latin.ts": Uint8Array.of(0x2f, 0x2f, 0xe9, 0x20), "k.ts": "" },
      {},
      entry,
      (root) => entry === "big.ts" && writeFileSync(join(root, "big.ts"), Buffer.alloc(50_000_000, "/")),
    );
    expect(failure.kind).toBe("import");
    expect(failure.message).toMatch(message);
  });

  it.each([
    ["an empty file", "", /exports nothing/],
    ["a file with only types", "export interface A { x: number }\nexport type B = A;", /exports nothing/],
    [
      "other exports",
      "export const n = 1; export function helper() {} export class C {}",
      /C \(a class\), helper \(a function\), n \(a number\)/,
    ],
  ])("finds no graph in %s and says what there is", async (_, text, message) => {
    const failure = await fail(text);
    expect(failure.kind).toBe("no-graph");
    expect(failure.message).toMatch(message);
  });

  it("names CommonJS", async () => {
    const failure = await fail("const x = 1;\nmodule.exports = { x };", {}, "a.js");
    expect(failure).toMatchObject({ kind: "syntax", line: 2 });
    expect(failure.message).toContain("CommonJS");
  });
});

describe("running", () => {
  it("shows an exception with the user's frames only", async () => {
    const failure = await fail({
      "a.ts": `${head}import { helper } from "./h.js";\nexport const f = graph({ x: 2 }, ({ x }) => {\n  const a = x * x;\n  return helper(a);\n});`,
      "h.ts":
        "export function helper(t: number): number {\n  const nothing: any = null;\n  return t * nothing.value;\n}",
    });
    expect(failure).toMatchObject({ kind: "exception", at: expect.stringMatching(/^h\.ts:3:/) });
    expect(failure.message).toBe("TypeError: Cannot read properties of null (reading 'value')");
    expect(failure.frames.length).toBe(2);
    expect(failure.frames[0]).toMatch(/^at helper \(.*h\.ts:3:\d+\)$/);
    expect(failure.frames[1]).toMatch(/a\.ts:5:\d+\)$/);
    expect(failure.partial!.nodes.n).toBe(2);
    expect(failure.partial!.header.complete).toBe(false);
  });

  it.each([
    ["a plain value", "throw 5;", "thrown: 5"],
    ["an object", "throw { odd: 1, of: [2] };", 'thrown: {"odd":1,"of":[2]}'],
    ["a text", 'throw "just text";', 'thrown: "just text"'],
    [
      "an error with a hostile message",
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });",
      "thrown: a value that cannot be shown",
    ],
    ["a rejected top-level await", "await Promise.reject(new RangeError('no'));", "RangeError: no"],
  ])("reports %s", async (_, text, message) => {
    const failure = await fail(`${head}${good}${text}`);
    expect(failure).toMatchObject({ kind: "exception", message });
  });

  it("lets a program catch a stack overflow", async () => {
    // through the built runtime: in the test runner's own modules an import read at the stack's end is undefined
    const result = await run({
      "a.ts": `${head}function deep(): any {\n  return deep() + 1;\n}\nexport const f = graph({ x: 2 }, ({ x }) => {\n  try {\n    deep();\n  } catch (e: any) {\n    return e instanceof RangeError && /call stack/.test(e.message) ? 3 * x : x;\n  }\n  return x;\n});`,
    });
    expect(result).toMatchObject({ ok: true, report: { gradient: { x: 3 } } });
  });

  it("reports a stack overflow at the user's line", async () => {
    const failure = await fail(
      `${head}function deep(n: number): number {\n  return deep(n + 1) + 1;\n}\nexport const f = graph({ x: 2 }, ({ x }) => deep(x));`,
    );
    expect(failure).toMatchObject({ kind: "exception" });
    expect(failure.message).toContain("Maximum call stack size exceeded");
    expect(failure.line).toBe(3);
  });

  it.each([
    ["called", "globalThis.process.exit(1);"],
    ["caught", "try { globalThis.process.exit(1); } catch { }"],
    ["hidden", '[].constructor.constructor("return process")().exit(1);'],
  ])("reports process.exit, %s", async (_, text) => {
    const failure = await fail(`${head}${good}${text}`);
    expect(failure).toMatchObject({ kind: "exit", line: 3 });
    expect(failure.message).toContain("process.exit(1)");
  });

  it("reports process.exit through an allowed import", async () => {
    const failure = await fail(
      {
        "a.ts": `${head}import { quit } from "pack";\nexport const f = graph({ x: 2 }, ({ x }) => {\n  quit(3);\n  return x;\n});`,
        "node_modules/pack/package.json": '{ "name": "pack", "type": "module", "exports": "./index.js" }',
        "node_modules/pack/index.js":
          'import { exit } from "node:process";\nexport const quit = (code) => exit(code);',
      },
      { allowImports: true },
    );
    expect(failure).toMatchObject({ kind: "exit", line: 4 });
  });

  it.each([
    ["a graph of another name", { graph: "g" }, "no-graph", /no graph "g"/],
    ["an unknown input", { set: { q: 1 } }, "option", /q/],
    ["an unknown mode", { accumulate: "most" }, "option", /most/],
    ["a schedule that is none", { schedule: "squareroot" }, "option", /squareroot/],
    ["an order that is incomplete", { order: [1] }, "order", /./],
    ["an order that is invalid", { order: [0, 1] }, "order", /./],
  ])("refuses %s", async (_, options, kind, message) => {
    const failure = await fail(`${head}${good}`, { options });
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
  });
});

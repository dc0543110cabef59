/**
 * Deadline, memory and the loss of the process. No test here says how fast something must be: a limit that is not kept
 * shows as a run that does not end.
 */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { RunRequest, RunResult } from "../../../runner/messages.js";
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

function requestOf(body: string, asked: Partial<RunRequest> = {}): RunRequest {
  const folder = folderOf({
    "a.ts": `import { graph } from "backsweep";\nexport const f = graph({ x: 2 }, ({ x }) => {\n  const y = x * x;\n  ${body}\n  return y;\n});\n`,
  });
  folders.push(folder);
  return {
    file: join(folder.path, "a.ts"),
    root: folder.path,
    options: {},
    timeoutMs: 60_000,
    memoryBytes: 48 * 2 ** 20,
    allowImports: false,
    layout: false,
    ...asked,
  };
}

function failureOf(result: RunResult): Extract<RunResult, { ok: false }> {
  if (result.ok) throw new Error("the run succeeded");
  expect(result.failure.message).not.toContain("\n");
  return result;
}

const good = (): Promise<RunResult> => runner.run(requestOf("", { memoryBytes: 512 * 2 ** 20 }));

describe("deadline", () => {
  it.each([
    ["an endless loop", "for (;;) {}"],
    ["a loop that catches", "for (;;) { try { for (;;) {} } catch { continue; } finally { 1; } }"],
    [
      "a recursion without end",
      "const walk = (n: number): number => { for (let i = 0; i < 2; i++) walk(0 * n); return n; }; try { walk(1); } catch { for (;;) {} }",
    ],
  ])("ends %s, keeps what was traced and names the line", async (_, body) => {
    const { failure, partial } = failureOf(await runner.run(requestOf(body, { timeoutMs: 2000 })));
    expect(failure.kind).toBe("deadline");
    expect(failure.message).toBe("still running after 2 s: the last line reached is a.ts:4");
    expect(failure.line).toBe(4);
    expect(partial!.header.complete).toBe(false);
  });

  it.each([
    ["a long built-in call", '/^(a+)+$/.test("a".repeat(60) + "b");'],
    ["a wait", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"],
  ])("ends %s by force", async (_, body) => {
    const { failure } = failureOf(await runner.run(requestOf(body, { timeoutMs: 2000 })));
    expect(failure).toMatchObject({ kind: "deadline", line: 2 });
    expect((await good()).ok).toBe(true);
  });
});

describe("memory", () => {
  const loops: [string, string][] = [
    ["objects", "const a: object[] = []; for (;;) a.push({ a: 1, b: [1] });"],
    ["a Map", "for (const m = new Map(), k = [0]; ; k[0]++) m.set(k[0], [k[0]]);"],
    ["sets", "const a: object[] = []; for (;;) a.push(new Set([1, 2, 3]));"],
    ["strings", 'const a: string[] = []; for (;;) a.push("x".repeat(5000) + a.length);'],
    ["typed arrays", "const a: object[] = []; for (;;) a.push(new Float64Array(10000).fill(1));"],
    ["closures", "const a: object[] = []; for (;;) { const z = [1, 2]; a.push(() => z); }"],
    ["spread", "let a = [1]; for (;;) a = [...a, ...a];"],
    ["BigInt", "const a: bigint[] = []; for (let i = 1n; ; i++) a.push(2n ** 100000n + i);"],
    ["traced operations", "let s = y; for (;;) s = s + y;"],
  ];
  it.each(loops)("filled with %s is one message with the line", async (_, body) => {
    const { failure } = failureOf(await runner.run(requestOf(body)));
    expect(failure.kind).toBe("memory");
    expect(failure.message).toMatch(/^out of memory/);
    expect(failure.line).toBe(4);
  });

  const atOnce: [string, string][] = [
    ["new Float64Array", "new Float64Array(2 ** 27);"],
    ["new ArrayBuffer", "new ArrayBuffer(2 ** 30);"],
    ["Float64Array.from", "Float64Array.from({ length: 1e9 });"],
    ["fill", "new Array(1e9).fill(0);"],
    ["Array.from", "Array.from({ length: 1e9 });"],
    ["repeat", '"x".repeat(2 ** 28);'],
    ["padEnd", '"x".padEnd(2 ** 28, "y");'],
  ];
  it.each(atOnce)("asked for at once by %s is refused before it is taken", async (_, body) => {
    const { failure, partial } = failureOf(await runner.run(requestOf(body)));
    expect(failure).toMatchObject({ kind: "memory", line: 4 });
    expect(partial!.nodes.n).toBe(2);
  });

  it("a caught refusal stays a refusal", async () => {
    const { failure } = failureOf(
      await runner.run(requestOf("try { new Float64Array(2 ** 27); } catch { }")),
    );
    expect(failure).toMatchObject({ kind: "memory", line: 4 });
  });

  it("garbage does not count", async () => {
    const result = await runner.run(requestOf("for (let i = 0; i < 400; i++) new Float64Array(2e5);"));
    expect(result).toMatchObject({ ok: true });
  });

  it.each([
    [
      "a property too many",
      'const o = Object.fromEntries(Object.entries(JSON.parse("[" + "1,".repeat(1.5e7) + "1]")));',
    ],
    ["a text in pieces", '"x".repeat(4e7).split(/(?:)/);'],
  ])("a process lost to %s is one message, and the next run works", async (_, body) => {
    const { failure } = failureOf(await runner.run(requestOf(body)));
    expect(failure.kind).toBe("memory");
    expect(failure.message).toMatch(/^out of memory/);
    expect((await good()).ok).toBe(true);
  });
});

describe("cancelling", () => {
  it("the latest run wins", async () => {
    const first = runner.run(requestOf("for (;;) {}"));
    const second = good();
    expect(failureOf(await first).failure.kind).toBe("cancelled");
    expect((await second).ok).toBe(true);
  });

  it("a signal ends a run", async () => {
    const abort = new AbortController();
    const going = runner.run(requestOf("for (;;) {}"), abort.signal);
    abort.abort();
    expect(failureOf(await going).failure.kind).toBe("cancelled");
    expect((await good()).ok).toBe(true);
  });

  it("dispose ends a run, and none begins after it", async () => {
    const other = quietRunner(built);
    const going = other.run(requestOf("for (;;) {}"));
    other.dispose();
    expect(failureOf(await going).failure.kind).toBe("cancelled");
    expect(failureOf(await other.run(requestOf(""))).failure.kind).toBe("cancelled");
  });

  it("a run beside a stuck one is not lost with it", async () => {
    const stuck = runner.run(
      requestOf("new Uint8Array(new WebAssembly.Memory({ initial: 16000 }).buffer).fill(1);", {
        memoryBytes: 2 ** 31,
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const next = good();
    expect(failureOf(await stuck).failure.kind).toBe("cancelled");
    expect((await next).ok).toBe(true);
  });
});

describe("a rule of the user's own that never ends", () => {
  it("is stopped in the sweep by the deadline", async () => {
    const folder = folderOf({
      "a.ts": `import { custom, graph } from "backsweep";
const stuck = custom({
  forward: (x) => x,
  vjp: (g) => {
    while (true);
    return g;
  },
});
export const f = graph({ x: 2 }, ({ x }) => stuck(x));
`,
    });
    folders.push(folder);
    const result = await runner.run({
      file: join(folder.path, "a.ts"),
      root: folder.path,
      options: {},
      timeoutMs: 1_000,
      memoryBytes: 2 ** 28,
      allowImports: false,
      layout: false,
    });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect([result.failure.kind, result.failure.line]).toEqual(["deadline", 5]);
  });
});

describe("an error that never ends being read", () => {
  it.each([
    ["its text", "throw { toString() { for (;;); } };"],
    ["its message", "throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } });"],
    ["its prototype", "throw new Proxy({}, { getPrototypeOf() { for (;;); } });"],
  ])("%s", async (_, body) => {
    const result = await runner.run(requestOf(body, { timeoutMs: 1_000 }));
    expect(result.ok).toBe(false);
  });
});

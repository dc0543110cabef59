/** Bad input: one message at the right place, and an editor that stays responsive. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import type { FailureKind } from "../../runner/messages.js";
import { lagDuring, lagText, test, until } from "./harness.js";
import {
  EXAMPLE,
  api,
  diagnostics,
  face,
  graphText,
  insert,
  remove,
  run,
  uriOf,
  withFile,
} from "./workspace.js";

/**
 * The longest that the host's thread may be at work without a turn of its event loop while a bad run goes on. That is
 * all work there, VS Code's own and this test's included, so it is no proof of our 50 ms (lag.test.ts prints what was
 * measured); it does tell a host that waits for the run, which takes seconds.
 */
const LAG_MS = 3_000;

interface Bad {
  readonly what: string;
  readonly body: string;
  readonly kind: FailureKind;
  /** lines the message may point to, from 1; the body begins at line 4 */
  readonly line: number | readonly [number, number];
}

const bad: readonly Bad[] = [
  { what: "a syntax error", body: "  const a = x *;\n  return a;", kind: "syntax", line: 4 },
  {
    what: "a throw",
    body: '  const a = x * y;\n  if (a > 0) throw new Error("no luck");\n  return a;',
    kind: "exception",
    line: 5,
  },
  {
    what: "an endless loop",
    // seldom enough that the tape does not reach the memory limit first
    body: "  let a = x;\n  for (let i = 1; ; i++) {\n    if (i % 1000 === 0) a = a * y;\n  }",
    kind: "deadline",
    line: [5, 6],
  },
  {
    what: "an endless loop without operations",
    body: "  let i = 0;\n  while (true) i ^= 1;",
    kind: "deadline",
    line: [3, 5],
  },
  {
    what: "a heap filled by objects",
    body: "  const all: object[] = [];\n  for (;;) all.push({ a: [1, 2, 3], b: new Map() });",
    kind: "memory",
    line: [3, 5],
  },
  {
    what: "process.exit",
    body: "  (globalThis as any).process.exit(1);\n  return x;",
    kind: "exception",
    line: 4,
  },
];

for (const { what, body, kind, line } of bad) {
  test(`${what} is marked at its line while the host stays responsive`, async () => {
    await withFile("bad.graph.ts", graphText(body), async (uri) => {
      const settings = vscode.workspace.getConfiguration("backsweep.run");
      await settings.update("timeout", kind === "memory" ? 60 : 2, vscode.ConfigurationTarget.Global);
      await settings.update("memory", kind === "memory" ? 96 : undefined, vscode.ConfigurationTarget.Global);
      try {
        const { value: result, lag } = await lagDuring(() => run(uri, "g"));
        assert.ok(!result.ok, "the run fails");
        const { failure } = result;
        if (what !== "process.exit") assert.equal(failure.kind, kind, failure.message);
        assert.equal(failure.file, uri.fsPath);
        const [low, high] = typeof line === "number" ? [line, line] : line;
        assert.ok(failure.line >= low && failure.line <= high, `line ${failure.line}: ${failure.message}`);
        const [diagnostic, ...more] = diagnostics(uri);
        assert.ok(diagnostic, "there is a diagnostic");
        assert.equal(more.length, 0);
        assert.equal(diagnostic.range.start.line, failure.line - 1);
        assert.doesNotMatch(failure.message, /\n/);
        console.log(`  | event loop held for at most ${lagText(lag)}`);
        assert.ok(lag.worked < LAG_MS, `the event loop was held for ${lagText(lag)}`);
      } finally {
        await settings.update("timeout", undefined, vscode.ConfigurationTarget.Global);
        await settings.update("memory", undefined, vscode.ConfigurationTarget.Global);
      }
    });
  });
}

test("a failure keeps the last good sweep, and the next run clears its diagnostic", async () => {
  await withFile("mend.graph.ts", graphText("  return x * y;"), async (uri) => {
    assert.ok((await run(uri, "g")).ok);
    await face("sweep");
    await insert(uri, "x * y", "* ");
    assert.ok(!(await run(uri, "g")).ok);
    await face("failed-over-sweep");
    assert.equal(diagnostics(uri).length, 1);
    await remove(uri, "* ");
    assert.ok((await run(uri, "g")).ok);
    await face("sweep");
    assert.equal(diagnostics(uri).length, 0);
  });
});

test("a remark about the whole graph marks its first line only", async () => {
  await withFile("unused.graph.ts", graphText("  return x * x;"), async (uri) => {
    assert.ok((await run(uri, "g")).ok);
    const [{ message, range }, ...more] = diagnostics(uri);
    assert.equal(more.length, 0);
    assert.match(message, /does not depend on y/);
    assert.equal(range.start.line, 2);
    assert.ok(range.isSingleLine, "one line is marked");
  });
});

test("a deleted file, an untitled one and one without a graph are refused, not run", async () => {
  const { lastResult } = await api();
  const before = lastResult();
  await withFile("gone.graph.ts", graphText("  return x;"), async (uri) => {
    await rm(uri.fsPath);
    await vscode.commands.executeCommand("backsweep.runSweep", uri, "g");
  });
  const untitled = await vscode.workspace.openTextDocument({
    language: "typescript",
    content: graphText("  return x;"),
  });
  await vscode.commands.executeCommand("backsweep.runSweep", untitled.uri, "g");
  await withFile("plain.ts", "export const a = 1;\n", async (uri) => {
    await vscode.commands.executeCommand("backsweep.runSweep", uri);
  });
  assert.ok(lastResult() === before);
});

test("closing the panel ends the run", async () => {
  assert.ok((await run(uriOf(EXAMPLE), "fanOut")).ok);
  const { lastResult, panelState } = await api();
  const before = lastResult();
  const settings = vscode.workspace.getConfiguration("backsweep.run");
  await settings.update("timeout", 100, vscode.ConfigurationTarget.Global);
  await withFile("endless.graph.ts", graphText("  for (;;) {}"), async (uri) => {
    const running = vscode.commands.executeCommand("backsweep.runSweep", uri, "g");
    await until("the run has begun", () => panelState()?.face === "running");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("the panel is closed", () => panelState() === null);
    await running;
    assert.ok(lastResult() === before, "a run nobody waits for leaves no result");
    assert.equal(diagnostics(uri).length, 0);
  });
  await settings.update("timeout", undefined, vscode.ConfigurationTarget.Global);
});

/** Running sweeps: the right numbers, of the text on screen, the latest run. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { Timeline } from "../../engine/timeline/timeline.js";
import { nodeName } from "../../engine/trace/read.js";
import type { RunResult, RunSuccess } from "../../runner/messages.js";
import { test, until } from "./harness.js";
import {
  EXAMPLE,
  api,
  closeEverything,
  face,
  graphText,
  insert,
  remove,
  run,
  uriOf,
  withFile,
} from "./workspace.js";

function success(result: RunResult): RunSuccess {
  assert.ok(result.ok, result.ok ? "" : result.failure.message);
  return result;
}

test("the example pays 18 and 24 into a, sum 42, gradient 144/132, last writer wins 90/96", async () => {
  const { trace, report } = success(await run(uriOf(EXAMPLE), "fanOut"));
  const timeline = new Timeline(trace);
  const a = Array.from({ length: trace.nodes.n }, (_, node) => node).find(
    (node) => nodeName(trace, node) === "a",
  )!;
  assert.deepEqual(
    timeline.arrivals(a).map(({ value }) => value),
    [18, 24],
  );
  assert.equal(timeline.cotangent(a), 42);
  assert.equal(timeline.steps, 12);
  assert.deepEqual(report.gradient, { x: 144, y: 132 });
  assert.deepEqual(report.lastWriterWins.gradient, { x: 90, y: 96 });
  await face("sweep");
});

test("without arguments the active editor's graph is run", async () => {
  await closeEverything();
  await vscode.window.showTextDocument(uriOf(EXAMPLE));
  const { lastResult } = await api();
  const before = lastResult();
  await vscode.commands.executeCommand("backsweep.runSweep");
  await until("a result", () => lastResult() !== before);
  assert.equal(success(lastResult()!).report.graph, "fanOut");
});

test("what runs is the unsaved text, and the view is stale once it changes", async () => {
  await withFile("unsaved.graph.ts", graphText("  return x * y;"), async (uri) => {
    await insert(uri, "x * y", "10 * ");
    assert.ok((await vscode.workspace.openTextDocument(uri)).isDirty);
    assert.deepEqual(success(await run(uri)).report.gradient, { x: 30, y: 20 });
    await face("sweep");
    await insert(uri, "10 * ", "2 * ");
    await face("stale");
    await remove(uri, "2 * ");
    await face("sweep");
  });
});

test("a module and a JSON file that the graph imports make the sweep stale, written by whomever", async () => {
  const text = `import { graph } from "backsweep";
import { factor } from "./factor";
import scale from "./scale.json";

export const g = graph({ x: 2 }, ({ x }) => x * factor * scale.by);
`;
  await withFile("scale.json", '{ "by": 5 }\n', async (json) => {
    await withFile("factor.ts", "export const factor = 2;\n", async (helper) => {
      await withFile("imports.graph.ts", text, async (uri) => {
        assert.deepEqual(success(await run(uri)).report.gradient, { x: 10 });
        await face("sweep");
        await insert(helper, "2;", "1");
        await face("stale");
        assert.deepEqual(success(await run(uri)).report.gradient, { x: 60 });
        await face("sweep");
        // no editor has this one
        await writeFile(json.fsPath, '{ "by": 7 }\n');
        await face("stale");
        assert.deepEqual(success(await run(uri)).report.gradient, { x: 84 });
        await face("sweep");
      });
    });
  });
});

test("run on save runs again when the file is saved", async () => {
  const settings = vscode.workspace.getConfiguration("backsweep.run");
  await settings.update("on", "save", vscode.ConfigurationTarget.Global);
  try {
    await withFile("save.graph.ts", graphText("  return x * y;"), async (uri) => {
      const first = success(await run(uri));
      await insert(uri, "x * y", "3 * ");
      assert.ok(await (await vscode.workspace.openTextDocument(uri)).save());
      const { lastResult } = await api();
      const result = await until("the run after saving", () =>
        lastResult() === first ? null : lastResult(),
      );
      assert.deepEqual(success(result).report.gradient, { x: 9, y: 6 });
    });
  } finally {
    await settings.update("on", undefined, vscode.ConfigurationTarget.Global);
  }
});

test("of two graphs the argument chooses; without one the user is asked", async () => {
  const text = `import { graph } from "backsweep";
export const one = graph({ x: 2 }, ({ x }) => x * x);
export const two = graph({ x: 2 }, ({ x }) => x * x * x);
`;
  await withFile("two.graph.ts", text, async (uri) => {
    assert.deepEqual(success(await run(uri, "two")).report.gradient, { x: 12 });
    const { lastResult } = await api();
    const before = lastResult();
    let asking = false;
    const ask = async (): Promise<void> => {
      asking = true;
      await vscode.commands.executeCommand("backsweep.runSweep", uri);
      asking = false;
    };
    // before the question is there accepting is harmless; accepted while its list is still empty it is answered with
    // nothing, and is asked again
    let running = ask();
    await until("a result", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      if (lastResult() !== before) return true;
      if (!asking) running = ask();
      return false;
    });
    await running;
    assert.equal(success(lastResult()!).report.graph, "one");
  });
});

test("run twice quickly, the latest wins", async () => {
  const text = graphText("  let s = x;\n  for (let i = 0; i < 1000; i++) s = s + y;\n  return s;");
  await withFile("twice.graph.ts", text, async (uri) => {
    const first = vscode.commands.executeCommand("backsweep.runSweep", uri, "g");
    const second = vscode.commands.executeCommand("backsweep.runSweep", uriOf(EXAMPLE), "fanOut");
    await Promise.all([first, second]);
    assert.equal(success((await api()).lastResult()!).report.graph, "fanOut");
  });
});

test("run again repeats the last graph", async () => {
  const first = success(await run(uriOf(EXAMPLE), "fanOut"));
  await vscode.commands.executeCommand("backsweep.runAgain");
  const { lastResult } = await api();
  assert.notEqual(lastResult(), first);
  assert.equal(success(lastResult()!).report.graph, "fanOut");
});

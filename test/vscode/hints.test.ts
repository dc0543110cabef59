/** Inlay hints: the right figures at the right places, stale at once, back after the run. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { hints, SEED, shown } from "./features.js";
import { test, until } from "./harness.js";
import type { RunResult } from "../../runner/messages.js";
import { api, graphText, insert, remove, withFile } from "./workspace.js";

const FRESH = ["3: = 2 ∂ 144", "3: = 3 ∂ 132", "4: = 6 ∂ 42", "5: = 8 ∂ 18", "6: = 18 ∂ 8", "7: = 144 ∂ 1"];

test("hints stand beside every named node and input", async () => {
  await withFile("hints.graph.ts", SEED, async (uri) => {
    assert.deepEqual(await hints(uri), [], "nothing before the first run");
    await shown(uri);
    assert.deepEqual((await hints(uri)).sort(), FRESH);
    assert.deepEqual(await hints(uri, new vscode.Range(4, 0, 5, 0)), ["5: = 8 ∂ 18"], "of the range only");
  });
});

test("hints are marked stale at once, at the places they moved to, and fresh when the edit is undone", async () => {
  await withFile("hints-stale.graph.ts", SEED, async (uri) => {
    await shown(uri);
    await insert(uri, "  const a", "  // a new line\n");
    const stale = await hints(uri);
    assert.deepEqual(stale.sort(), [
      "3: ~ 2 ∂ 144",
      "3: ~ 3 ∂ 132",
      "5: ~ 6 ∂ 42",
      "6: ~ 8 ∂ 18",
      "7: ~ 18 ∂ 8",
      "8: ~ 144 ∂ 1",
    ]);
    await remove(uri, "  // a new line\n");
    assert.deepEqual((await hints(uri)).sort(), FRESH);
    await remove(uri, "  const b = a + x;\n");
    assert.ok(!(await hints(uri)).some((hint) => hint.includes("8 ∂ 18")), "a deleted line has no hint");
  });
});

test("a loop's line shows the last iteration, and the selected one", async () => {
  const text = graphText("  let s = x;\n  for (let i = 0; i < 4; i++) {\n    s = s * y;\n  }\n  return s;");
  await withFile("hints-loop.graph.ts", text, async (uri) => {
    await shown(uri);
    assert.ok((await hints(uri)).includes("6: = 162 ∂ 1 4/4"), String(await hints(uri)));
  });
});

test("settings turn hints off", async () => {
  await withFile("hints-off.graph.ts", SEED, async (uri) => {
    await shown(uri);
    const settings = vscode.workspace.getConfiguration("backsweep.inlayHints");
    await settings.update("enabled", false, vscode.ConfigurationTarget.Global);
    try {
      await until("no hints", async () => (await hints(uri)).length === 0);
    } finally {
      await settings.update("enabled", undefined, vscode.ConfigurationTarget.Global);
    }
    await until("hints again", async () => (await hints(uri)).length === FRESH.length);
  });
});

test("new hints come with the run of a graph of 1,000 nodes: how long it takes", async () => {
  const text = graphText(
    "  let s = x;\n  for (let i = 0; i < 499; i++) {\n    const t = s * 0.999;\n    s = t + y;\n  }\n  const end = s * y;\n  return end;",
  );
  await withFile("hints-speed.graph.ts", text, async (uri) => {
    await shown(uri);
    await shown(uri);
    const runs: number[] = [];
    const after: number[] = [];
    const given: number[] = [];
    const empty: number[] = [];
    const told = await api();
    const document = await vscode.workspace.openTextDocument(uri);
    const source = new vscode.CancellationTokenSource();
    const stale: number[] = [];
    for (let i = 0; i < 7; i++) {
      const edited = performance.now();
      await insert(uri, "  const end", `  // edit ${i}\n`);
      const marked = await hints(uri);
      stale.push(performance.now() - edited);
      assert.ok(marked.length > 3 && marked.every((hint) => hint.includes("~")), String(marked));
      const began = performance.now();
      assert.ok((await runNow(uri)).ok);
      const ran = performance.now();
      runs.push(ran - began);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const direct = await told.hints()!.provideInlayHints(document, whole, source.token);
      given.push(performance.now() - ran);
      assert.ok(direct!.length > 3);
      const asked = performance.now();
      await vscode.commands.executeCommand(
        "vscode.executeDefinitionProvider",
        uri,
        new vscode.Position(0, 0),
      );
      empty.push(performance.now() - asked);
      const from = performance.now();
      const fresh = await hints(uri);
      after.push(performance.now() - from);
      assert.ok(fresh.length > 3 && fresh.every((hint) => hint.includes("=")), String(fresh));
    }
    const line = (of: number[]): string =>
      `median ${Math.round(of.sort((a, b) => a - b)[of.length >> 1])} ms of ${of.map(Math.round).join(", ")}`;
    console.log(`  | 1,000 nodes: from the command to the end of the run ${line(runs)}`);
    console.log(`  | 1,000 nodes: from there to new hints, in the host ${line(given)}`);
    console.log(
      `  | 1,000 nodes: the way to the window and back for nothing ${line(empty)}, with hints ${line(after)}`,
    );
    console.log(`  | 1,000 nodes: from the edit to stale hints ${line(stale)}`);
  });
});

/** Runs and waits without a pause between looks, which would be measured. */
async function runNow(uri: vscode.Uri): Promise<RunResult> {
  const { lastResult } = await api();
  await vscode.commands.executeCommand("backsweep.runSweep", uri, "g");
  return lastResult()!;
}

/** What last writer wins gives is never shown without the right figure, wherever it stands in the editor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { hints, hover, SEED, shown } from "./features.js";
import { test, until } from "./harness.js";
import { api, withFile } from "./workspace.js";

test("hints, hover, tree and status bar of a sweep that loses contributions have the right figures beside them", async () => {
  await withFile("wrong-sum.graph.ts", SEED, async (uri) => {
    const { statusText, tree } = await api();
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
    const started = await vscode.debug.startDebugging(undefined, {
      type: "backsweep",
      request: "launch",
      name: "Debug sweep",
      program: uri.fsPath,
      accumulate: "last-writer-wins",
      stopOnEntry: "sweep",
    });
    assert.ok(started);
    await until("a session", () => vscode.debug.activeDebugSession);
    // a session shows its own values, as of its step, and no hints beside them
    assert.deepEqual(await hints(uri), []);
    await vscode.debug.stopDebugging();
    await until("no session", () => vscode.debug.activeDebugSession === undefined);
    const wrong = await until("hints", async () => {
      const found = await hints(uri);
      return found.length > 0 ? found.sort() : null;
    });
    assert.deepEqual(wrong, [
      "3: = 2 ∂ last writer wins: 90, right: 144",
      "3: = 3 ∂ last writer wins: 96, right: 132",
      "4: = 6 ∂ last writer wins: 24, right: 42",
      "5: = 8 ∂ 18",
      "6: = 18 ∂ 8",
      "7: = 144 ∂ 1",
    ]);
    assert.equal(statusText(), "$(warning) g: last writer wins");
    assert.match(await hover(uri, "a + x"), /last writer wins: 24, right: 42/);
    const [root] = (await tree.getChildren()) ?? [];
    const [b] = (await tree.getChildren(root)) ?? [];
    const [a] = (await tree.getChildren(b)) ?? [];
    const { description } = await tree.getTreeItem(a);
    assert.equal(description, "= 6, ∂ last writer wins: 24, right: 42, 2 uses");
    await shown(uri);
    assert.ok(
      (await hints(uri)).includes("4: = 6 ∂ 42"),
      "a run of the definition's own options is right again",
    );
  });
});

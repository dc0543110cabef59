/** The panel: it opens, is told everything again when shown again, and follows the cursor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { nodeName } from "../../engine/trace/read.js";
import { test, until } from "./harness.js";
import { EXAMPLE, api, closeEverything, face, run, uriOf } from "./workspace.js";

test("the view opens without a sweep and says how to begin", async () => {
  await closeEverything();
  await vscode.commands.executeCommand("backsweep.openView");
  const { panelState } = await api();
  await until("the view is ready", () => panelState()?.ready);
});

test("a sweep is shown in the panel", async () => {
  await closeEverything();
  await vscode.window.showTextDocument(uriOf(EXAMPLE));
  await run(uriOf(EXAMPLE), "fanOut");
  const { panelState } = await api();
  await until("the view is ready", () => panelState()?.ready);
  await face("sweep");
});

test("the view is thrown away when hidden and asks again when shown", async () => {
  const { panelState } = await api();
  await vscode.commands.executeCommand("backsweep.openView");
  await until("the view is ready", () => panelState()?.ready);
  // an editor on top of it, in its own group
  await vscode.commands.executeCommand("workbench.action.files.newUntitledFile");
  await until("the view is hidden", () => panelState()?.visible === false);
  assert.equal(panelState()?.ready, false);
  await vscode.commands.executeCommand("backsweep.openView");
  await until("the view is ready again", () => panelState()?.ready);
  await face("sweep");
});

test("the cursor in the source selects the node", async () => {
  const result = await run(uriOf(EXAMPLE), "fanOut");
  assert.ok(result.ok);
  const editor = await vscode.window.showTextDocument(uriOf(EXAMPLE), { viewColumn: vscode.ViewColumn.One });
  const { panelState } = await api();
  const named = (): string | null => {
    const selected = panelState()?.position?.selected ?? -1;
    return selected < 0 ? null : nodeName(result.trace, selected);
  };
  for (const [text, name] of [
    ["a * y", "a"],
    ["* y;\n  return", "c"],
    ["x * y", "x"],
    ["+ x", "b"],
  ] as const) {
    const at = editor.document.positionAt(editor.document.getText().indexOf(text));
    editor.selection = new vscode.Selection(at, at);
    await until(`the cursor at "${text}" selects ${name}`, () => named() === name, 10_000);
  }
});

test("closing the panel closes it, and running opens it again", async () => {
  await closeEverything();
  const { panelState } = await api();
  await until("the panel is closed", () => panelState() === null);
  await run(uriOf(EXAMPLE), "fanOut");
  await until("the view is ready", () => panelState()?.ready);
});

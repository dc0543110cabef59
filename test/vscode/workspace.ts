/** What the tests do with the workspace and the extension. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { BacksweepApi } from "../../extension/extension.js";
import type { RunResult } from "../../runner/messages.js";
import { until } from "./harness.js";

export const EXAMPLE = "fan-out.graph.ts";

export function folder(): string {
  return vscode.workspace.workspaceFolders![0].uri.fsPath;
}

export function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(join(folder(), name));
}

export function extension(): vscode.Extension<BacksweepApi> {
  const found = vscode.extensions.getExtension<BacksweepApi>("backsweep.backsweep");
  assert.ok(found, "the extension is installed");
  return found;
}

export async function api(): Promise<BacksweepApi> {
  return extension().activate();
}

/** Writes a file into the workspace, gives its uri to `body`, and removes it again. */
export async function withFile(
  name: string,
  text: string,
  body: (uri: vscode.Uri) => Promise<void>,
): Promise<void> {
  const uri = uriOf(name);
  await writeFile(uri.fsPath, text);
  try {
    await body(uri);
  } finally {
    await vscode.window.showTextDocument(uri).then(
      () => vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor"),
      () => {},
    );
    await rm(uri.fsPath, { force: true });
  }
}

/** Inserts `text` before the first `before` in the document, or takes it out again; the document is not saved. */
export async function insert(uri: vscode.Uri, before: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, document.positionAt(document.getText().indexOf(before)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export async function remove(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} is there`);
  const edit = new vscode.WorkspaceEdit();
  edit.delete(uri, new vscode.Range(document.positionAt(at), document.positionAt(at + text.length)));
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** A graph definition with this body of the function of x and y. */
export function graphText(body: string, name = "g"): string {
  return `import { graph } from "backsweep";\n\nexport const ${name} = graph({ x: 2, y: 3 }, ({ x, y }) => {\n${body}\n});\n`;
}

/** Runs a sweep and gives its result. */
export async function run(uri: vscode.Uri, graph?: string): Promise<RunResult> {
  const { lastResult } = await api();
  const before = lastResult();
  await vscode.commands.executeCommand("backsweep.runSweep", uri, graph);
  return until("a result", () => (lastResult() === before ? null : lastResult()), 30_000);
}

export async function closeEverything(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/** Waits until the panel shows this face. */
export async function face(wanted: string): Promise<void> {
  const { panelState } = await api();
  let last = "";
  await until(`the face "${wanted}"`, () => (last = panelState()?.face ?? "none") === wanted).catch(
    (error: Error) => {
      throw new Error(`${error.message} (it is "${last}")`);
    },
  );
}

/** Backsweep's diagnostics of a file. */
export function diagnostics(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "backsweep");
}

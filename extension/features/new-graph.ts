/** The command "New Graph Definition": a small graph in a file of its own, ready to run. */
import { basename } from "node:path";
import * as vscode from "vscode";
import { graphNameOf, newGraphText } from "./graph-text.js";

const SUFFIX = ".graph.ts";

/** `folder`: the explorer's folder or a file in it; absent: beside the active editor's file, else the first workspace folder. */
export async function newGraph(folder: vscode.Uri | undefined): Promise<void> {
  const where = await folderOf(folder);
  const uri = await (where === null
    ? vscode.window.showSaveDialog({
        filters: { TypeScript: ["ts"] },
        saveLabel: "Create",
        title: "New Graph Definition",
      })
    : ask(where));
  if (uri === undefined) return;
  const name = graphNameOf(stemOf(uri));
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(newGraphText(name)), overwrite: where === null });
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${uri.fsPath} cannot be written`);
  await vscode.window.showTextDocument(uri);
}

/** Fills an empty file with a small graph, named after the file; what somebody wrote there meanwhile stays. */
export async function fillGraph(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const whole = new vscode.Range(
    new vscode.Position(0, 0),
    document.lineAt(document.lineCount - 1).range.end,
  );
  if (document.getText().trim() !== "") return;
  const text = newGraphText(graphNameOf(stemOf(uri)));
  if (!(await editor.edit((edit) => edit.replace(whole, text))))
    throw new Error(`${uri.fsPath} cannot be changed`);
}

/** "my-loss" of my-loss.graph.ts */
function stemOf(uri: vscode.Uri): string {
  return basename(uri.path).replace(/(\.graph)?\.[^.]+$/, "");
}

async function folderOf(given: vscode.Uri | undefined): Promise<vscode.Uri | null> {
  if (given !== undefined) {
    const { type } = await vscode.workspace.fs.stat(given);
    return type & vscode.FileType.Directory ? given : vscode.Uri.joinPath(given, "..");
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active && vscode.workspace.getWorkspaceFolder(active)) return vscode.Uri.joinPath(active, "..");
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? null;
}

async function ask(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const exists = async (name: string): Promise<boolean> =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name)).then(
      () => true,
      () => false,
    );
  const fileName = (value: string): string => (/\.[mc]?[jt]s$/.test(value) ? value : `${value}${SUFFIX}`);
  const value = await vscode.window.showInputBox({
    title: "New Graph Definition",
    prompt: `Name of the graph; the file is called NAME${SUFFIX}`,
    value: "loss",
    validateInput: async (text) => {
      const name = text.trim();
      if (name === "") return "A name is needed.";
      if (/[\\/:*?"<>|]/.test(name)) return 'A file name has none of \\ / : * ? " < > |.';
      return (await exists(fileName(name))) ? `${fileName(name)} is already there.` : undefined;
    },
  });
  return value === undefined ? undefined : vscode.Uri.joinPath(folder, fileName(value.trim()));
}

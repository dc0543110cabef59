/** What a sweep is asked of: a file on disk and one of the graphs it exports. */
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { SweepView } from "../engine/protocol.js";
import { recogniseDocument } from "./recognise-document.js";

export interface Target {
  readonly uri: vscode.Uri;
  /** null: the runner takes the first */
  readonly graph: string | null;
}

/** What would help: a button below the sentence, and the command behind it. */
interface Help {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** Why nothing can be run: one sentence for the user, and what would help. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly help: Help | null = null,
  ) {
    super(message);
  }
}

/** Tells a refusal, with its button. */
export async function sayRefusal({ message, help }: Refusal): Promise<void> {
  const choice = await vscode.window.showWarningMessage(message, ...(help === null ? [] : [help.title]));
  if (help !== null && choice === help.title)
    await vscode.commands.executeCommand(help.command, ...help.args);
}

const NEW_GRAPH: Help = { title: "New Graph", command: "backsweep.newGraph", args: [] };

/** Everything that is kept about a target is kept under this key. */
export function targetKey(target: Target): string {
  return `${target.uri.toString()}#${target.graph ?? ""}`;
}

/** The folder that imports must stay inside: the workspace folder, or the file's own. */
export function rootOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
}

/** What a sweep to be shown is of. */
export const headOf = (
  id: number,
  { uri }: Target,
  graph: string,
  graphs: readonly string[],
): Pick<SweepView, "id" | "graph" | "graphs" | "fileLabel" | "uri"> => ({
  id,
  graph,
  graphs,
  fileLabel: labelOf(uri),
  uri: uri.toString(),
});

/** How the file is called in the view: relative to its workspace folder. */
export function labelOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri, false)
    : basename(uri.fsPath);
}

/**
 * Decides what to run: the file and graph given, else the active editor's; asks when the file has several graphs.
 * Null: the user chose nothing. Throws a `Refusal` when there is nothing to run.
 */
export async function chooseTarget(uri?: vscode.Uri, graph?: string): Promise<Target | null> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (!file) throw new Refusal("Open a graph definition first: there is no active editor to run.", NEW_GRAPH);
  const document = await openTarget(file);
  if (graph !== undefined) return { uri: file, graph };
  const { imports, graphs } = recogniseDocument(document);
  if (document.getText().trim() === "")
    throw new Refusal(`${basename(file.path)} is empty: there is no graph to run yet.`, {
      title: "Insert a Graph",
      command: "backsweep.newGraph",
      args: [file, "here"],
    });
  if (!imports)
    throw new Refusal(
      `${basename(file.path)} imports no graph from "backsweep", so there is nothing to run.`,
      NEW_GRAPH,
    );
  if (graphs.length < 2) return { uri: file, graph: graphs[0]?.name ?? null };
  const items = graphs.map(({ name, start }) => ({
    label: name,
    description: `line ${document.positionAt(start).line + 1}`,
  }));
  const choice = await vscode.window.showQuickPick(items, {
    title: "Run sweep",
    placeHolder: "Which graph?",
  });
  return choice ? { uri: file, graph: choice.label } : null;
}

/** The document of a target; throws a `Refusal` where there is no file on disk that could be run. */
export async function openTarget(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (uri.scheme === "untitled") throw new Refusal("Save this file first: a sweep runs a file on disk.");
  if (uri.scheme !== "file")
    throw new Refusal(`A sweep runs only files on disk, and this one is ${uri.scheme}.`);
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw new Refusal(
      `${basename(uri.path)} cannot be read: it was moved or deleted, or is too large to open.`,
    );
  }
}

/** The document of a file that is open (shown or not), or undefined. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

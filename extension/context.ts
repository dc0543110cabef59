/** The context key `backsweep.isGraph`: the active editor shows a file that exports a graph. */
import * as vscode from "vscode";
import { languages } from "./lens.js";
import { later } from "./later.js";
import { attempt } from "./log.js";
import { recogniseDocument } from "./recognise-document.js";

const SETTLE_MS = 200;

/** True for a document that a sweep can be asked of. */
export function isGraphDocument(document: vscode.TextDocument): boolean {
  if (!(languages as readonly string[]).includes(document.languageId)) return false;
  const { imports, graphs } = recogniseDocument(document);
  return imports && graphs.length > 0;
}

/** Keeps the context key right as editors and texts change. */
export function watchContext(): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let shown: boolean | null = null;
  const set = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const value = document !== undefined && isGraphDocument(document);
    if (value === shown) return;
    shown = value;
    attempt("set the context", () =>
      vscode.commands.executeCommand("setContext", "backsweep.isGraph", value),
    );
  };
  const listeners = [
    later("set the context", set),
    vscode.window.onDidChangeActiveTextEditor(set),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== vscode.window.activeTextEditor?.document) return;
      clearTimeout(timer);
      timer = setTimeout(set, SETTLE_MS);
    }),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const listener of listeners) listener.dispose();
  });
}

/** CodeLens `Run sweep` over each recognised graph. */
import * as vscode from "vscode";
import { recogniseDocument } from "./recognise-document.js";
import { codeLensEnabled } from "./settings.js";

/** The languages a graph definition can be written in. */
export const languages = ["typescript", "javascript"] as const;

export class GraphLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("backsweep.codeLens")) this.changed.fire();
  });

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!codeLensEnabled(document.uri)) return [];
    return recogniseDocument(document).graphs.map(({ name, start, end }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return new vscode.CodeLens(range, {
        title: "$(play) Run sweep",
        tooltip: `Run ${name} and step through its reverse sweep`,
        command: "backsweep.runSweep",
        arguments: [document.uri, name],
      });
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** CodeLens over each engine a file exports for an audit. */
import * as vscode from "vscode";
import { recogniseAudits } from "../recognise-document.js";
import { featureEnabled } from "../settings.js";

export class AuditLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("backsweep.codeLens")) this.changed.fire();
  });

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!featureEnabled("codeLens", document.uri)) return [];
    return recogniseAudits(document).map(
      ({ name, start, end }) =>
        new vscode.CodeLens(new vscode.Range(document.positionAt(start), document.positionAt(end)), {
          title: "$(beaker) Audit this engine",
          tooltip: `Run ${name} on random graphs and compare every gradient`,
          command: "backsweep.auditEngine",
          arguments: [document.uri, name],
        }),
    );
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** CodeLens over each recognised graph: what can be done with it. */
import * as vscode from "vscode";
import { recogniseDocument } from "./recognise-document.js";
import { featureEnabled } from "./settings.js";

/** The languages a graph definition can be written in. */
export const languages = ["typescript", "javascript"] as const;

const lenses = [
  {
    command: "backsweep.runSweep",
    title: "$(play) Run sweep",
    tooltip: (name: string) => `Run ${name} and step through its reverse sweep`,
  },
  {
    command: "backsweep.debugSweep",
    title: "$(debug-alt) Step backward",
    tooltip: (name: string) => `Debug the reverse sweep of ${name}, one contribution a step`,
  },
  {
    command: "backsweep.checkGradient",
    title: "Check gradient",
    tooltip: (name: string) => `Check the derivatives of ${name} against difference quotients`,
  },
  {
    command: "backsweep.compareSchedules",
    title: "Compare schedules",
    tooltip: (name: string) => `Compare what checkpoint schedules of ${name} keep and compute again`,
  },
];

export class GraphLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("backsweep.codeLens")) this.changed.fire();
  });
  private readonly offered: typeof lenses;

  /** `commands`: those that are there. */
  constructor(commands: ReadonlySet<string>) {
    this.offered = lenses.filter(({ command }) => commands.has(command));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!featureEnabled("codeLens", document.uri)) return [];
    return recogniseDocument(document).graphs.flatMap(({ name, start, end }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return this.offered.map(
        ({ command, title, tooltip }) =>
          new vscode.CodeLens(range, {
            title,
            tooltip: tooltip(name),
            command,
            arguments: [document.uri, name],
          }),
      );
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** Which open documents a sweep has places in, and where those stand by now. */
import * as vscode from "vscode";
import { fileRow, Placed, recordedText } from "./placed.js";
import type { Shown } from "./shown.js";

export class Documents implements vscode.Disposable {
  private placed = new Map<string, Placed | null>();
  private shownView: unknown = null;
  private readonly edited = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly listeners: vscode.Disposable[];
  /** a document with places in it was edited; they have been moved by then */
  readonly onDidEdit = this.edited.event;

  constructor(private readonly shown: Shown) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const known = this.placed.get(document.uri.toString());
        if (!known || contentChanges.length === 0) return;
        const edits = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
          offset: rangeOffset,
          removed: rangeLength,
          inserted: text.length,
        }));
        known.edit(edits, document.getText());
        this.edited.fire(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.placed.delete(document.uri.toString())),
    ];
  }

  /** The places of the sweep on screen in this document; null where there are none. */
  of(document: vscode.TextDocument): Placed | null {
    const { sweep } = this.shown;
    if (sweep?.view !== this.shownView) {
      this.placed = new Map();
      this.shownView = sweep?.view;
    }
    if (sweep === null || document.uri.scheme !== "file") return null;
    const key = document.uri.toString();
    let known = this.placed.get(key);
    if (known === undefined) {
      const file = fileRow(sweep.index, document.uri.fsPath);
      const recorded = file < 0 ? null : recordedText(sweep.index, file);
      known = recorded === null ? null : new Placed(sweep.index, file, recorded, document.getText());
      this.placed.set(key, known);
    }
    return known;
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.edited.dispose();
  }
}

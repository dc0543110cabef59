/** The editor's side of the view: a click on a node shows its source, the cursor in the source selects a node. */
import * as vscode from "vscode";
import type { Trace } from "../engine/trace/trace.js";
import { rangeOf } from "./failures.js";
import { attempt } from "./log.js";
import { nodeAt, placeOfNode } from "./places.js";

const SETTLE_MS = 80;

export interface CursorEvents {
  /** the sweep the cursor may select in, or null (none, or older than the text) */
  trace(): Trace | null;
  selected(): number;
  select(node: number): void;
  /** column of the panel, which a source must not cover */
  panelColumn(): vscode.ViewColumn | undefined;
}

export class Cursor implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  /** the selection made by `reveal`, whose echo selects nothing */
  private echo: { readonly uri: string; readonly range: vscode.Range } | null = null;
  private readonly listener: vscode.Disposable;

  constructor(private readonly events: CursorEvents) {
    this.listener = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      // a debugger that shows its place moves the cursor too, and nobody means a node by that
      if (kind === undefined && vscode.debug.activeDebugSession?.type === "backsweep") return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.follow(textEditor), SETTLE_MS);
    });
  }

  private follow(editor: vscode.TextEditor): void {
    const trace = this.events.trace();
    const { document, selection } = editor;
    if (trace === null || document.uri.scheme !== "file") return;
    const echo = this.echo;
    this.echo = null;
    if (echo && echo.uri === document.uri.toString() && echo.range.isEqual(selection)) return;
    const word = document.getWordRangeAtPosition(selection.start);
    const node = nodeAt(
      trace,
      {
        file: document.uri.fsPath,
        line: selection.start.line + 1,
        column: selection.start.character + 1,
        endLine: selection.end.line + 1,
        endColumn: selection.end.character + 1,
        word: word?.contains(selection) ? document.getText(word) : null,
      },
      this.events.selected(),
    );
    if (node >= 0 && node !== this.events.selected()) this.events.select(node);
  }

  /** Shows the source of a node and selects its operation; the focus stays in the view. */
  revealNode(trace: Trace, node: number): void {
    const place = placeOfNode(trace, node);
    if (place) this.reveal(vscode.Uri.file(place.file), rangeOf(place));
  }

  reveal(uri: vscode.Uri, range: vscode.Range): void {
    attempt(
      "show the source",
      async () => {
        const document = await vscode.workspace.openTextDocument(uri);
        const selection = document.validateRange(range);
        this.echo = { uri: uri.toString(), range: selection };
        await vscode.window.showTextDocument(document, {
          viewColumn: this.columnFor(uri),
          preserveFocus: true,
          selection,
        });
      },
      true,
    );
  }

  /** Where the source is already shown, else beside the panel, never over it. */
  private columnFor(uri: vscode.Uri): vscode.ViewColumn {
    const key = uri.toString();
    const shown = vscode.window.visibleTextEditors.find(
      (editor) => editor.document.uri.toString() === key && editor.viewColumn,
    );
    if (shown?.viewColumn) return shown.viewColumn;
    const panel = this.events.panelColumn();
    const other = vscode.window.visibleTextEditors.find(
      (editor) => editor.viewColumn && editor.viewColumn !== panel,
    );
    return (
      other?.viewColumn ?? (panel === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One)
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
  }
}

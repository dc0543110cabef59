/** Fan-out nodes in the editor: a mark in the gutter and the overview ruler, and at the end of the line what was added up. */
import { join } from "node:path";
import * as vscode from "vscode";
import { ellipsis } from "../../engine/report/text/format.js";
import { featureEnabled } from "../settings.js";
import type { Documents } from "./documents.js";
import { linesOf } from "./fan-out-lines.js";
import type { Shown } from "./shown.js";

/** characters of the text behind a line */
const ROOM = 90;

export class FanOuts implements vscode.Disposable {
  private readonly fresh: vscode.TextEditorDecorationType;
  private readonly stale: vscode.TextEditorDecorationType;
  private readonly listeners: vscode.Disposable[];
  /** what was last set, by editor: the same is not set again */
  private readonly drawn = new WeakMap<vscode.TextEditor, string>();

  constructor(
    private readonly shown: Shown,
    private readonly documents: Documents,
    extensionPath: string,
  ) {
    const type = (icon: string): vscode.TextEditorDecorationType =>
      vscode.window.createTextEditorDecorationType({
        gutterIconPath: join(extensionPath, "media", icon),
        gutterIconSize: "contain",
        overviewRulerColor: new vscode.ThemeColor("charts.blue"),
        overviewRulerLane: vscode.OverviewRulerLane.Center,
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        after: { color: new vscode.ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em" },
      });
    this.fresh = type("fan-out.svg");
    this.stale = type("fan-out-stale.svg");
    let selected = shown.screen.selected;
    this.listeners = [
      shown.onDidChange((change) => {
        if (change === "running" || (change === "moved" && selected === shown.screen.selected)) return;
        selected = shown.screen.selected;
        this.drawAll();
      }),
      documents.onDidEdit(() => this.drawAll()),
      vscode.debug.onDidChangeActiveDebugSession(() => this.drawAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.drawAll()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("backsweep.fanOut")) this.drawAll();
      }),
    ];
    this.drawAll();
  }

  private drawAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.draw(editor);
  }

  private draw(editor: vscode.TextEditor): void {
    const { sweep } = this.shown;
    const { document } = editor;
    const placed = this.documents.of(document);
    const enabled = featureEnabled("fanOut", document.uri);
    const stale = this.shown.screen.isStale || placed?.edited === true;
    const lines =
      sweep === null || placed === null || !enabled
        ? []
        : linesOf(sweep, placed, this.shown.screen.selected, (offset) => document.positionAt(offset).line);
    // a session shows its own values behind the lines, as of its step: final sums behind them would contradict
    const session = vscode.debug.activeDebugSession?.type === "backsweep";
    const key = JSON.stringify([stale, lines, session && lines.length > 0]);
    if ((this.drawn.get(editor) ?? "[false,[],false]") === key) return;
    this.drawn.set(editor, key);
    const options = lines.map(({ line, texts }) => {
      const end = document.lineAt(line).range.end;
      const text = `${ellipsis(texts.join("; "), ROOM)}${stale ? " (older than the text)" : ""}`;
      return {
        range: new vscode.Range(end, end),
        hoverMessage: texts.map((each) => new vscode.MarkdownString().appendText(each)),
        ...(session
          ? {}
          : { renderOptions: { after: { contentText: text, ...(stale ? { fontStyle: "italic" } : {}) } } }),
      };
    });
    editor.setDecorations(this.fresh, stale ? [] : options);
    editor.setDecorations(this.stale, stale ? options : []);
  }

  dispose(): void {
    for (const part of [this.fresh, this.stale, ...this.listeners]) part.dispose();
  }
}

/** Tells when a sweep on screen is older than the text it was recorded from. */
import * as vscode from "vscode";

/** What the open files were when a run began: the text where it was needed then, else its version. */
export type Snapshot = ReadonlyMap<string, { readonly version: number; readonly text: string | null }>;

export interface FreshnessEvents {
  /** the answer changed */
  changed(stale: boolean): void;
  /** one of the files was edited, and is stale or fresh by now */
  edited(): void;
  saved(): void;
}

export class Freshness implements vscode.Disposable {
  /** text by absolute path, of the open files the sweep came from; null where it is not known any more */
  private recorded = new Map<string, string | null>();
  private files = new Set<string>();
  private readonly listeners: vscode.Disposable[];
  stale = false;

  constructor(events: FreshnessEvents) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !this.concerns(document)) return;
        const before = this.stale;
        this.stale = this.differs();
        if (this.stale !== before) events.changed(this.stale);
        events.edited();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.concerns(document)) events.saved();
      }),
    ];
  }

  private concerns(document: vscode.TextDocument): boolean {
    return document.uri.scheme === "file" && this.files.has(document.uri.fsPath);
  }

  /**
   * The texts as they are now, to be given to `accept` with the result of the run that begins now. Of files that the
   * last sweep did not come from only the version is kept: joining every open file's lines would be felt.
   */
  snapshot(target: string): Snapshot {
    const texts = new Map<string, { version: number; text: string | null }>();
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== "file") continue;
      const path = document.uri.fsPath;
      const needed = path === target || this.files.has(path);
      texts.set(path, { version: document.version, text: needed ? document.getText() : null });
    }
    return texts;
  }

  /** A new sweep is on screen, recorded from these files; `texts` is the snapshot taken when its run began. */
  accept(files: readonly string[], texts: Snapshot): void {
    this.files = new Set(files);
    this.recorded = new Map();
    for (const document of vscode.workspace.textDocuments) {
      const taken = this.concerns(document) ? texts.get(document.uri.fsPath) : undefined;
      if (taken === undefined) continue;
      const text = taken.text ?? (taken.version === document.version ? document.getText() : null);
      this.recorded.set(document.uri.fsPath, text);
    }
    this.stale = this.differs();
  }

  /** Watches a file that has no sweep yet, so that saving it can run it. */
  watch(file: string): void {
    this.files.add(file);
  }

  private differs(): boolean {
    return vscode.workspace.textDocuments.some((document) => {
      if (!this.concerns(document)) return false;
      const text = this.recorded.get(document.uri.fsPath);
      // a file that was not open when the sweep was recorded was read from disk, as it is now unless it was changed
      return text === undefined ? document.isDirty : text !== document.getText();
    });
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
  }
}

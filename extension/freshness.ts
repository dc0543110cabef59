/** Tells when a sweep on screen is older than the text it was recorded from. */
import * as vscode from "vscode";

export class Freshness implements vscode.Disposable {
  /** text by absolute path, of the open files the sweep came from */
  private recorded = new Map<string, string>();
  private files = new Set<string>();
  private readonly listeners: vscode.Disposable[];
  stale = false;

  /** `changed`: the answer changed; `saved`: one of the files was saved. */
  constructor(changed: (stale: boolean) => void, saved: () => void) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !this.concerns(document)) return;
        const before = this.stale;
        this.stale = this.differs();
        if (this.stale !== before) changed(this.stale);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.concerns(document)) saved();
      }),
    ];
  }

  private concerns(document: vscode.TextDocument): boolean {
    return document.uri.scheme === "file" && this.files.has(document.uri.fsPath);
  }

  /** The texts as they are now, to be given to `accept` if the run that begins now succeeds. */
  static snapshot(): ReadonlyMap<string, string> {
    const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === "file");
    return new Map(open.map((document) => [document.uri.fsPath, document.getText()]));
  }

  /** A new sweep is on screen, recorded from these files; `texts` is the snapshot taken when its run began. */
  accept(files: readonly string[], texts: ReadonlyMap<string, string>): void {
    this.files = new Set(files);
    this.recorded = new Map([...texts].filter(([path]) => this.files.has(path)));
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

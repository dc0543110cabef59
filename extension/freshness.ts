/** Tells when a sweep on screen is older than the text it was recorded from. */
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { attempt } from "./log.js";

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
  /** files that are not open and have another text on disk than the sweep came from */
  private changed = new Set<string>();
  private readonly listeners: vscode.Disposable[];
  stale = false;

  constructor(private readonly events: FreshnessEvents) {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.{ts,mts,js,mjs,json}", true);
    const onDisk = ({ fsPath }: vscode.Uri): void =>
      attempt("look at a file of the sweep", () => this.lookOnDisk(fsPath));
    this.listeners = [
      watcher,
      watcher.onDidChange(onDisk),
      watcher.onDidDelete(onDisk),
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      // closed without saving, the file is again what it was on disk
      vscode.workspace.onDidCloseTextDocument(({ uri }) => onDisk(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !this.concerns(document)) return;
        this.compare();
        events.edited();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.concerns(document)) events.saved();
      }),
    ];
  }

  private compare(): void {
    const before = this.stale;
    this.stale = this.differs();
    if (this.stale !== before) this.events.changed(this.stale);
  }

  /** What was read from disk when the sweep was recorded is what an editor shows first. */
  private opened(document: vscode.TextDocument): void {
    const path = document.uri.fsPath;
    if (!this.concerns(document) || this.recorded.has(path)) return;
    if (!document.isDirty && !this.changed.has(path)) this.recorded.set(path, document.getText());
  }

  /** Another program wrote a file that no editor has, or an editor let go of one: an open one tells of its changes. */
  private async lookOnDisk(path: string): Promise<void> {
    if (!this.files.has(path) || isOpen(path)) return;
    const { recorded } = this;
    const known = recorded.get(path);
    const text = await readFile(path, "utf8").catch(() => null);
    if (this.recorded !== recorded || isOpen(path)) return;
    if (typeof known === "string" && text !== null && plain(known) === plain(text)) this.changed.delete(path);
    else this.changed.add(path);
    this.compare();
    if (text !== null && this.changed.has(path)) this.events.saved();
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
    this.changed = new Set();
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
    if (this.changed.size > 0) return true;
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

function isOpen(path: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
}

/** An editor leaves out the byte order mark, and makes all line ends the same. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

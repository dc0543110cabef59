/** Runs graphs: one at a time, the latest wins, with progress and a way to cancel when it takes long. */
import * as vscode from "vscode";
import type { AskedOptions } from "../engine/graph/options.js";
import type { RunRequest, RunResult } from "../runner/messages.js";
import { Runner } from "../runner/client.js";
import { attempt, log } from "./log.js";
import { showProgress } from "./progress.js";
import { runSettings } from "./settings.js";
import { labelOf, rootOf, type Target } from "./target.js";

export class Runs implements vscode.Disposable {
  private readonly runner: Runner;
  private current: AbortController | null = null;

  /** `runnerPath`: the bundle the runner process is forked from. */
  constructor(runnerPath: string) {
    this.runner = new Runner({
      runnerPath,
      log: (line) => log().debug(line),
      onConsole: ({ level, text }) => log()[level === "log" ? "info" : level](text),
    });
  }

  /** A run is under way. */
  get busy(): boolean {
    return this.current !== null;
  }

  /** Cancels the run under way, if any. */
  cancel(): void {
    this.current?.abort();
    this.current = null;
  }

  /**
   * Runs the target with the texts as they are on screen. Null: a later run took its place, or it was cancelled. `loud`:
   * the user asked for it, so its progress is a notification; otherwise it is said in the status bar.
   */
  async run(target: Target, loud: boolean, options: AskedOptions = {}): Promise<RunResult | null> {
    this.cancel();
    const abort = new AbortController();
    this.current = abort;
    const done = this.runner.run(runRequest(target, options), abort.signal);
    const title = `Running the sweep of ${target.graph ?? labelOf(target.uri)}`;
    attempt("show progress", () => showProgress(title, done, abort, loud));
    const result = await done;
    if (this.current === abort) this.current = null;
    return abort.signal.aborted || (!result.ok && result.failure.kind === "cancelled") ? null : result;
  }

  dispose(): void {
    this.cancel();
    this.runner.dispose();
  }
}

/** What the runner is asked for a target, with the texts as they are on screen. */
export function runRequest({ uri, graph }: Target, options: AskedOptions = {}): RunRequest {
  const settings = runSettings(uri);
  return {
    file: uri.fsPath,
    root: rootOf(uri),
    texts: unsavedTexts(uri),
    options: graph === null ? options : { ...options, graph },
    timeoutMs: settings.timeoutMs,
    memoryBytes: settings.memoryBytes,
    allowImports: settings.allowImports,
    layout: true,
  };
}

/** What runs is what is on screen: every unsaved file, since the graph may import any of them. */
function unsavedTexts(uri: vscode.Uri): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme !== "file" || document.isClosed) continue;
    const target = document.uri.toString() === uri.toString();
    if (document.isDirty || target) texts[document.uri.fsPath] = document.getText();
  }
  return texts;
}

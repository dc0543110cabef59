/** Audits for the Test Explorer and the CodeLens: one after the other, in a runner of their own, the last results kept. */
import { progressText } from "../../engine/audit/progress-text.js";
import * as vscode from "vscode";
import type { AuditResult } from "../../engine/audit/result.js";
import { DEFAULT_AUDIT_TIMEOUT_MS } from "../../runner/audit-messages.js";
import { Runner } from "../../runner/client.js";
import { errored, type TestVerdict } from "../features/verdicts.js";
import { log } from "../log.js";
import { runRequest } from "../runs.js";
import { auditVerdict } from "./verdict.js";

/** As on the command line. */
const CASES = 200;

/** What an audit gave, and the files it came from. */
export type Audited = AuditResult & { readonly files: readonly string[] };

export class Audits implements vscode.Disposable {
  private readonly runner: Runner;
  private readonly results = new Map<string, Audited>();
  private last: Promise<unknown> = Promise.resolve();
  private readonly listeners: readonly vscode.Disposable[];

  /** `runnerPath`: the bundle the runner process is forked from. */
  constructor(runnerPath: string) {
    this.runner = new Runner({
      runnerPath,
      log: (line) => log().debug(line),
      onConsole: ({ level, text }) => log()[level === "log" ? "info" : level](text),
      spare: false,
    });
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.{ts,mts,js,mjs,json}");
    // an engine may import any of them: of an older text nothing is known
    const forget = (): void => this.results.clear();
    this.listeners = [
      watcher,
      watcher.onDidChange(forget),
      watcher.onDidDelete(forget),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === "file" && contentChanges.length > 0) forget();
      }),
    ];
  }

  /** Audits one engine of a file, or all of them (null), and tells how far it is. Never rejects; of an audit that was cancelled there is no verdict. */
  audit(
    uri: vscode.Uri,
    engine: string | null,
    signal: AbortSignal,
    told: (text: string) => void,
  ): Promise<readonly TestVerdict[]> {
    const work = this.last.then(() => this.run(uri, engine, signal, told));
    this.last = work;
    return work;
  }

  /** What the last audit of an engine gave, null where a text was changed since. */
  result(uri: vscode.Uri, engine: string): Audited | null {
    return this.results.get(keyOf(uri, engine)) ?? null;
  }

  private async run(
    uri: vscode.Uri,
    engine: string | null,
    signal: AbortSignal,
    told: (text: string) => void,
  ): Promise<TestVerdict[]> {
    if (signal.aborted) return [];
    const answer = await this.runner.audit(
      {
        ...runRequest({ uri, graph: null }),
        layout: false,
        timeoutMs: DEFAULT_AUDIT_TIMEOUT_MS,
        audit: { cases: CASES, seed: 0, ...(engine === null ? {} : { engine }) },
      },
      signal,
      (progress) => {
        if (!signal.aborted) told(progressText(progress, CASES));
      },
    );
    if (signal.aborted || (!answer.ok && answer.failure.kind === "cancelled")) return [];
    if (!answer.ok) {
      if (engine !== null) this.results.delete(keyOf(uri, engine));
      return [errored(engine ?? "", answer.failure)];
    }
    for (const one of answer.audited) {
      if (one.failure === null)
        this.results.set(keyOf(uri, one.engine), { ...one.result, files: answer.files });
      else this.results.delete(keyOf(uri, one.engine));
    }
    return answer.audited.map(auditVerdict);
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.runner.dispose();
  }
}

function keyOf(uri: vscode.Uri, engine: string): string {
  return `${uri.toString()}#${engine}`;
}

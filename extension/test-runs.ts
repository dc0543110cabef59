/** Tests of the Test Explorer, each kind in a runner of its own that is made with its first test; and what an audit found. */
import type * as vscode from "vscode";
import type { SmallestGraph } from "../engine/audit/result.js";
import { Audits, type Audited } from "./audit/audits.js";
import { Checks } from "./checks.js";
import { sentenceOf, type TestVerdict } from "./features/verdicts.js";
import { attempt } from "./log.js";
import { showProgress, Word } from "./progress.js";

/** Where a test is run so that its mark in the editor is that of this run. */
interface Explorer {
  runNamed(uri: vscode.Uri, name: string, doing: string): Promise<TestVerdict | "cancelled" | null>;
}

/** An audit that came down to a smallest graph. */
export type Failing = Audited & { readonly smallest: SmallestGraph };

export class TestRuns implements vscode.Disposable {
  private checks: Checks | null = null;
  private audits: Audits | null = null;
  /** the Test Explorer, made when it is needed first */
  explorer: (() => Explorer) | null = null;

  /** `runnerPath`: the bundle the runner processes are forked from. */
  constructor(private readonly runnerPath: string) {}

  /** Checks the derivatives of one graph of a file, or of all (null). */
  check(uri: vscode.Uri, graph: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    this.checks ??= new Checks(this.runnerPath);
    return this.checks.check(uri, graph, signal);
  }

  /** Audits one engine of a file, or all (null). `told` is called with how far it is. */
  audit(
    uri: vscode.Uri,
    engine: string | null,
    signal: AbortSignal,
    told: (text: string) => void,
  ): Promise<readonly TestVerdict[]> {
    this.audits ??= new Audits(this.runnerPath);
    return this.audits.audit(uri, engine, signal, told);
  }

  /** What the last audit of an engine gave; null: none since its text was changed. */
  audited(uri: vscode.Uri, engine: string): Audited | null {
    return this.audits?.result(uri, engine) ?? null;
  }

  /**
   * The audit of an engine that fails on a smallest graph; a sentence: why there is none; null: it was cancelled. `loud`:
   * the user asked for it, so its progress is a notification, and its test in the explorer goes with it: a mark of an
   * earlier run would be of the engine as it was.
   */
  async failingAudit(uri: vscode.Uri, engine: string, loud: boolean): Promise<Failing | string | null> {
    let failure: string | null = null;
    const known = (): Audited | null => this.audits?.result(uri, engine) ?? null;
    const title = `Auditing ${engine} on random graphs`;
    const asTest = known() === null && loud ? await this.explorer?.().runNamed(uri, engine, title) : null;
    if (asTest === "cancelled") return null;
    if (asTest) failure = failureOf(asTest);
    else if (known() === null) {
      const abort = new AbortController();
      const word = new Word();
      const done = this.audit(uri, engine, abort.signal, (text) => word.say(text));
      attempt("show progress", () => showProgress(title, done, abort, loud, word));
      const [verdict] = await done;
      failure = verdict === undefined ? null : failureOf(verdict);
      if (abort.signal.aborted) return null;
    }
    const result = known();
    if (result !== null && result.smallest !== null) return { ...result, smallest: result.smallest };
    const unusable = result === null || result.verdict === "unusable";
    const why = failure ?? (unusable ? "it cannot be audited" : "it fails on none");
    return `${engine} has no smallest failing graph: ${why}.`;
  }

  dispose(): void {
    this.checks?.dispose();
    this.audits?.dispose();
  }
}

/** Why there is no result; null: there is one. */
function failureOf(verdict: TestVerdict): string | null {
  return verdict.outcome === "errored" ? sentenceOf(verdict) : null;
}

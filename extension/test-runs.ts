/** Tests of the Test Explorer, each kind in a runner of its own that is made with its first test; and what an audit found. */
import * as vscode from "vscode";
import type { AuditResult } from "../engine/audit/result.js";
import { Audits } from "./audit/audits.js";
import { Checks } from "./checks.js";
import type { TestVerdict } from "./features/verdicts.js";

export class TestRuns implements vscode.Disposable {
  private checks: Checks | null = null;
  private audits: Audits | null = null;

  /** `runnerPath`: the bundle the runner processes are forked from. */
  constructor(private readonly runnerPath: string) {}

  /** Checks the derivatives of one graph of a file, or of all (null). */
  check(uri: vscode.Uri, graph: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    this.checks ??= new Checks(this.runnerPath);
    return this.checks.check(uri, graph, signal);
  }

  /** Audits one engine of a file, or all (null). */
  audit(uri: vscode.Uri, engine: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    this.audits ??= new Audits(this.runnerPath);
    return this.audits.audit(uri, engine, signal);
  }

  /** The audit of an engine that fails on a smallest graph; null: there is none, which the user is told. */
  async failingAudit(
    uri: vscode.Uri,
    engine: string,
  ): Promise<(AuditResult & { readonly smallest: NonNullable<AuditResult["smallest"]> }) | null> {
    const known = (): AuditResult | null => this.audits?.result(uri, engine) ?? null;
    if (known() === null) await this.audit(uri, engine, new AbortController().signal);
    const result = known();
    if (result !== null && result.smallest !== null) return { ...result, smallest: result.smallest };
    const why = result === null || result.verdict === "unusable" ? "cannot be audited" : "fails on no graph";
    void vscode.window.showWarningMessage(`${engine} ${why}, so there is no smallest graph to open.`);
    return null;
  }

  dispose(): void {
    this.checks?.dispose();
    this.audits?.dispose();
  }
}

/** The command "Audit Engine": the engine's test, run from its CodeLens, with one sentence about how it went. */
import * as vscode from "vscode";
import type { AuditResult } from "../../engine/audit/result.js";
import type { GraphTests } from "../features/tests.js";
import { sentenceOf } from "../features/verdicts.js";
import { recogniseAudits } from "../recognise-document.js";
import { openDocument } from "../target.js";

const SMALLEST = "Open Smallest Graph";
const TESTS = "Show Tests";

/** Who knows what the last audit of an engine gave. */
interface Known {
  audited(uri: vscode.Uri, engine: string): AuditResult | null;
}

/** The engine meant: the one given, the active editor's only one, or the one chosen. Null: none, which was said. */
export async function chooseEngine(
  uri?: vscode.Uri,
  engine?: string,
  known: Known | null = null,
): Promise<{ readonly uri: vscode.Uri; readonly engine: string } | null> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (file !== undefined && engine !== undefined) return { uri: file, engine };
  const document =
    file?.scheme === "file"
      ? (openDocument(file) ?? (await vscode.workspace.openTextDocument(file)))
      : undefined;
  const engines = document === undefined ? [] : recogniseAudits(document);
  if (file === undefined || document === undefined || engines.length === 0) {
    void vscode.window.showWarningMessage(
      "There is no engine to audit here: open a file that exports audit({ ... }) or auditSweep(...).",
    );
    return null;
  }
  if (engines.length === 1) return { uri: file, engine: engines[0].name };
  const choice = await vscode.window.showQuickPick(
    engines
      .map(({ name, start }) => {
        const result = known?.audited(file, name) ?? null;
        const found = result === null ? "not audited yet" : (result.fault?.class ?? result.verdict);
        const description = `line ${document.positionAt(start).line + 1}, ${found}`;
        return { label: name, description, last: result?.verdict === "clean" };
      })
      // what was found clean has no failing graph
      .sort((a, b) => Number(a.last) - Number(b.last)),
    { title: "Audit", placeHolder: "Which engine?" },
  );
  return choice === undefined ? null : { uri: file, engine: choice.label };
}

export async function auditEngine(tests: GraphTests, uri?: vscode.Uri, engine?: string): Promise<void> {
  const chosen = await chooseEngine(uri, engine);
  if (chosen === null) return;
  const verdict = await tests.runNamed(
    chosen.uri,
    chosen.engine,
    `Auditing ${chosen.engine} on random graphs`,
  );
  if (verdict === "cancelled") return;
  if (verdict === null) {
    void vscode.window.showWarningMessage("There is no engine here that can be audited: export one by name.");
    return;
  }
  const { name, outcome, output } = verdict;
  if (outcome === "passed" || outcome === "skipped") {
    vscode.window.setStatusBarMessage(`$(check) Backsweep: ${output[0] ?? name}`, 10_000);
    return;
  }
  const sentence = sentenceOf(verdict) ?? "the audit failed";
  const offered = outcome === "failed" ? [SMALLEST, TESTS] : [TESTS];
  const choice = await vscode.window.showErrorMessage(`${name}: ${sentence}`, ...offered);
  if (choice === SMALLEST)
    await vscode.commands.executeCommand("backsweep.openSmallestGraph", chosen.uri, chosen.engine);
  else if (choice === TESTS) await vscode.commands.executeCommand("workbench.view.testing.focus");
}

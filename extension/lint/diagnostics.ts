/** Reports as diagnostics: severity by evidence, the rule as the code, and the places that speak for it. */
import * as vscode from "vscode";
import type { LintResult } from "../../engine/lint/lint-tree.js";
import type { Place, Severity } from "../../engine/lint/report.js";

export const SOURCE = "backsweep";

const SEVERITY: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** The page of a rule, as it is shipped. */
export const pageOf = (pages: vscode.Uri, rule: string): vscode.Uri =>
  vscode.Uri.joinPath(pages, `${rule}.md`);

export function rangeOf({ line, column, endLine, endColumn }: Place): vscode.Range {
  return new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
}

/**
 * `pages`: the folder of the rules' pages, which the code of a report opens. The text's own errors are told by the
 * language's service; they are left out here.
 */
export function diagnosticsOf(
  uri: vscode.Uri,
  { reports, notes }: LintResult,
  pages: vscode.Uri,
): vscode.Diagnostic[] {
  const found = reports.map((report) => {
    const diagnostic = new vscode.Diagnostic(rangeOf(report), report.message, SEVERITY[report.severity]);
    diagnostic.source = SOURCE;
    diagnostic.code = { value: report.rule, target: pageOf(pages, report.rule) };
    diagnostic.relatedInformation = report.related.map(
      (related) =>
        new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(related)), related.message),
    );
    return diagnostic;
  });
  const remarks = notes
    .filter(({ kind }) => kind !== "syntax")
    .map((note) => {
      const diagnostic = new vscode.Diagnostic(
        rangeOf(note),
        note.message,
        note.kind === "skipped" ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Hint,
      );
      diagnostic.source = SOURCE;
      diagnostic.code = note.kind;
      if (note.kind === "unused-suppression") diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
      return diagnostic;
    });
  return [...found, ...remarks];
}

/**
 * Quick fixes: what a report suggests (preferred only where siblings prove it), a comment that silences it, and
 * `source.fixAll.backsweep`, which applies the proven fixes alone.
 */
import * as vscode from "vscode";
import type { Report } from "../../engine/lint/report.js";
import { pageOf, rangeOf, SOURCE } from "./diagnostics.js";
import type { Linter } from "./linter.js";
import { trimmedEdit } from "./trimmed-edit.js";

export const FIX_ALL = vscode.CodeActionKind.SourceFixAll.append("backsweep");

export class LintActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, FIX_ALL],
  };

  constructor(private readonly linter: Linter) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only, diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    if (only !== undefined && only.contains(FIX_ALL)) return this.fixAll(document, token);
    if (only !== undefined && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
    const ours = diagnostics.filter(({ source }) => source === SOURCE);
    if (only === undefined && ours.length === 0) return [];
    const result = await this.linter.result(document);
    if (result === null || token.isCancellationRequested) return [];
    const actions: vscode.CodeAction[] = [];
    for (const report of result.reports) {
      if (!rangeOf(report).intersection(range)) continue;
      const diagnostic = ours.find(
        (one) => one.range.isEqual(rangeOf(report)) && one.message === report.message,
      );
      actions.push(
        ...suggested(document, report, diagnostic),
        silence(document, report, diagnostic),
        explain(this.linter.pages, report, diagnostic),
      );
    }
    for (const note of result.notes) {
      if (note.kind !== "unused-suppression" || !rangeOf(note).intersection(range)) continue;
      const action = new vscode.CodeAction("Remove this comment", vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.delete(document.uri, commentRange(document, rangeOf(note)));
      actions.push(action);
    }
    return actions;
  }

  private async fixAll(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const { version } = document;
    const fixed = await this.linter.fixed(document);
    if (fixed === null || token.isCancellationRequested || document.version !== version) return [];
    const action = new vscode.CodeAction("Fix all lost contributions that siblings prove", FIX_ALL);
    const { start, end, text } = trimmedEdit(document.getText(), fixed);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      text,
    );
    return [action];
  }
}

function suggested(
  document: vscode.TextDocument,
  { suggestions, fix }: Report,
  diagnostic: vscode.Diagnostic | undefined,
): vscode.CodeAction[] {
  return suggestions.map(({ title, edits }, i) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    for (const { start, end, text } of edits)
      action.edit.replace(
        document.uri,
        new vscode.Range(document.positionAt(start), document.positionAt(end)),
        text,
      );
    if (diagnostic) action.diagnostics = [diagnostic];
    if (fix !== null && i === 0) action.isPreferred = true;
    return action;
  });
}

/** The page of the rule, as it is read; the diagnostic's code opens it as text. */
function explain(
  pages: vscode.Uri,
  report: Report,
  diagnostic: vscode.Diagnostic | undefined,
): vscode.CodeAction {
  const title = `Read about ${report.rule}`;
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command: "markdown.showPreview", arguments: [pageOf(pages, report.rule)] };
  if (diagnostic !== undefined) action.diagnostics = [diagnostic];
  return action;
}

function silence(
  document: vscode.TextDocument,
  { rule, line }: Report,
  diagnostic: vscode.Diagnostic | undefined,
): vscode.CodeAction {
  const action = new vscode.CodeAction(`Disable ${rule} for this line`, vscode.CodeActionKind.QuickFix);
  const { text } = document.lineAt(line - 1);
  const indent = /^\s*/.exec(text)![0];
  const end = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  action.edit = new vscode.WorkspaceEdit();
  action.edit.insert(
    document.uri,
    new vscode.Position(line - 1, 0),
    `${indent}${document.languageId === "python" ? "#" : "//"} backsweep-disable-next-line ${rule}${end}`,
  );
  if (diagnostic) action.diagnostics = [diagnostic];
  return action;
}

/** The comment, with its line where nothing else stands on it. */
function commentRange(document: vscode.TextDocument, range: vscode.Range): vscode.Range {
  const line = document.lineAt(range.start.line);
  const alone =
    range.isSingleLine &&
    line.text.slice(0, range.start.character).trim() === "" &&
    line.text.slice(range.end.character).trim() === "";
  return alone ? line.rangeIncludingLineBreak : range;
}

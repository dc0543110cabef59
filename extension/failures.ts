/** What is said about a run that failed, or that found something: a diagnostic at the place, and one sentence. */
import { basename } from "node:path";
import * as vscode from "vscode";
import type { FailureView } from "../engine/protocol.js";
import type { Note } from "../engine/report/report.js";
import type { Failure } from "../runner/messages.js";
import { attempt } from "./log.js";

const severities = {
  finding: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

/** a column behind the end of any line: the editor takes the end */
const LINE_END = 100_000;

interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The editor's range of a place; an unknown line is the first, an unknown or empty end takes the word there. */
export function rangeOf(place: Place): vscode.Range {
  const line = Math.max(0, place.line - 1);
  const column = Math.max(0, place.column - 1);
  const endLine = place.endLine > 0 ? place.endLine - 1 : line;
  return new vscode.Range(line, column, endLine, place.endColumn > 0 ? place.endColumn - 1 : column + 1);
}

/** Of a range over several lines what is on its first: a remark about a graph is no reason to underline all of it. */
function firstLine(range: vscode.Range): vscode.Range {
  return range.isSingleLine ? range : range.with({ end: range.start.with({ character: LINE_END }) });
}

/** The setting that a run was stopped by. */
const limits: Readonly<Record<string, string | undefined>> = {
  deadline: "backsweep.run.timeout",
  memory: "backsweep.run.memory",
};

/** A failure as the view shows it; `graph` is what was run, `graphs` what the file has. */
export function failureView(
  failure: Failure,
  label: (file: string) => string,
  graph: string | null,
  graphs: readonly string[],
): FailureView {
  const { kind, message, file, line, column, frames } = failure;
  const fileLabel = file === null ? null : label(file);
  const limit = limits[kind];
  const text = limit === undefined ? message : `${message} (setting ${limit})`;
  return { kind, message: text, fileLabel, line, column, frames, graph, graphs };
}

export class Failures implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("backsweep");
  /** what stands in the status bar */
  private sentence: vscode.Disposable | null = null;

  /** A run begins: what the last one said no longer holds. */
  clear(): void {
    this.collection.clear();
    this.sentence?.dispose();
    this.sentence = null;
  }

  /** Marks the place; `said` also says it: "loud" in a notification, "quiet" in the status bar. */
  show(failure: Failure, said: "loud" | "quiet" | "unsaid"): void {
    const { file, line, message } = failure;
    if (file !== null) {
      const diagnostic = new vscode.Diagnostic(rangeOf(failure), message, vscode.DiagnosticSeverity.Error);
      diagnostic.source = "backsweep";
      diagnostic.code = failure.kind;
      this.collection.set(vscode.Uri.file(file), [diagnostic]);
    }
    if (said === "unsaid") return;
    const where = file === null ? "" : line > 0 ? `${basename(file)}:${line}: ` : `${basename(file)}: `;
    const sentence = `${where}${message}`;
    if (said === "quiet") {
      this.sentence = vscode.window.setStatusBarMessage(`$(error) Backsweep: ${sentence}`, 10_000);
      return;
    }
    attempt("show the failure", async () => {
      const choices = file !== null && line > 0 ? ["Go to Line"] : [];
      if ((await vscode.window.showErrorMessage(sentence, ...choices)) === undefined || file === null) return;
      await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: rangeOf(failure) });
    });
  }

  /** Marks what a sweep that worked has to remark: an unused input, a kink, NaN. */
  notes(notes: readonly Note[], path: (file: string) => string): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const note of notes) {
      if (note.file === null || note.severity === "info") continue;
      const range = firstLine(rangeOf(note));
      const diagnostic = new vscode.Diagnostic(range, note.message, severities[note.severity]);
      diagnostic.source = "backsweep";
      diagnostic.code = note.code;
      const file = path(note.file);
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    for (const [file, list] of byFile) this.collection.set(vscode.Uri.file(file), list);
  }

  dispose(): void {
    this.sentence?.dispose();
    this.collection.dispose();
  }
}

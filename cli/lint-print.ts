/** The two plain formats: stylish for people, and JSON as ESLint's json formatter prints it. */
import { relative } from "node:path";
import type { Report } from "../engine/lint/report.js";
import type { LintCall } from "./lint.js";
import { isTrouble, isUnread, oneEdit, severityOf, type FileResult } from "./lint-results.js";
import { alignColumns, count, type Style } from "./style.js";

export function* stylish(
  results: readonly FileResult[],
  call: LintCall,
  style: Style,
  cwd: string,
): Iterable<string> {
  let errors = 0;
  let warnings = 0;
  let fixable = 0;
  for (const { path, reports, infos, notes } of results) {
    if (reports.length + infos.length + notes.length === 0) continue;
    const lines = [
      ...reports.map((report) => ({
        report,
        severity: severityOf(report, call) as string,
        words: report.message,
        rule: report.rule,
      })),
      ...infos.map((report) => ({ report, severity: "info", words: report.message, rule: report.rule })),
      ...notes.map((note) => ({
        report: note,
        severity: isTrouble(note) ? "error" : "note",
        words: isUnread(note) ? `not linted: ${note.message}` : note.message,
        rule: note.kind,
      })),
    ].sort((a, b) => a.report.line - b.report.line || a.report.column - b.report.column);
    errors += reports.filter((report) => severityOf(report, call) === "error").length;
    errors += notes.filter(isTrouble).length;
    warnings += reports.filter((report) => severityOf(report, call) === "warning").length;
    fixable += reports.filter(({ fix }) => fix !== null).length;
    yield `${style.bold(relative(cwd, path) || path)}\n`;
    const rows = alignColumns(
      lines.map(({ report, severity }) => [`${report.line}:${report.column}`, severity]),
      [true, false],
    );
    for (const [i, { severity, words, rule, report }] of lines.entries()) {
      const paint = severity === "error" ? style.bad : severity === "warning" ? style.warn : style.dim;
      yield `  ${style.dim(rows[i][0])}  ${paint(rows[i][1].padEnd(7))}  ${words}  ${style.dim(rule)}\n`;
      if ("related" in report)
        for (const { line, column, message } of report.related.slice(0, 3))
          yield `           ${style.dim(`${line}:${column} ${message}`)}\n`;
    }
    yield "\n";
  }
  const mended = results.filter(({ fixed }) => fixed > 0);
  if (mended.length > 0)
    yield `${count(
      mended.reduce((sum, { fixed }) => sum + fixed, 0),
      "fix",
      "fixes",
    )} applied in ${count(mended.length, "file")}\n`;
  if (errors + warnings === 0) {
    const left = results.filter(({ notes }) =>
      notes.some(({ kind, line }) => kind === "skipped" && line === 1),
    );
    const linted = `${count(results.length - left.length, "file")}, no problem`;
    yield `${linted}${left.length === 0 ? "" : `; ${left.length} not linted`}\n`;
    return;
  }
  const total = `${count(errors + warnings, "problem")} (${count(errors, "error")}, ${count(warnings, "warning")})`;
  yield `${(errors > 0 ? style.bad : style.warn)(total)}\n`;
  if (fixable > 0 && !call.fix)
    yield `${count(fixable, "fix", "fixes")} proven by the same engine: apply with --fix\n`;
}

interface Message {
  readonly ruleId: string | null;
  readonly severity: 1 | 2;
  /** as ESLint says it of a text that it cannot parse */
  readonly fatal?: true;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** One JSON document: an array with an object a file. */
export function eslintJson(results: readonly FileResult[], call: LintCall): string {
  const message = (report: Report, text: string): Message => ({
    ruleId: report.rule,
    severity: severityOf(report, call) === "error" ? 2 : 1,
    message: report.message,
    line: report.line,
    column: report.column,
    endLine: report.endLine,
    endColumn: report.endColumn,
    ...(report.fix === null ? {} : { fix: oneEdit(report.fix, text) }),
    ...(report.suggestions.length === 0
      ? {}
      : {
          suggestions: report.suggestions.map(({ title, edits }) => ({
            desc: title,
            fix: oneEdit(edits, text),
          })),
        }),
  });
  const files = results.map(({ path, text, reports, suppressed, notes }) => {
    const of = (severity: "error" | "warning", fixable: boolean): number =>
      reports.filter((report) => severityOf(report, call) === severity && (!fixable || report.fix !== null))
        .length;
    const unread = notes.filter(isUnread).length;
    const troubles = notes.filter(isTrouble).length;
    const messages: Message[] = [
      ...reports.map((report) => message(report, text)),
      ...notes.map((note): Message => {
        const { message: words, line, column, endLine, endColumn } = note;
        const place = { line, column, endLine, endColumn };
        if (note.kind === "unwritten") return { ruleId: null, severity: 2, message: words, ...place };
        return isUnread(note)
          ? { ruleId: null, fatal: true, severity: 2, message: `Parsing error: ${words}`, ...place }
          : { ruleId: null, severity: 1, message: words, ...place };
      }),
    ].sort((a, b) => a.line - b.line || a.column - b.column);
    return {
      filePath: path,
      messages,
      suppressedMessages: suppressed.map((report) => ({
        ...message(report, text),
        suppressions: [{ kind: "directive", justification: report.reason }],
      })),
      errorCount: of("error", false) + troubles,
      fatalErrorCount: unread,
      warningCount: of("warning", false) + notes.length - troubles,
      fixableErrorCount: of("error", true),
      fixableWarningCount: of("warning", true),
      usedDeprecatedRules: [],
    };
  });
  return `${JSON.stringify(files)}\n`;
}

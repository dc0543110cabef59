/** What was found, file by file, under the one severity a rule has on the command line. */
import type { LintResult, Note } from "../engine/lint/lint.js";
import type { Edit, Report } from "../engine/lint/report.js";
import { ruleNamed } from "../engine/lint/rules/index.js";
import type { EvidenceWanted, LintCall } from "./lint.js";

/** What there is to say of a file beside reports; unwritten: its fixes could not be saved. */
export type FileNote = Omit<Note, "kind"> & { readonly kind: Note["kind"] | "unwritten" };

export interface FileResult {
  /** absolute; a folder that could not be read stands here, too */
  readonly path: string;
  readonly text: string;
  /** what the evidence asked for lets through, info left out */
  readonly reports: readonly Report[];
  /** single-use chains, when they are asked for */
  readonly infos: readonly Report[];
  readonly suppressed: LintResult["suppressed"];
  readonly notes: readonly FileNote[];
  /** how many reports were mended by `--fix` */
  readonly fixed: number;
}

export function resultOf(
  path: string,
  text: string,
  result: Omit<LintResult, "notes"> & { readonly notes: readonly FileNote[] },
  evidence: EvidenceWanted,
  fixed = 0,
): FileResult {
  const wanted = ({ evidence: by, severity }: Report): boolean =>
    severity !== "info" && (evidence === "proven" ? by.startsWith("proven") : by !== "single-use");
  return {
    path,
    text,
    reports: result.reports.filter(wanted),
    infos: evidence === "all" ? result.reports.filter(({ severity }) => severity === "info") : [],
    suppressed: result.suppressed.filter(wanted),
    notes: result.notes,
    fixed,
  };
}

/** True of a file that could not be parsed, so that nothing is known of it. */
export const isUnread = ({ kind }: FileNote): boolean => kind === "syntax";

/** What the exit code tells of: something was not done that was asked for. */
export const isTrouble = ({ kind }: FileNote): boolean => kind === "syntax" || kind === "unwritten";

/** A note about a whole file. */
export const noteOf = (kind: FileNote["kind"], message: string): FileNote => ({
  kind,
  message,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
});

/** "error" or "warning": the severity of the rule, whatever a single report rests on. */
export function severityOf({ rule }: Report, { options }: Pick<LintCall, "options">): "error" | "warning" {
  const asked = options.severities?.[rule];
  const severity =
    asked === undefined || asked === "off" ? ruleNamed(rule)?.severity["proven-siblings"] : asked;
  return severity === "error" ? "error" : "warning";
}

/** Several edits as one replacement of the stretch that they span. */
export function oneEdit(
  edits: readonly Edit[],
  text: string,
): { readonly range: [number, number]; readonly text: string } {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  const start = sorted[0].start;
  let out = "";
  let at = start;
  for (const edit of sorted) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return { range: [start, at], text: out };
}

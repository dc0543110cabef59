/** What was found, file by file, under the one severity a rule has on the command line. */
import type { LintResult } from "../engine/lint/lint.js";
import type { Edit, Report } from "../engine/lint/report.js";
import { ruleNamed } from "../engine/lint/rules/index.js";
import type { EvidenceWanted, LintCall } from "./lint.js";

export interface FileResult {
  /** absolute */
  readonly path: string;
  readonly text: string;
  /** what the evidence asked for lets through, info left out */
  readonly reports: readonly Report[];
  /** single-use chains, when they are asked for */
  readonly infos: readonly Report[];
  readonly suppressed: LintResult["suppressed"];
  readonly notes: LintResult["notes"];
  /** how many reports were mended by `--fix` */
  readonly fixed: number;
}

export function resultOf(
  path: string,
  text: string,
  result: LintResult,
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
export const isUnread = ({ kind }: LintResult["notes"][number]): boolean => kind === "syntax";

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

/**
 * Comments that silence reports:
 *   // backsweep-disable-next-line rule, rule -- reason
 *   // backsweep-disable-line
 *   /* backsweep-disable rule *\/ ... /* backsweep-enable *\/
 * Without a rule they are about all of them. One that silences nothing is told of.
 */
import type { Comment } from "./parse.js";
import type { Report } from "./report.js";

export interface UnusedSuppression {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** A report that a comment silences, with what the comment gives as the reason ("" when it gives none). */
export interface SuppressedReport extends Report {
  readonly reason: string;
}

interface Suppression {
  readonly comment: Comment;
  readonly rules: readonly string[];
  readonly reason: string;
  /** lines from and to which it is about, inclusive */
  readonly from: number;
  to: number;
  used: boolean;
}

const DIRECTIVE = /^\s*backsweep-(disable-next-line|disable-line|disable|enable)(?![\w-])([^]*)$/;

export function suppress(
  reports: readonly Report[],
  comments: readonly Comment[],
  lineAt: (offset: number) => number,
  /** names of all rules, those that are off among them */
  names: readonly string[],
): {
  readonly kept: Report[];
  readonly suppressed: SuppressedReport[];
  readonly unused: UnusedSuppression[];
} {
  const all = read(comments, lineAt);
  const kept: Report[] = [];
  const suppressed: SuppressedReport[] = [];
  for (const report of reports) {
    const hit = all.filter(
      ({ rules, from, to }) =>
        report.line >= from && report.line <= to && (rules.length === 0 || rules.includes(report.rule)),
    );
    for (const suppression of hit) suppression.used = true;
    if (hit.length === 0) kept.push(report);
    else
      suppressed.push({
        ...report,
        reason: hit.map(({ reason }) => reason).find((text) => text !== "") ?? "",
      });
  }
  const unused = all
    .filter(({ used }) => !used)
    .map(({ comment, rules }) => ({
      start: comment.start,
      end: comment.end,
      message: `this comment silences nothing: ${why(rules, names)}`,
    }));
  return { kept, suppressed, unused };
}

function why(rules: readonly string[], names: readonly string[]): string {
  if (rules.length === 0) return "no rule reports here";
  const unknown = rules.filter((rule) => !names.includes(rule));
  if (unknown.length > 0) return `there is no rule ${unknown.join(", and none ")}`;
  return `${rules.join(", ")} ${rules.length === 1 ? "does" : "do"} not report here`;
}

function read(comments: readonly Comment[], lineAt: (offset: number) => number): Suppression[] {
  const out: Suppression[] = [];
  let open: Suppression[] = [];
  for (const comment of comments) {
    const match = DIRECTIVE.exec(comment.value);
    if (match === null) continue;
    const rules = match[2]
      .split(/\s--\s|\s--$/)[0]
      .split(/[\s,]+/)
      .filter((word) => word !== "");
    const line = lineAt(comment.start);
    const reason = /\s--\s+([^]*?)\s*$/.exec(match[2])?.[1] ?? "";
    const add = (from: number, to: number): Suppression => {
      const suppression = { comment, rules, reason, from, to, used: false };
      out.push(suppression);
      return suppression;
    };
    if (match[1] === "disable-line") add(line, line);
    else if (match[1] === "disable-next-line") add(lineAt(comment.end) + 1, lineAt(comment.end) + 1);
    else if (match[1] === "disable") open.push(add(line, Number.MAX_SAFE_INTEGER));
    else {
      for (const suppression of open)
        if (rules.length === 0 || suppression.rules.some((rule) => rules.includes(rule)))
          suppression.to = line;
      open = open.filter(({ to }) => to === Number.MAX_SAFE_INTEGER);
    }
  }
  return out;
}

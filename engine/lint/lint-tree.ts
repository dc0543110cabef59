/** Rules over a tree that is parsed already, by whatever parser: what the text's lint and the ESLint plugin share. */
import { FileFacts, TooDeep, TooEntangled } from "./facts.js";
import { looksMinified, makesColourRamps } from "./gate.js";
import { Names, type LintOptions } from "./options.js";
import type { Comment } from "./parse.js";
import type { Finding, Place, Report, Rule } from "./report.js";
import { rules as allRules } from "./rules/index.js";
import { suppress, type SuppressedReport } from "./suppressions.js";
import { forgetTree, type Node } from "./tree.js";

export interface Note extends Place {
  readonly message: string;
  /** syntax: could not be read; skipped: too large or too deep; unused: a comment that silences nothing */
  readonly kind: "syntax" | "skipped" | "unused-suppression";
}

export interface LintResult {
  readonly reports: readonly Report[];
  readonly suppressed: readonly SuppressedReport[];
  readonly notes: readonly Note[];
}

/** Larger texts are skipped with a note. */
export const SIZE_LIMIT = 2 * 1024 * 1024;

export const nothing: LintResult = { reports: [], suppressed: [], notes: [] };

/** Lints a tree that is parsed already (ESLint's, or the one above). */
export function lintTree(
  root: Node,
  text: string,
  comments: readonly Comment[],
  options: LintOptions = {},
  rules: readonly Rule[] = allRules,
): LintResult {
  try {
    const facts = factsOf(root, text, options);
    return facts === null
      ? skipped("nested deeper than 1,000: not linted")
      : lintFacts(facts, comments, options, rules);
  } finally {
    forgetTree();
  }
}

/** The facts of a tree under the names of these options, for any number of rules; null: nested too deeply. */
export function factsOf(root: Node, text: string, options: LintOptions): FileFacts | null {
  try {
    return new FileFacts(root, text, new Names(options, looksMinified(text), makesColourRamps(text)));
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

/** Asks the rules, and fills in what they leave to the options and the comments. */
export function lintFacts(
  facts: FileFacts,
  comments: readonly Comment[],
  options: LintOptions,
  rules: readonly Rule[],
): LintResult {
  const { text } = facts;
  const lines = new LineTable(text);
  const reports: Report[] = [];
  try {
    for (const rule of rules) {
      if (options.severities?.[rule.name] === "off") continue;
      for (const finding of rule.check(facts))
        reports.push(complete(rule, trimmed(finding, text), options, lines));
    }
  } catch (error) {
    if (error instanceof TooEntangled) return skipped("too entangled to be followed: not linted");
    throw error;
  }
  reports.sort((a, b) => a.start - b.start || a.end - b.end || (a.rule < b.rule ? -1 : 1));
  const { kept, suppressed, unused } = suppress(
    reports,
    comments,
    (offset) => lines.place(offset, offset).line,
    allRules.map(({ name }) => name),
  );
  const notes = unused.map(({ start, end, message }): Note => ({
    kind: "unused-suppression",
    message,
    ...lines.place(start, end),
  }));
  return { reports: kept, suppressed, notes };
}

/** What is marked ends with a sign that can be seen: a loop's head goes as far as its body. */
function trimmed(finding: Finding, text: string): Finding {
  const end = finding.start + text.slice(finding.start, finding.end).trimEnd().length;
  return end === finding.end ? finding : { ...finding, end };
}

function complete(rule: Rule, finding: Finding, options: LintOptions, lines: LineTable): Report {
  const { start, end, message, evidence } = finding;
  const asked = options.severities?.[rule.name];
  const given = rule.severity[evidence];
  const severity = asked === undefined || asked === "off" || given === "info" ? given : asked;
  const suggestions = finding.suggestions ?? [];
  return {
    rule: rule.name,
    severity,
    evidence,
    message,
    start,
    end,
    ...lines.place(start, end),
    related: (finding.related ?? []).map((related) => ({
      message: related.message,
      ...lines.place(related.start, related.end),
    })),
    suggestions,
    fix: evidence === "proven-siblings" && suggestions.length > 0 ? suggestions[0].edits : null,
  };
}

export function skipped(message: string): LintResult {
  return { ...nothing, notes: [{ kind: "skipped", message, line: 1, column: 1, endLine: 1, endColumn: 1 }] };
}

class LineTable {
  readonly #starts = [0];

  constructor(text: string) {
    const end = /\r\n|[\n\r\u2028\u2029]/g;
    while (end.exec(text) !== null) this.#starts.push(end.lastIndex);
  }

  place(start: number, end: number): Place {
    const [line, column] = this.#at(start);
    const [endLine, endColumn] = this.#at(end);
    return { line, column, endLine, endColumn };
  }

  #at(offset: number): [number, number] {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - this.#starts[low] + 1];
  }
}

/**
 * The static lint: suspects hand-written reverse-mode code of losing part of a gradient.
 *
 * How it is put together
 *   gate.ts        a look at the text: can there be reverse-mode code at all?
 *   parse.ts       text -> ESTree (Babel, levelled by estree.ts); under ESLint the tree comes from whatever parser is configured
 *   tree.ts        the tree as rules see it: child(node, "left"), bare(node), propertyName(member), ...
 *   lint-tree.ts   a tree -> reports: asks the rules, fills in severities and places, minds the comments
 *   facts.ts       FileFacts: one walk, all functions, assignments, calls, loops; scopes.ts: what a name is bound to
 *   values.ts      key(node): equal texts for equal places; reads(node): the slots a value is made of, through locals
 *   writes.ts      writesOf(facts): every store into a field, element, map entry, record, buffer
 *   adds.ts        does a stored value add to the old one?
 *   reverse.ts     operationOf(fn): the operation a backward closure belongs to; loopsAround(node): loops, reversed or not
 *   overwriting/   what one write means (judgedWrites) and the siblings that speak for or against it
 *
 * How to add a rule
 *   1. rules/NAME.ts exports a `Rule`: name, summary, severity by evidence (`everySeverity("error")`), and
 *      `*check(facts)`, which yields findings (offsets, message, evidence, related, suggestions). Read `facts` and the
 *      modules above; keep what several rules need with `facts.once("what it is", compute)`. No work in a file without
 *      reverse-mode code: start with `if (!showsReverseMode(facts)) return;` (overwriting/shows.ts).
 *   2. a row in rules/index.ts, a page in docs/rules/NAME.md, cases in test/unit/lint.
 *   Rules never see Babel or ESLint; both run the same `check`. Severity, suppression and places are filled in here.
 */
import { mayHoldReverseMode } from "./gate.js";
import { lintTree, nothing, SIZE_LIMIT, skipped, type LintResult } from "./lint-tree.js";
import type { LintOptions } from "./options.js";
import { ParseFailure, parseForLint, type Comment } from "./parse.js";
import type { Rule } from "./report.js";
import { rules as allRules } from "./rules/index.js";
import type { Node } from "./tree.js";

export { lintTree, SIZE_LIMIT, type LintResult, type Note } from "./lint-tree.js";

/** Lints a text; `file` gives the language by its ending. Never throws on what stands in the text. */
export function lintText(
  text: string,
  file: string,
  options: LintOptions = {},
  rules: readonly Rule[] = allRules,
): LintResult {
  if (text.length > SIZE_LIMIT) return skipped("larger than 2 MB: not linted");
  if (!mayHoldReverseMode(text, options.gradientNames) && !text.includes("backsweep-")) return nothing;
  let root: Node;
  let comments: readonly Comment[];
  try {
    ({ root, comments } = parseForLint(text, file));
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    if (error.deep) return skipped("nested deeper than 1,000: not linted");
    const { line, column, message } = error;
    return {
      ...nothing,
      notes: [{ kind: "syntax", message, line, column, endLine: line, endColumn: column + 1 }],
    };
  }
  return lintTree(root, text, comments, options, rules);
}

/** The text with edits applied; of edits that overlap the first one wins. */
export function applyEdits(
  text: string,
  edits: Iterable<{ readonly start: number; readonly end: number; readonly text: string }>,
): string {
  let out = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) continue;
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

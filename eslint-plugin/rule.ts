/** One rule of the lint as a rule of ESLint. The tree is the one ESLint has parsed; its facts are shared by all rules. */
import type { FileFacts } from "../engine/lint/facts.js";
import { mayHoldReverseMode } from "../engine/lint/gate.js";
import { factsOf, lintFacts, SIZE_LIMIT } from "../engine/lint/lint-tree.js";
import type { LintOptions } from "../engine/lint/options.js";
import type { Edit, Report, Rule } from "../engine/lint/report.js";
import { isWanted, schema, settle } from "./options.js";
import {
  sourceOf,
  treeOf,
  type Context,
  type Fix,
  type Fixer,
  type RuleModule,
  type SourceCode,
} from "./types.js";

/** Facts by tree and by the options they depend on; null: no reverse-mode code, or not to be read. */
const known = new WeakMap<object, Map<string, FileFacts | null>>();

function factsFor(sourceCode: SourceCode, options: LintOptions): FileFacts | null {
  let byOptions = known.get(sourceCode.ast);
  if (byOptions === undefined) known.set(sourceCode.ast, (byOptions = new Map()));
  const key = JSON.stringify(options);
  let facts = byOptions.get(key);
  if (facts === undefined) {
    const { text } = sourceCode;
    const worth = text.length <= SIZE_LIMIT && mayHoldReverseMode(text, options.gradientNames);
    facts = worth ? factsOf(treeOf(sourceCode), text, options) : null;
    byOptions.set(key, facts);
  }
  return facts;
}

export function eslintRule(rule: Rule): RuleModule {
  return {
    meta: {
      type: "problem",
      docs: { description: rule.summary, recommended: true },
      fixable: "code",
      hasSuggestions: true,
      schema,
    },
    create(context) {
      const { evidence, lint } = settle(context);
      return {
        Program() {
          const sourceCode = sourceOf(context);
          const facts = factsFor(sourceCode, lint);
          if (facts === null) return;
          const comments = sourceCode.getAllComments().map(({ value, range }) => ({
            value,
            start: range?.[0] ?? 0,
            end: range?.[1] ?? 0,
          }));
          for (const report of lintFacts(facts, comments, lint, [rule]).reports)
            if (isWanted(report, evidence)) tell(context, report);
        },
      };
    },
  };
}

function tell(context: Context, { start, end, message, suggestions, fix }: Report): void {
  const sourceCode = sourceOf(context);
  context.report({
    loc: { start: sourceCode.getLocFromIndex(start), end: sourceCode.getLocFromIndex(end) },
    message,
    fix: fix === null ? null : apply(fix),
    suggest: suggestions.map(({ title, edits }) => ({ desc: title, fix: apply(edits) })),
  });
}

const apply =
  (edits: readonly Edit[]) =>
  (fixer: Fixer): Fix[] =>
    edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text));

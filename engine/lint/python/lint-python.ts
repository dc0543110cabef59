/**
 * The lint over Python: the rules of `../rules` that ask for nothing but structure, over a tree that says in JavaScript's
 * words what the Python code does. Parsing needs a grammar, which whoever runs the lint has loaded (`grammar.ts`).
 */
import { TooDeep } from "../facts.js";
import { lintTree, nothing, SIZE_LIMIT, skipped, type LintResult } from "../lint-tree.js";
import type { LintOptions } from "../options.js";
import type { Parsed } from "../parse.js";
import type { Rule } from "../report.js";
import { rules as allRules } from "../rules/index.js";
import { mayHoldPythonReverseMode } from "./gate.js";
import { parsePython } from "./parse.js";
import type { PythonParser } from "./syntax.js";

export { mayHoldPythonReverseMode } from "./gate.js";

/** Rules that know Python. */
const NAMES: ReadonlySet<string> = new Set([
  "overwriting-accumulation",
  "not-reverse-topological",
  "same-operand",
  "overwritten-backward",
]);

export const pythonRules: readonly Rule[] = allRules.filter(({ name }) => NAMES.has(name));

export const isPython = (file: string): boolean => /\.pyw?$/i.test(file);

/** Lints the text of a Python file. Never throws on what stands in the text. */
export function lintPython(
  text: string,
  parser: PythonParser,
  options: LintOptions = {},
  rules: readonly Rule[] = pythonRules,
): LintResult {
  if (text.length > SIZE_LIMIT) return skipped("larger than 2 MB: not linted");
  if (!mayHoldPythonReverseMode(text, options.gradientNames) && !text.includes("backsweep-")) return nothing;
  let parsed: Parsed;
  try {
    parsed = parsePython(text, parser);
  } catch (error) {
    // so deep that the lowering, or the grammar's runtime, ran out of stack
    if (error instanceof TooDeep || error instanceof RangeError)
      return skipped("nested deeper than 1,000: not linted");
    throw error;
  }
  return lintTree(parsed.root, text, parsed.comments, options, rules);
}

/** Lints files and prints; the exit code is 1 when a rule of severity error reports, 2 when a file could not be parsed. */
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { isUtf8 } from "node:buffer";
import { applyEdits, lintText, SIZE_LIMIT, type LintResult } from "../engine/lint/lint.js";
import type { LintOptions } from "../engine/lint/options.js";
import { ParseFailure, parseForLint } from "../engine/lint/parse.js";
import { isPython, lintPython } from "../engine/lint/python/lint-python.js";
import type { PythonParser } from "../engine/lint/python/syntax.js";
import { filesToLint, isLinted } from "./lint-files.js";
import type { LintCall } from "./lint.js";
import { eslintJson, stylish } from "./lint-print.js";
import { isUnread, resultOf, severityOf, type FileResult } from "./lint-results.js";
import { sarif } from "./lint-sarif.js";
import { writeAll } from "./output.js";
import { withProgress } from "./progress.js";
import { styleFor } from "./style.js";
import { UsageError } from "./usage-error.js";

/** A fix can uncover another; more rounds than this are none. */
const ROUNDS = 10;

export async function lintCommand(call: LintCall): Promise<number> {
  const cwd = process.cwd();
  const { files, named } = filesToLint(call.paths, cwd);
  if (files.length === 0)
    throw new UsageError(`lint: no JavaScript, TypeScript or Python file in ${call.paths.join(", ")}`);
  const results: FileResult[] = [];
  const parser = files.some(isPython) ? await python() : null;
  await withProgress("lint", (progress) => {
    for (const [i, path] of files.entries()) {
      progress.say(`${i} of ${files.length} files`);
      results.push(lintFile(path, call, cwd, parser, named.has(path)));
    }
  });
  const out = process.stdout;
  switch (call.format) {
    case "json":
      await writeAll(out, [eslintJson(results, call)]);
      break;
    case "sarif":
      await writeAll(out, [sarif(results, cwd)]);
      break;
    default:
      await writeAll(out, stylish(results, call, styleFor(out, process.env), cwd));
  }
  if (results.some(({ reports }) => reports.some((report) => severityOf(report, call) === "error"))) return 1;
  return results.some(({ notes }) => notes.some(isUnread)) ? 2 : 0;
}

/** The grammar comes with the first Python file. */
async function python(): Promise<PythonParser> {
  const { pythonParser } = await import("../runner/python.js");
  return pythonParser();
}

const lintOf = (text: string, path: string, options: LintOptions, parser: PythonParser | null): LintResult =>
  parser !== null && isPython(path) ? lintPython(text, parser, options) : lintText(text, path, options);

/** @param named it was asked for by its own name: that nothing can be read of it is told whatever stands in it */
function lintFile(
  path: string,
  call: LintCall,
  cwd: string,
  parser: PythonParser | null,
  named: boolean,
): FileResult {
  if (named && !isLinted(path))
    return resultOf(path, "", unread("no JavaScript, TypeScript or Python file"), call.evidence);
  const bytes = read(path, cwd);
  let text = bytes.toString("utf8");
  if (named && text.includes("\uFFFD") && !isUtf8(bytes))
    return resultOf(path, text, unread("not UTF-8 text"), call.evidence);
  let fixed = 0;
  for (let round = 0; ; round++) {
    const quick = lintOf(text, path, call.options, parser);
    // a text without a sign of reverse-mode code is not parsed
    const broken = named && quick.notes.length === 0 && quick.reports.length === 0 && !isPython(path);
    const result = broken ? { ...quick, notes: syntaxNotes(text, path) } : quick;
    const fixes = call.fix && round < ROUNDS ? result.reports.map(({ fix }) => fix ?? []) : [];
    const edits = fixes.flat();
    if (edits.length === 0) return resultOf(path, text, result, call.evidence, fixed);
    fixed += fixes.filter(({ length }) => length > 0).length;
    text = applyEdits(text, edits);
    try {
      writeFileSync(path, text);
    } catch (error) {
      throw new UsageError(`lint: ${relative(cwd, path)} could not be written: ${reason(error)}`);
    }
  }
}

/** Why a text cannot be parsed; empty where it can, or is skipped for its size. */
function syntaxNotes(text: string, path: string): LintResult["notes"] {
  if (text.length > SIZE_LIMIT) return [];
  try {
    parseForLint(text, path);
    return [];
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    const { line, column, message, deep } = error;
    return deep ? [] : [{ kind: "syntax", message, line, column, endLine: line, endColumn: column + 1 }];
  }
}

function unread(message: string): LintResult {
  const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { reports: [], suppressed: [], notes: [{ kind: "syntax", message, ...at }] };
}

function read(path: string, cwd: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`lint: ${relative(cwd, path)} could not be read: ${reason(error)}`);
  }
}

const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Lints files and prints; the exit code is 1 when a rule of severity error reports, 2 when a file could not be parsed. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { applyEdits, lintText, SIZE_LIMIT, type LintResult } from "../engine/lint/lint.js";
import { skipped } from "../engine/lint/lint-tree.js";
import type { LintOptions } from "../engine/lint/options.js";
import { ParseFailure, parseForLint } from "../engine/lint/parse.js";
import { isPython, lintPython, mayHoldPythonReverseMode } from "../engine/lint/python/lint-python.js";
import { brokenPython } from "../engine/lint/python/broken.js";
import type { PythonParser } from "../engine/lint/python/syntax.js";
import { filesToLint, isLinted, reasonOf } from "./lint-files.js";
import type { LintCall } from "./lint.js";
import { eslintJson, stylish } from "./lint-print.js";
import { isTrouble, noteOf, resultOf, severityOf, type FileNote, type FileResult } from "./lint-results.js";
import { sarif } from "./lint-sarif.js";
import { writeAll } from "./output.js";
import { withProgress } from "./progress.js";
import { count, styleFor } from "./style.js";
import { UsageError } from "./usage-error.js";

/** A fix can uncover another; more rounds than this are none. */
const ROUNDS = 10;

export async function lintCommand(call: LintCall): Promise<number> {
  const cwd = process.cwd();
  const { files, named, closed, ignored } = filesToLint(call.paths, cwd);
  if (files.length === 0 && closed.size === 0)
    throw new UsageError(
      `lint: no JavaScript, TypeScript or Python file in ${call.paths.join(", ")}${ignored === 0 ? "" : `: ${count(ignored, "file or folder", "files and folders")} left out, as .gitignore or .backsweepignore say`}`,
    );
  const results: FileResult[] = Array.from(closed, ([folder, why]) =>
    resultOf(folder, "", unread(`the folder could not be read (${why})`), call.evidence),
  );
  const parser = files.some(isPython) ? await python() : null;
  await withProgress("lint", (progress) => {
    for (const [i, path] of files.entries()) {
      progress.say(`${i} of ${files.length} files`);
      results.push(lintFile(path, call, parser, named.has(path)));
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
  return results.some(({ notes }) => notes.some(isTrouble)) ? 2 : 0;
}

/** The grammar comes with the first Python file. */
async function python(): Promise<PythonParser> {
  const { pythonParser } = await import("../runner/python.js");
  return pythonParser();
}

const lintOf = (text: string, path: string, options: LintOptions, parser: PythonParser | null): LintResult =>
  parser !== null && isPython(path) ? lintPython(text, parser, options) : lintText(text, path, options);

/** @param named it was asked for by its own name: that nothing can be read of it is told whatever stands in it */
function lintFile(path: string, call: LintCall, parser: PythonParser | null, named: boolean): FileResult {
  if (named && !isLinted(path))
    return resultOf(path, "", unread("no JavaScript, TypeScript or Python file"), call.evidence);
  let bytes: Buffer;
  try {
    // a code unit of a text takes three bytes at most
    if (statSync(path).size > 3 * SIZE_LIMIT)
      return resultOf(path, "", skipped("larger than 2 MB: not linted"), call.evidence);
    bytes = readFileSync(path);
  } catch (error) {
    return resultOf(path, "", unread(`the file could not be read (${reasonOf(error)})`), call.evidence);
  }
  const text = bytes.toString("utf8");
  if (named && text.includes("\uFFFD") && !isUtf8(bytes))
    return resultOf(path, text, unread("not UTF-8 text"), call.evidence);
  const lint = (now: string): LintResult => lintOf(now, path, call.options, parser);
  const result = lint(text);
  const told = { ...result, notes: [...result.notes, ...brokenPlaces(text, path, parser, result, named)] };
  if (!call.fix) return resultOf(path, text, told, call.evidence);
  const mended = mend(text, result, lint);
  if (mended.fixed === 0) return resultOf(path, text, told, call.evidence);
  try {
    writeFileSync(path, mended.text);
  } catch (error) {
    const lost = `the file could not be written (${reasonOf(error)}): ${count(mended.fixed, "fix", "fixes")} not applied`;
    return resultOf(
      path,
      text,
      { ...told, notes: [...told.notes, noteOf("unwritten", lost)] },
      call.evidence,
    );
  }
  return resultOf(path, mended.text, mended.result, call.evidence, mended.fixed);
}

/** The text with its proven fixes, and what is left to say of it. */
function mend(
  text: string,
  first: LintResult,
  lint: (text: string) => LintResult,
): { readonly text: string; readonly result: LintResult; readonly fixed: number } {
  let result = first;
  let fixed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const fixes = result.reports.map(({ fix }) => fix ?? []).filter(({ length }) => length > 0);
    if (fixes.length === 0) break;
    fixed += fixes.length;
    text = applyEdits(text, fixes.flat());
    result = lint(text);
  }
  return { text, result, fixed };
}

/**
 * Where a text cannot be parsed. JavaScript without a sign of reverse-mode code is not parsed at all, so that one that was
 * named is looked at here. Of Python the rest of a broken text is read all the same; where nothing was found that is not known.
 */
function brokenPlaces(
  text: string,
  path: string,
  parser: PythonParser | null,
  { reports, notes }: LintResult,
  named: boolean,
): readonly FileNote[] {
  if (text.length > SIZE_LIMIT || notes.length > 0) return [];
  if (parser !== null && isPython(path)) {
    const place = named || mayHoldPythonReverseMode(text) ? brokenPython(text, parser) : null;
    if (place === null) return [];
    return reports.length === 0 && named
      ? [{ kind: "syntax", ...place }]
      : [{ kind: "skipped", ...place, message: `${place.message}: only what stands around it was read` }];
  }
  return named && reports.length === 0 ? syntaxNotes(text, path) : [];
}

/** Why a text cannot be parsed; empty where it can, or is nested too deeply. */
function syntaxNotes(text: string, path: string): readonly FileNote[] {
  try {
    parseForLint(text, path);
    return [];
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    const { line, column, message, deep } = error;
    return deep ? [] : [{ kind: "syntax", message, line, column, endLine: line, endColumn: column + 1 }];
  }
}

const unread = (message: string): LintResult & { readonly notes: readonly FileNote[] } => ({
  reports: [],
  suppressed: [],
  notes: [{ ...noteOf("syntax", message), kind: "syntax" }],
});

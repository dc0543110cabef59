/** Entry of dist/lint-worker.js: lints texts away from the extension host's thread, one after the other. */
import { parentPort } from "node:worker_threads";
import { applyEdits, lintText, type LintResult } from "../../engine/lint/lint.js";
import type { LintOptions } from "../../engine/lint/options.js";
import { isPython, lintPython } from "../../engine/lint/python/lint-python.js";
import { pythonParser } from "../../runner/python.js";
import type { LintAnswer, LintRequest } from "./messages.js";

/** A fix can uncover another; more rounds than this are none. */
const ROUNDS = 10;

/** The lint of the file's language; the grammar of Python comes with its first file. */
async function linterOf(file: string): Promise<(text: string, options: LintOptions) => LintResult> {
  if (!isPython(file)) return (text, options) => lintText(text, file, options);
  const parser = await pythonParser();
  return (text, options) => lintPython(text, parser, options);
}

async function answer({ id, kind, text, file, options }: LintRequest): Promise<LintAnswer> {
  try {
    const lint = await linterOf(file);
    const began = performance.now();
    if (kind === "lint") {
      const result = lint(text, options);
      return { id, kind, result, elapsedMs: performance.now() - began };
    }
    let fixed = text;
    for (let round = 0; round < ROUNDS; round++) {
      const edits = lint(fixed, options).reports.flatMap(({ fix }) => fix ?? []);
      if (edits.length === 0) break;
      fixed = applyEdits(fixed, edits);
    }
    return { id, kind, text: fixed };
  } catch (error) {
    return {
      id,
      kind: "error",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

parentPort?.on("message", (request: LintRequest) => {
  void answer(request).then((done) => parentPort!.postMessage(done));
});

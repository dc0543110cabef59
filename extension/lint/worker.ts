/** Entry of dist/lint-worker.js: lints texts away from the extension host's thread, one after the other. */
import { parentPort } from "node:worker_threads";
import { applyEdits, lintText } from "../../engine/lint/lint.js";
import type { LintAnswer, LintRequest } from "./messages.js";

/** A fix can uncover another; more rounds than this are none. */
const ROUNDS = 10;

function answer({ id, kind, text, file, options }: LintRequest): LintAnswer {
  try {
    const began = performance.now();
    if (kind === "lint") {
      const result = lintText(text, file, options);
      return { id, kind, result, elapsedMs: performance.now() - began };
    }
    let fixed = text;
    for (let round = 0; round < ROUNDS; round++) {
      const edits = lintText(fixed, file, options).reports.flatMap(({ fix }) => fix ?? []);
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

parentPort?.on("message", (request: LintRequest) => parentPort!.postMessage(answer(request)));

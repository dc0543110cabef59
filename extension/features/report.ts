/** A verdict in the Test Explorer: the test's output, what was expected where, and how it went. */
import * as vscode from "vscode";
import type { TestVerdict } from "./verdicts.js";

/** `elapsed`: milliseconds. */
export function report(
  run: vscode.TestRun,
  test: vscode.TestItem,
  verdict: TestVerdict,
  elapsed: number,
): void {
  for (const line of verdict.output)
    run.appendOutput(`${line.replace(/\r?\n/g, "\r\n")}\r\n`, undefined, test);
  const messages = verdict.findings.map(({ text, expected, actual, place }) => {
    const message = new vscode.TestMessage(text);
    if (expected !== undefined && actual !== undefined) {
      message.expectedOutput = expected;
      message.actualOutput = actual;
    }
    const uri = place === null ? test.uri : vscode.Uri.file(place.file);
    const range =
      place === null
        ? test.range
        : new vscode.Range(
            place.line - 1,
            Math.max(0, place.column - 1),
            Math.max(place.line, place.endLine) - 1,
            Math.max(0, place.endColumn - 1),
          );
    if (uri && range) message.location = new vscode.Location(uri, range);
    return message;
  });
  if (verdict.outcome === "passed") run.passed(test, elapsed);
  else if (verdict.outcome === "skipped") run.skipped(test);
  else if (verdict.outcome === "failed") run.failed(test, messages, elapsed);
  else run.errored(test, messages, elapsed);
}

/** A derivative check as a test's verdict: passed or not, and what was expected where. Pure: no editor here. */
import type { CheckNote, CheckResult, DifferenceCheck } from "../../engine/check/result.js";
import type { AnalysedGraph, Failure } from "../../runner/messages.js";

export interface TestPlace {
  /** absolute path */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface TestFinding {
  readonly text: string;
  /** both or neither: two texts to be compared */
  readonly expected?: string;
  readonly actual?: string;
  readonly place: TestPlace | null;
}

/** How a test went; "errored": it could not be run. */
export interface TestVerdict {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped" | "errored";
  readonly findings: readonly TestFinding[];
  /** lines for the test's output */
  readonly output: readonly string[];
}

export function verdictOf(analysed: AnalysedGraph<"check">): TestVerdict {
  const { graph, failure } = analysed;
  if (failure !== null) return errored(graph, failure);
  const { result } = analysed;
  const notes = result.notes.map(({ message }) => message);
  if (result.verdict === "failed")
    return { name: graph, outcome: "failed", findings: findings(result), output: notes };
  const proved = result.verdict === "ok";
  const sentence = proved
    ? `derivatives agree with difference quotients (${result.evaluations} evaluations)`
    : "the check found nothing wrong and could not have: nothing is proved";
  return {
    name: graph,
    outcome: proved ? "passed" : "skipped",
    findings: [],
    output: [`${graph}: ${sentence}`, ...notes],
  };
}

/** A test that could not be run: the user's own failure, with its place. */
export function errored(name: string, failure: Failure): TestVerdict {
  const { file, line, column, endLine, endColumn, message } = failure;
  const place = file === null || line < 1 ? null : { file, line, column, endLine, endColumn };
  return { name, outcome: "errored", findings: [{ text: message, place }], output: [message] };
}

/** What was found first, in one line and with its place: "a rule is wrong (engine.ts:12)"; null: nothing was. */
export function sentenceOf({ findings: [finding] }: TestVerdict): string | null {
  if (finding === undefined) return null;
  const { text, place } = finding;
  const line = text.split("\n")[0].replace(/\.$/, "");
  if (place === null) return line;
  const where = `${place.file.split(/[\\/]/).at(-1)}:${place.line}`;
  return line.includes(where) ? line : `${line} (${where})`;
}

function findings(result: CheckResult): TestFinding[] {
  const out: TestFinding[] = [];
  const wrong = result.differences.filter(({ verdict }) => verdict === "failed");
  if (wrong.length > 0) {
    out.push({
      text: wrong.map(sentence).join("\n"),
      expected: wrong.map((row) => `${row.along}: ${row.central?.value ?? "unknown"}`).join("\n"),
      actual: wrong.map((row) => `${row.along}: ${row.derivative}`).join("\n"),
      place: null,
    });
  }
  for (const { jvp, vjp } of result.dotProducts.filter(({ ok }) => !ok).slice(0, 1)) {
    out.push({
      text: `The forward and the reverse sweep disagree: u . (J v) is ${jvp}, (u^T J) . v is ${vjp}.`,
      expected: String(jvp),
      actual: String(vjp),
      place: null,
    });
  }
  for (const rule of result.customRules.filter(({ verdict }) => verdict === "failed")) {
    out.push({
      text: `The rule of ${rule.name} is wrong in operand ${rule.slot + 1}: it gives ${rule.vjp}, the difference quotient is ${rule.quotient?.value ?? "unknown"}.`,
      expected: String(rule.quotient?.value ?? "unknown"),
      actual: String(rule.vjp),
      place: rule.place,
    });
  }
  for (const note of result.notes.filter(({ severity }) => severity === "finding"))
    out.push({ text: note.message, place: placeOf(note) });
  // a failed check says at least that
  return out.length > 0 ? out : [{ text: "The derivative check failed.", place: null }];
}

function placeOf({ place }: CheckNote): TestPlace | null {
  return place && place.line > 0 ? place : null;
}

function sentence({ along, derivative, central, off }: DifferenceCheck): string {
  return `The derivative ${along.startsWith("direction") ? "along" : "by"} ${along} is ${derivative}, its difference quotient ${central?.value ?? "unknown"} (off by ${off ?? "unknown"}).`;
}

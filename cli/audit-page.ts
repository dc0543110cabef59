/** An audit for a person: the verdict, the line at fault, and the smallest graph with right and wrong side by side. */
import { readFileSync } from "node:fs";
import type { AuditPlace, AuditResult, AuditValue, SmallestGraph } from "../engine/audit/result.js";
import { excerpt } from "./excerpt.js";
import { shownPath } from "./paths.js";
import { alignColumns, count, show, type Style } from "./style.js";

function text(value: AuditValue | null): string {
  if (value === null) return "?";
  return typeof value === "number" ? show(value) : `[${value.map(text).join(", ")}]`;
}

function differs(a: AuditValue | null, b: AuditValue | null): boolean {
  return a !== null && b !== null && text(a) !== text(b);
}

function* placeLines(place: AuditPlace, style: Style): Generator<string> {
  const where = `${shownPath(place.file)}:${place.line}:${place.column}`;
  yield `  ${style.bold(where)}${place.func === null || place.func === "anonymous" ? "" : ` in ${place.func}`}\n`;
  let source: string;
  try {
    source = readFileSync(place.file, "utf8");
  } catch {
    return;
  }
  for (const row of excerpt(source, place, style).split("\n")) if (row !== "") yield `  ${row}\n`;
}

function lostLine({ lost }: SmallestGraph): string | null {
  if (lost === null) return null;
  const by = lost.from === null ? "" : ` from ${lost.from}`;
  const kept =
    lost.stayed === null
      ? ""
      : `; ${show(lost.stayed)} stayed${lost.stayedFrom === null ? "" : ` (from ${lost.stayedFrom})`}`;
  return `lost: ${show(lost.value)} into ${lost.node}${by}${kept}`;
}

/** A cell that is wrong is marked. */
interface Cell {
  readonly text: string;
  readonly wrong: boolean;
}

function* table(smallest: SmallestGraph, style: Style): Generator<string> {
  const cell = (text: string, wrong = false): Cell => ({ text, wrong });
  // the values of the forward pass stand there twice only where the engine has others
  const twice = smallest.nodes.some(({ gotValue }) => gotValue !== null);
  const rows = smallest.nodes.map(({ name, op, operands, value, gotValue, right, got }) => [
    cell(name),
    cell(op === null ? "input" : `${op}(${operands.map((v) => smallest.nodes[v].name).join(", ")})`),
    cell(text(value)),
    ...(twice ? [cell(text(gotValue ?? value), gotValue !== null)] : []),
    cell(text(right)),
    cell(text(got), differs(right, got)),
  ]);
  const engine = smallest.secondSweep ? "second sweep" : twice ? "engine's" : "engine";
  const values = twice ? ["right value", "engine's"] : ["value"];
  const head = ["node", "", ...values, twice ? "right cotangent" : "right", engine];
  const right = head.map((_, column) => column > 1);
  const aligned = alignColumns([head, ...rows.map((cells) => cells.map((one) => one.text))], right);
  for (const [i, cells] of aligned.entries()) {
    const shown = cells.map((padded, column) => {
      const wrong = rows[i - 1]?.[column].wrong === true;
      return wrong ? padded.replace(/\S.*$/, (number) => style.bad(number)) : padded;
    });
    const line = `    ${shown.join("  ").trimEnd()}`;
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
}

/** Lines below the heading of one engine. */
export function* auditPage(result: AuditResult, style: Style): Generator<string> {
  const { verdict, fault, smallest, place } = result;
  const graphs = count(result.cases, "random graph");
  if (verdict === "clean") {
    yield `  ${style.good("clean")}: every gradient is right on ${graphs} (seed ${result.seed})\n`;
  } else if (verdict === "unusable") {
    yield `  ${style.bad("cannot be audited")}: ${result.message}\n`;
    if (place !== null) yield* placeLines(place, style);
  } else if (fault !== null) {
    const nth = smallest === null ? `after ${graphs}` : `on random graph ${result.cases}`;
    yield `  ${style.bad(fault.class)} ${style.dim(`(${nth}, seed ${result.seed})`)}\n`;
    yield `  ${fault.summary}\n`;
    if (fault.detail !== "") yield `  ${fault.detail}\n`;
    else if (fault.operations !== null) yield `  in ${fault.operations.join(", ")}\n`;
    if (fault.class === "unclassified") for (const known of fault.evidence) yield `  - ${known}\n`;
    if (place !== null) {
      yield* placeLines(place, style);
      if (fault.marked !== null) yield `  ${style.dim(fault.marked)}\n`;
    }
    if (smallest !== null) {
      const lost = lostLine(smallest);
      if (lost !== null) yield `  ${style.warn(lost)}\n`;
      yield `  the smallest graph that fails, ${count(smallest.nodes.length, "node")}:\n`;
      yield* table(smallest, style);
      yield "\n";
      for (const row of smallest.definition.trimEnd().split("\n")) yield row === "" ? "\n" : `    ${row}\n`;
    }
  }
  for (const note of result.notes) yield `  ${style.dim(`note: ${note}`)}\n`;
}

/** An audit as a test's verdict: the fault's class, the line, what was lost, and right against wrong. Pure: no editor here. */
import type { AuditPlace, AuditResult, AuditValue, SmallestGraph } from "../../engine/audit/result.js";
import type { AuditedEngine } from "../../runner/audit-messages.js";
import { errored, type TestFinding, type TestPlace, type TestVerdict } from "../features/verdicts.js";

export function auditVerdict(audited: AuditedEngine): TestVerdict {
  const { engine, failure } = audited;
  if (failure !== null) return errored(engine, failure);
  const { result } = audited;
  const { verdict, message, notes, cases, seed } = result;
  if (verdict === "clean") {
    const sentence = `${engine}: every gradient is right on ${cases} random graphs (seed ${seed})`;
    return { name: engine, outcome: "passed", findings: [], output: [sentence, ...notes] };
  }
  if (verdict === "unusable") {
    const finding = { text: `cannot be audited: ${message}`, place: placeOf(result.place) };
    return { name: engine, outcome: "errored", findings: [finding], output: [message, ...notes] };
  }
  return {
    name: engine,
    outcome: "failed",
    findings: [finding(result)],
    output: [`${engine}: ${message}`, ...definition(result), ...notes],
  };
}

/** "1.5", "[1, 2]", "unknown" */
export function valueText(value: AuditValue | null): string {
  if (value === null) return "unknown";
  return typeof value === "number" ? String(value) : `[${value.map(valueText).join(", ")}]`;
}

/** "Lost: 18 into a from b; 24 stayed (from c)." */
export function lostText({ lost }: SmallestGraph): string | null {
  if (lost === null) return null;
  const by = lost.from === null ? "" : ` from ${lost.from}`;
  const from = lost.stayedFrom === null ? "" : ` (from ${lost.stayedFrom})`;
  const stayed = lost.stayed === null ? "" : `; ${lost.stayed} stayed${from}`;
  return `Lost: ${lost.value} into ${lost.node}${by}${stayed}.`;
}

function finding({ fault, message, place, smallest }: AuditResult): TestFinding {
  const words = [fault === null ? message : `${fault.class}: ${fault.summary}`];
  if (fault !== null && fault.detail !== "") words.push(fault.detail);
  else if (fault?.operations) words.push(`In ${fault.operations.join(", ")}.`);
  if (place !== null) {
    const file = place.file.split(/[\\/]/).at(-1);
    words.push(`${file}:${place.line}${place.func === null ? "" : ` in ${place.func}`}`);
  }
  const lost = smallest === null ? null : lostText(smallest);
  if (lost !== null) words.push(lost);
  const where = placeOf(place);
  const text = words.join("\n");
  if (smallest === null) return { text, place: where };
  const wrong = smallest.nodes.filter(({ right, got }) => valueText(right) !== valueText(got));
  const list = (of: "right" | "got"): string =>
    wrong.map((node) => `${node.name}: ${valueText(node[of])}`).join("\n");
  return wrong.length === 0
    ? { text, place: where }
    : { text, expected: list("right"), actual: list("got"), place: where };
}

function definition({ smallest }: AuditResult): string[] {
  return smallest === null
    ? []
    : ["", "the smallest graph that fails:", ...smallest.definition.trimEnd().split("\n")];
}

function placeOf(place: AuditPlace | null): TestPlace | null {
  if (place === null || place.line < 1) return null;
  const { file, line, column, endLine, endColumn } = place;
  return { file, line, column, endLine, endColumn };
}

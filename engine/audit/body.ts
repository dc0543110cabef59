/** Parts of an audit's result: the fault with its sentence, its place, growth that is a finding. */
import type { placeOf } from "../tape/sites.js";
import type { Diagnosis } from "./diagnosis.js";
import { faultSentences, type FaultClass } from "./fault-class.js";
import type { AuditPlace, AuditResult } from "./result.js";
import type { Growth } from "./visits.js";

export type Body = Omit<AuditResult, "engine" | "form" | "seed" | "notes" | "elapsedMs">;

export function exponential({ diamonds, visits, unit, place }: Growth): Partial<Body> {
  const counts = visits.join(", ");
  const found: Diagnosis = {
    fault: "exponential revisits",
    detail: `${counts} ${unit} for chains of ${diamonds.join(", ")} diamonds`,
    operations: null,
    evidence: [`${counts} ${unit} for chains of ${diamonds.join(", ")} diamonds`],
  };
  return {
    verdict: "faulty",
    fault: faultOf(found),
    message: sentence(found),
    place: toPlace(place),
    visits: { diamonds, counts: visits, unit },
  };
}

export function faultOf({ fault, detail, operations, evidence }: Diagnosis): AuditResult["fault"] {
  return {
    class: fault,
    summary: faultSentences[fault],
    detail,
    operations,
    evidence,
    marked: marks[fault] ?? null,
  };
}

/** What the marked line is, in classes in which it need not be the one to change. */
const marks: Partial<Record<FaultClass, string>> = {
  "recursion without order":
    "the line marked pays a contribution that comes too late: the order of visits is at fault",
  "post-order": "the line marked pays a contribution that comes too late: the order of visits is at fault",
  "total pushed on each arrival":
    "the line marked adds what arrives: at fault is what is passed on after it, the whole sum",
  "dropped second branch":
    "the line marked pays what arrives: what is skipped, and the condition that skips it, stand near it",
};

export function sentence({ fault, detail, operations }: Diagnosis): string {
  const where = operations === null || detail !== "" ? "" : ` (in ${operations.join(", ")})`;
  return `${fault}: ${faultSentences[fault]}${detail === "" ? "" : ` (${detail})`}${where}`;
}

export function toPlace(place: ReturnType<typeof placeOf>): AuditPlace | null {
  if (place === null) return null;
  const { file, line, column, endLine, endColumn, func, expression } = place;
  return { file, line, column, endLine, endColumn, func, text: expression };
}

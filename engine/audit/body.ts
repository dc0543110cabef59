/** Parts of an audit's result: the fault with its sentence, its place, growth that is a finding. */
import type { placeOf } from "../tape/sites.js";
import type { Diagnosis } from "./diagnosis.js";
import { faultSentences } from "./fault-class.js";
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
  return { class: fault, summary: faultSentences[fault], detail, operations, evidence };
}

export function sentence({ fault, detail, operations }: Diagnosis): string {
  const where = operations === null || detail !== "" ? "" : ` (in ${operations.join(", ")})`;
  return `${fault}: ${faultSentences[fault]}${detail === "" ? "" : ` (${detail})`}${where}`;
}

export function toPlace(place: ReturnType<typeof placeOf>): AuditPlace | null {
  if (place === null) return null;
  const { file, line, column, endLine, endColumn, func, expression } = place;
  return { file, line, column, endLine, endColumn, func, text: expression };
}

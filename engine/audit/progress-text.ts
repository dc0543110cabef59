/** How far an audit is, in words: the editor's and the command line's. */
import type { AuditProgress } from "./result.js";

/** "37 of 200 graphs" */
export function progressText({ doing, tried }: AuditProgress, cases: number): string {
  if (doing === "trying") return `${tried} of ${cases} graphs`;
  return doing === "shrinking"
    ? `wrong on graph ${tried}: looking for the smallest`
    : `right on all ${tried} graphs: looking at how its work grows`;
}

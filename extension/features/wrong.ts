/** A wrong cotangent is never shown alone: the right one stands beside it, and who lost the difference. */
import { same, type Quantity } from "../../engine/report/quantity.js";
import { short } from "../../engine/report/text/format.js";
import type { Timeline } from "../../engine/timeline/timeline.js";

/** What is looked at, as far as it can be wrong. */
export interface Looked {
  readonly timeline: Timeline;
  /** who added up wrongly, null: nobody */
  readonly wrong: string | null;
  readonly right: Timeline | null;
}

/** "last writer wins: 24, right: 42"; null where nothing is lost, or both have the same. */
export function besideRight(
  { timeline, wrong, right }: Looked,
  of: (timeline: Timeline) => Quantity | undefined | "unswept",
  show: (quantity: Quantity | undefined) => string = short,
): string | null {
  const bar = wrong === null ? "unswept" : of(timeline);
  if (bar === "unswept") return null;
  const truth = right === null ? undefined : of(right);
  if (truth === "unswept" || (right !== null && same(bar, truth))) return null;
  return `${wrong}: ${show(bar)}${right === null ? "" : `, right: ${show(truth)}`}`;
}

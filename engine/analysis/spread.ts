/** `backsweep spread`: the sum at a fan-out over the orders of its contributions. */
import type { Subject } from "../graph/record.js";
import { spreadTable, type SpreadTable } from "../graph/spread.js";

export interface SpreadAnalysis {
  readonly kind: "spread";
  /** name or id of the node */
  readonly node: string;
}

export type SpreadResult = SpreadTable;

/** Throws BacksweepError `option` for an unknown node, and what a run throws. */
export function spread(subject: Subject, { node }: SpreadAnalysis): SpreadResult {
  return spreadTable(subject, node);
}

/**
 * `backsweep compare`: one row of the comparison of schedules. A row is run in a process of its own, so that its memory can
 * be measured; it keeps nothing for views, as the library's `gradient` does.
 */
import type { CheckpointReport, Gradient, Note } from "../report/report.js";
import { scheduledGradient } from "../graph/scheduled-gradient.js";
import type { Subject } from "../graph/record.js";

export interface CompareAnalysis {
  readonly kind: "compare";
}

/** One schedule, as it ran. */
export interface CompareResult {
  readonly schedule: string;
  readonly gradient: Gradient;
  /** null: the graph has no chain, checkpoint or cuts, and everything was kept */
  readonly checkpoint: CheckpointReport | null;
  /** cuts and kinks met while recording */
  readonly notes: readonly Note[];
}

/** Runs the graph once under its schedule. Throws what a run throws. */
export function compare(subject: Subject, _: CompareAnalysis): CompareResult {
  const { gradient, checkpoint, notes } = scheduledGradient(subject);
  return { schedule: subject.settings.schedule, gradient, checkpoint, notes };
}

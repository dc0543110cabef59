/** What a `plan` prints: any of its sections. */
import type { Action } from "../engine/checkpoint/actions.js";
import type { Plan } from "../engine/checkpoint/plan.js";
import type { BlockSweep, DepthSweep } from "../engine/checkpoint/sweep-block.js";

export interface PlanSections {
  readonly plan: Plan | null;
  /** the stream, read once and not held */
  readonly actions: Iterable<Action> | null;
  readonly blocks: BlockSweep | null;
  readonly depths: DepthSweep | null;
}

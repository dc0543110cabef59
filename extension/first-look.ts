/** Where an audited engine's sweep is looked at first: the node of its fault, once the engine had finished with it. */
import { Timeline } from "../engine/timeline/timeline.js";
import type { Trace } from "../engine/trace/trace.js";
import type { ForeignSweep } from "./audit/smallest.js";
import type { Position } from "./remembered.js";

export function firstLook(counterpart: Trace, { node }: ForeignSweep): Position {
  const timeline = new Timeline(counterpart);
  const final = node < 0 ? -1 : timeline.finalStep(node);
  return { step: final < 0 ? timeline.steps : final, mode: "last-writer-wins", selected: node };
}

/** Which of the two sweeps is right, said beside the choice between them. */
import type { Mode, Tab } from "../../engine/protocol.js";
import { sameGradients } from "../model/gradients.js";
import type { SweepModel } from "../model/sweep-model.js";

export interface Verdict {
  /** in a few words; "" where there is nothing to say */
  readonly text: string;
  /** the whole of it, for a tooltip */
  readonly detail: string;
  /** what is on screen is not the derivative */
  readonly wrong: boolean;
}

const NONE: Verdict = { text: "", detail: "", wrong: false };

/** @param tab the picture on screen: the graph has both sweeps, the others are of ours alone where an engine is audited */
export function verdictOf(model: SweepModel, mode: Mode, tab: Tab = "graph"): Verdict {
  const { report, foreign } = model.view;
  if (report === null || !model.has("sum") || !model.has("last-writer-wins")) return NONE;
  if (mode === "sum" || (foreign !== undefined && tab !== "graph")) return NONE;
  if (foreign !== undefined)
    return {
      text: `${foreign}\u2019s numbers; Right has ours`,
      detail: `On screen is what the audited engine ${foreign} computed; Right shows our sweep of the same graph.`,
      wrong: true,
    };
  if (sameGradients(report))
    return {
      text: "here the same gradient as Sum",
      detail: "No contribution that matters to the gradient is lost in this graph.",
      wrong: false,
    };
  return {
    text: "not the derivative; Sum is right",
    detail:
      "Last writer wins loses contributions: its gradient is wrong on purpose. Sum has the derivative; the hints in the editor have both.",
    wrong: true,
  };
}

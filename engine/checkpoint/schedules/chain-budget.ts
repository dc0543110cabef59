/** `chain-budget:bytes` where no graph gives sizes and costs: a state and a tape are one unit each, cotangents are not counted. */
import { BacksweepError } from "../../trace/failure.js";
import type { Schedule } from "../actions.js";
import { chainBudgetSchedule, planChain, type HeteroChain } from "../hetero/index.js";
import { amount } from "../words.js";

/** Longest chain planned without a graph. */
const LONGEST = 2000;

function unitChain(n: number): HeteroChain {
  const all = (value: number): number[] => new Array<number>(n + 1).fill(value);
  return {
    model: "selfcontained",
    n,
    state: all(1),
    tape: all(1),
    cotangent: all(0),
    forward: all(1),
    backward: all(1),
    forwardOverhead: all(0),
    backwardOverhead: all(0),
  };
}

export function unitChainBudget(name: string, budget: number): Schedule {
  let last: { readonly steps: number; readonly schedule: Schedule } | null = null;
  const at = (steps: number): Schedule => {
    if (steps > LONGEST)
      throw new BacksweepError(
        "option",
        `${name}: without a graph, chains of at most ${amount(LONGEST, "step")} are planned`,
      );
    if (last?.steps !== steps)
      last = { steps, schedule: chainBudgetSchedule(planChain(unitChain(steps), budget)) };
    return last.schedule;
  };
  return {
    name,
    actions: (steps) => at(steps).actions(steps),
    length: (steps) => at(steps).length!(steps),
    remarks: (steps) => [
      "With no graph, a state and a tape are one unit each; the states of both ends count.",
      ...at(steps).remarks!(steps),
    ],
  };
}

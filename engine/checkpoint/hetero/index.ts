/** Heterogeneous chains under a budget of bytes. */
export {
  chainBudgetSchedule,
  leastBudget,
  planChain,
  type ChainBudgetOptions,
  type ChainPlan,
} from "./budget.js";
export { storeAllCost, validateChain, type HeteroChain, type TapeModel } from "./chain.js";
export { coarsen, refine } from "./coarsen.js";
export { exactChain, exactLeastBudget, LONGEST_EXACT, type ExactChain } from "./exact.js";
export { parseOps, printOps, refereeOps, type ChainCost, type ChainOp } from "./ops.js";
export { actionsOf } from "./stream.js";

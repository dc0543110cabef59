/** Rematerialisation of any DAG under a budget of bytes. */
export { lowerBound } from "./bound.js";
export { exactLeastBytes, exactRemat, MOST_NODES, type ExactRemat } from "./exact.js";
export { planRemat, type RematOptions, type RematPlan } from "./plan.js";
export {
  problemOf,
  validateProblem,
  type DagProblem,
  type Demand,
  type RematOp,
  type RematProblem,
} from "./problem.js";
export { refereeRemat, type RematCost } from "./referee.js";
export { stageOptimum } from "./stages.js";
export {
  rematerialise,
  sweepProblem,
  type SweepOp,
  type SweepPlan,
  type SweepProblem,
  type SweepSizes,
} from "./sweep.js";

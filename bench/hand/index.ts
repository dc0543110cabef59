import type { Work } from "../engines/engine.js";
import type { Problem } from "../problems/problem.js";
import { handChain } from "./chain.js";
import { handGmm } from "./gmm.js";
import { handLstm } from "./lstm.js";
import { handMlp } from "./mlp.js";
import { handRosenbrock } from "./rosenbrock.js";

/** Value and hand-derived adjoint in typed arrays, without allocation in the loops: the yardstick. */
export function handWork(problem: Problem): Work {
  switch (problem.kind) {
    case "rosenbrock":
      return handRosenbrock(problem);
    case "mlp":
      return handMlp(problem);
    case "gmm":
      return handGmm(problem);
    case "lstm":
      return handLstm(problem);
    case "chain":
      return handChain(problem);
  }
}

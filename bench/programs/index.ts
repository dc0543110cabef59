/** The problems' values in plain arithmetic, on numbers. */
import type { Problem } from "../problems/problem.js";
import { value as chain } from "./chain.js";
import { value as gmm } from "./gmm.js";
import { value as lstm } from "./lstm.js";
import { value as mlp } from "./mlp.js";
import { value as rosenbrock } from "./rosenbrock.js";

export function plainValue(problem: Problem, p: readonly number[]): number {
  switch (problem.kind) {
    case "rosenbrock":
      return rosenbrock(problem, p);
    case "mlp":
      return mlp(problem, p);
    case "gmm":
      return gmm(problem, p);
    case "lstm":
      return lstm(problem, p);
    case "chain":
      return chain(problem, p);
  }
}

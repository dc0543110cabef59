/** A Hessian-vector product against a gradient, both as a program asks for them. */
import { hvp, valueAndGradient } from "../../engine/index.js";
import { graphOf } from "../engines/graph.js";
import { places } from "../places.js";
import { problemById } from "../problems/index.js";
import { scalarProgram } from "../scalar/programs.js";
import { tracedOps } from "../scalar/traced-ops.js";
import { byTurns } from "./in-process.js";
import type { Figure, Measurement } from "./section.js";

/** A Hessian-vector product may take this many gradients. */
const GOAL = 2.5;

export const hessianProducts: Measurement = (options) => {
  const ids = options.smoke
    ? ["rosenbrock-50"]
    : ["rosenbrock-1000", "mlp-16-16-4-b8", "lstm-l1-c4-b2", "chain-3000"];
  const figures = ids.map((id): Figure => {
    const problem = problemById(id, places().root);
    const definition = graphOf(problem, (p) => scalarProgram(tracedOps, problem, p));
    const direction = { p: Array.from(problem.parameters, (_, i) => 1 - (i % 3)) } as never;
    const { ratios } = byTurns(
      [() => valueAndGradient(definition).value as number, () => hvp(definition, direction).value],
      options,
    );
    return { what: problem.title, value: ratios[1], unit: "gradients", goal: GOAL };
  });
  return Promise.resolve(figures);
};

/** Backsweep as a program asks a graph definition: `valueAndGradient`, with explicit calls on traced numbers. */
import { graph, valueAndGradient, type GraphDefinition } from "../../engine/index.js";
import type { Outcome, Problem } from "../problems/problem.js";
import { scalarProgram } from "../scalar/programs.js";
import { tracedOps } from "../scalar/traced-ops.js";
import type { Engine } from "./engine.js";

export function graphOf(problem: Problem, program: (p: number[]) => number): GraphDefinition {
  const definition = graph({ p: Array.from(problem.parameters) }, ({ p }) => program(p as number[]));
  return definition as unknown as GraphDefinition;
}

export function askGraph(definition: GraphDefinition): Outcome {
  const { value, gradient } = valueAndGradient(definition) as {
    value: number;
    gradient: { readonly p: readonly number[] };
  };
  return { value, gradient: Float64Array.from(gradient.p) };
}

export const graphEngine: Engine = {
  id: "graph",
  title: "Backsweep, graph()",
  precision: "f64",
  tolerance: 1e-10,
  prepare(problem) {
    const definition = graphOf(problem, (p) => scalarProgram(tracedOps, problem, p));
    return Promise.resolve({ run: () => askGraph(definition) });
  },
};

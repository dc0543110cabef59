import * as plain from "../../../examples/gradbench/problems/lstm.js";
import { checkScalarProblem, cut } from "./scalar-problem.js";

interface Input extends plain.LstmData {
  readonly main_params: number[][];
  readonly extra_params: number[][];
}
interface Expected {
  readonly objective: number;
  readonly gradient: number[];
}

checkScalarProblem({
  name: "lstm",
  file: "lstm",
  plain,
  parameters: (input: Input) => ({ main: input.main_params.flat(), extra: input.extra_params.flat() }),
  call: (module, parameters, input) => module.lstmLoss(parameters, input),
  value: (expected: Expected) => expected.objective,
  gradient: ({ gradient }, parameters) => cut(gradient, parameters),
});

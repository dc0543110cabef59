import * as plain from "../../../examples/gradbench/problems/log-sum-exp.js";
import { checkScalarProblem } from "./scalar-problem.js";

interface Expected {
  readonly primal: number;
  readonly gradient: number[];
}

checkScalarProblem({
  name: "lse",
  file: "log-sum-exp",
  plain,
  parameters: (input: { readonly x: number[] }) => ({ x: input.x }),
  call: (module, { x }) => module.logSumExp(x),
  value: (expected: Expected) => expected.primal,
  gradient: ({ gradient }) => ({ x: gradient }),
});

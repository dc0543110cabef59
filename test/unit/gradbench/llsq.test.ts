import * as plain from "../../../examples/gradbench/problems/llsq.js";
import { checkScalarProblem } from "./scalar-problem.js";

interface Expected {
  readonly primal: number;
  readonly gradient: number[];
}

checkScalarProblem({
  name: "llsq",
  file: "llsq",
  plain,
  parameters: (input: { readonly x: number[]; readonly n: number }) => ({ x: input.x }),
  call: (module, { x }, input) => module.leastSquares(x, input.n),
  value: (expected: Expected) => expected.primal,
  gradient: ({ gradient }) => ({ x: gradient }),
});

import * as plain from "../../../examples/gradbench/problems/det.js";
import { checkScalarProblem } from "./scalar-problem.js";

interface Expected {
  readonly primal: number;
  readonly gradient: number[];
}

checkScalarProblem({
  name: "det",
  file: "det",
  plain,
  parameters: (input: { readonly A: number[]; readonly ell: number }) => ({ x: input.A }),
  call: (module, { x }, input) => module.determinant(x, input.ell),
  value: (expected: Expected) => expected.primal,
  gradient: ({ gradient }) => ({ x: gradient }),
});

/** Rows of log|Γ| and its derivative; how they are computed stands in `numeric/`. */
import { digamma, trigamma } from "./numeric/digamma.js";
import { lgamma } from "./numeric/gamma.js";
import { define, type ScalarPrimitive } from "./primitive.js";

export const gamma: readonly ScalarPrimitive[] = [
  define({
    name: "lgamma",
    operands: ["x"],
    value: lgamma,
    local: [digamma],
    second: [trigamma],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x not 0, -1, -2, ...",
    formula: "log(abs(Γ(x)))",
    derivatives: ["ψ(x)"],
    doc: "Logarithm of |Γ|, relatively accurate next to its zeros 1 and 2.",
  }),
  define({
    name: "digamma",
    operands: ["x"],
    value: digamma,
    local: [trigamma],
    second: [tetragamma],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x not 0, -1, -2, ...",
    formula: "ψ(x)",
    derivatives: ["ψ'(x)"],
    doc: "Derivative of log Γ; its own derivative is Infinity at every pole.",
  }),
];

/** Rows of log|Γ| and its derivative; how they are computed stands in `numeric/`. */
import { digamma, trigamma } from "./numeric/digamma.js";
import { lgamma } from "./numeric/gamma.js";
import { HIGHEST_ORDER, polygamma } from "./numeric/polygamma.js";
import { define, nothing, type ScalarPrimitive } from "./primitive.js";

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
    derivatives: ["digamma(x)"],
    doc: "Logarithm of |Γ|, relatively accurate next to its zeros 1 and 2.",
  }),
  define({
    name: "digamma",
    operands: ["x"],
    value: digamma,
    local: [trigamma],
    second: [(a) => polygamma(2, a)],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x not 0, -1, -2, ...",
    formula: "ψ(x)",
    derivatives: ["polygamma(1, x)"],
    doc: "Derivative of log Γ; its own derivative is Infinity at every pole.",
  }),
  define({
    name: "polygamma",
    operands: ["n", "x"],
    value: (n, x) => polygamma(n, x),
    local: [() => 0, (n, x) => polygamma(n + 1, x)],
    second: [null, null, (n, x) => polygamma(n + 2, x)],
    vjp: [nothing, undefined],
    saves: [[], [0, 1]],
    cost: { value: 1, vjp: [0, 3] },
    domain: `n from 0 to ${HIGHEST_ORDER}, x not 0, -1, -2, ...`,
    kink: {
      at: (n) => !Number.isInteger(n) && Number.isInteger(2 * n),
      convention: "derivative 0 in n at the halves, where the value jumps",
    },
    formula: "polygamma(n, x)",
    derivatives: ["0", "polygamma(n + 1, x)"],
    doc: "The n-th derivative of ψ = digamma; the order is rounded to a whole number, a choice through which no derivative flows.",
  }),
];

/**
 * Exponentials and logarithms. Outside a logarithm's domain the value is NaN and the derivative what its formula gives,
 * as in PyTorch and JAX.
 */
import { define, type ScalarPrimitive } from "./primitive.js";

/** 1 / (x ln 10); as one division, since that product overflows for the largest x. Below 0 as the reference has it. */
function log10Slope(a: number): number {
  return a > 0 ? Math.LOG10E / a : 1 / (a * Math.LN10);
}

const LN2_SQUARED = 0.4804530139182014;

export const exponential: readonly ScalarPrimitive[] = [
  define({
    name: "exp",
    operands: ["x"],
    value: (a) => Math.exp(a),
    local: [(_a, _b, _c, y) => y],
    second: [(_a, _b, _c, y) => y],
    saves: [["output"]],
    cost: { value: 1, vjp: [1] },
    formula: "exp(x)",
    derivatives: ["y"],
    doc: "Exponential; its derivative is its output.",
  }),
  define({
    name: "exp2",
    operands: ["x"],
    value: (a) => Math.pow(2, a),
    local: [(_a, _b, _c, y) => y * Math.LN2],
    second: [(_a, _b, _c, y) => y * LN2_SQUARED],
    saves: [["output"]],
    cost: { value: 1, vjp: [2] },
    formula: "2 ** x",
    derivatives: ["y * LN2"],
    doc: "Power of two.",
  }),
  define({
    name: "expm1",
    operands: ["x"],
    value: (a) => Math.expm1(a),
    // not y + 1: that is 0 at -40, where e^-40 is 4e-18
    local: [(a) => Math.exp(a)],
    second: [(a) => Math.exp(a)],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "exp(x) - 1",
    derivatives: ["exp(x)"],
    doc: "exp(x) - 1 without cancellation near 0; the rule reads x, since y + 1 loses exp(x) far below 0.",
  }),
  define({
    name: "log",
    operands: ["x"],
    value: (a) => Math.log(a),
    local: [(a) => 1 / a],
    vjp: [(g, a) => g / a],
    second: [(a) => -1 / a / a],
    saves: [[0]],
    cost: { value: 1, vjp: [1] },
    domain: "x > 0",
    formula: "log(x)",
    derivatives: ["1 / x"],
    doc: "Natural logarithm.",
  }),
  define({
    name: "log1p",
    operands: ["x"],
    value: (a) => Math.log1p(a),
    local: [(a) => 1 / (1 + a)],
    vjp: [(g, a) => g / (1 + a)],
    second: [(a) => -1 / (1 + a) / (1 + a)],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x > -1",
    formula: "log(1 + x)",
    derivatives: ["1 / (1 + x)"],
    doc: "log(1 + x) without cancellation near 0.",
  }),
  define({
    name: "log2",
    operands: ["x"],
    value: (a) => Math.log2(a),
    local: [(a) => Math.LOG2E / a],
    second: [(a) => -Math.LOG2E / a / a],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x > 0",
    formula: "log2(x)",
    derivatives: ["LOG2E / x"],
    doc: "Logarithm to base 2.",
  }),
  define({
    name: "log10",
    operands: ["x"],
    value: (a) => Math.log10(a),
    local: [log10Slope],
    second: [(a) => -Math.LOG10E / a / a],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    domain: "x > 0",
    formula: "log10(x)",
    derivatives: ["LOG10E / x"],
    doc: "Logarithm to base 10.",
  }),
];

/** Activations other than gelu: the logistic family in forms whose tails do not cancel, and the rectifiers. */
import { define, type ScalarPrimitive } from "./primitive.js";

/** Logistic function; exp only of non-positive numbers, so neither tail overflows nor cancels. */
export function sigmoid(a: number): number {
  const e = Math.exp(-Math.abs(a));
  return a >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/** s(1-s) as e/(1+e)², e = exp(-|x|): the product is 4 % off at 36 and 0 at 700, where 1e-304 is right. */
function sigmoidSlope(a: number): number {
  const e = Math.exp(-Math.abs(a));
  return e / ((1 + e) * (1 + e));
}

/** log(1 + exp(x)) for every x. */
function softplus(a: number): number {
  const tail = Math.log1p(Math.exp(-Math.abs(a)));
  return a > 0 ? a + tail : tail;
}

/** (x σ(x))' = σ(x)(1 + x σ(-x)), with σ(-x) itself in place of 1 - σ(x). */
function siluSlope(a: number): number {
  return sigmoid(a) * (1 + a * sigmoid(-a));
}

/** (x σ(x))'' = σ'(x)(2 - x tanh(x/2)); the exponential in two halves, as σ' alone is subnormal before the product is. */
function siluCurvature(a: number): number {
  const half = Math.exp(-Math.abs(a) / 2);
  const e = half * half;
  return half * ((2 - a * Math.tanh(a / 2)) / ((1 + e) * (1 + e))) * half;
}

const atZero = (a: number): boolean => a === 0;

export const activation: readonly ScalarPrimitive[] = [
  define({
    name: "sigmoid",
    operands: ["x"],
    value: sigmoid,
    local: [sigmoidSlope],
    second: [(a) => -sigmoidSlope(a) * Math.tanh(a / 2)],
    saves: [[0]],
    cost: { value: 4, vjp: [7] },
    formula: "1 / (1 + exp(-x))",
    derivatives: ["y * sigmoid(-x)"],
    doc: "Logistic function; the rule reads x, since y * (1 - y) loses the upper tail.",
  }),
  define({
    name: "logSigmoid",
    operands: ["x"],
    value: (a) => -softplus(-a),
    local: [(a) => sigmoid(-a)],
    second: [(a) => -sigmoidSlope(a)],
    saves: [[0]],
    cost: { value: 6, vjp: [6] },
    formula: "-log(1 + exp(-x))",
    derivatives: ["sigmoid(-x)"],
    doc: "Logarithm of the logistic function, exact in both tails.",
  }),
  define({
    name: "softplus",
    operands: ["x"],
    value: softplus,
    local: [sigmoid],
    second: [sigmoidSlope],
    saves: [[0]],
    cost: { value: 5, vjp: [5] },
    formula: "log(1 + exp(x))",
    derivatives: ["sigmoid(x)"],
    doc: "Smooth rectifier, without a threshold beyond which it is the identity.",
  }),
  define({
    name: "relu",
    operands: ["x"],
    value: (a) => Math.max(a, 0),
    local: [(a) => (a > 0 ? 1 : a <= 0 ? 0 : NaN)],
    vjp: [(g, a) => (a > 0 ? g : a <= 0 ? 0 : NaN)],
    second: [null],
    saves: [[0]],
    cost: { value: 1, vjp: [1] },
    kink: { at: atZero, convention: "derivative 0 at 0" },
    formula: "max(x, 0)",
    derivatives: ["x > 0 ? 1 : x <= 0 ? 0 : NaN"],
    doc: "Rectifier; NaN in, NaN out, in the derivative too.",
  }),
  define({
    name: "leakyRelu",
    operands: ["x", "slope"],
    value: (a, slope) => (a > 0 ? a : slope * a),
    local: [(a, slope) => (a > 0 ? 1 : slope), (a) => (a > 0 ? 0 : a)],
    vjp: [(g, a, slope) => (a > 0 ? g : g * slope), (g, a) => (a > 0 ? 0 : g * a)],
    second: [null, (a) => (a > 0 ? 0 : 1), null],
    saves: [[0, 1], [0]],
    cost: { value: 2, vjp: [2, 2] },
    kink: { at: (a, slope) => a === 0 && slope !== 1, convention: "derivative slope at 0 (x > 0 decides)" },
    formula: "x > 0 ? x : slope * x",
    derivatives: ["x > 0 ? 1 : slope", "x > 0 ? 0 : x"],
    doc: "Rectifier with a slope below 0, differentiable in the slope too.",
  }),
  define({
    name: "elu",
    operands: ["x", "alpha"],
    value: (a, alpha) => (a > 0 ? a : alpha * Math.expm1(a)),
    local: [(a, alpha) => (a > 0 ? 1 : alpha * Math.exp(a)), (a) => (a > 0 ? 0 : Math.expm1(a))],
    vjp: [(g, a, alpha) => (a > 0 ? g : g * alpha * Math.exp(a)), (g, a) => (a > 0 ? 0 : g * Math.expm1(a))],
    second: [(a, alpha) => (a > 0 ? 0 : alpha * Math.exp(a)), (a) => (a > 0 ? 0 : Math.exp(a)), null],
    saves: [[0, 1], [0]],
    cost: { value: 3, vjp: [4, 3] },
    kink: { at: (a, alpha) => a === 0 && alpha !== 1, convention: "derivative alpha at 0" },
    formula: "x > 0 ? x : alpha * (exp(x) - 1)",
    derivatives: ["x > 0 ? 1 : alpha * exp(x)", "x > 0 ? 0 : expm1(x)"],
    doc: "Exponential linear unit; not value + alpha, which is 0 at -40.",
  }),
  define({
    name: "silu",
    operands: ["x"],
    value: (a) => a * sigmoid(a),
    local: [siluSlope],
    second: [siluCurvature],
    saves: [[0]],
    cost: { value: 5, vjp: [12] },
    formula: "x / (1 + exp(-x))",
    derivatives: ["sigmoid(x) * (1 + x * sigmoid(-x))"],
    doc: "x times the logistic function of x (swish).",
  }),
];

/** Hyperbolic functions and their inverses. */
import { tanhSlope } from "../kernels/slopes.js";
import { define, type ScalarPrimitive } from "./primitive.js";

/**
 * 1 / sqrt(x² - 1), by two roots: no overflow and no cancellation. Left of -1, outside the domain, the formula as it
 * stands, as PyTorch and JAX have it.
 */
function acoshSlope(a: number): number {
  return a < 0 ? 1 / Math.sqrt((a - 1) * (a + 1)) : 1 / (Math.sqrt(a - 1) * Math.sqrt(a + 1));
}

/** -x / (1 + x²)^(3/2), where x / hypot(1, x) is ±1 long before either is infinite. */
function asinhCurvature(a: number): number {
  const h = Math.hypot(1, a);
  return -(h > 1e17 ? Math.sign(a) : a / h) / h / h;
}

/** -x / (x² - 1)^(3/2), by the roots of the slope. */
function acoshCurvature(a: number): number {
  const slope = acoshSlope(a);
  return (a > 1e17 ? -1 : -a * slope) * slope * slope;
}

/** 2x / (1 - x²)². */
function atanhCurvature(a: number): number {
  const t = (1 - a) * (1 + a);
  return (2 * a) / t / t;
}

export const hyperbolic: readonly ScalarPrimitive[] = [
  define({
    name: "sinh",
    operands: ["x"],
    value: (a) => Math.sinh(a),
    local: [(a) => Math.cosh(a)],
    second: [(_a, _b, _c, y) => y],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "sinh(x)",
    derivatives: ["cosh(x)"],
    doc: "Hyperbolic sine.",
  }),
  define({
    name: "cosh",
    operands: ["x"],
    value: (a) => Math.cosh(a),
    local: [(a) => Math.sinh(a)],
    second: [(_a, _b, _c, y) => y],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "cosh(x)",
    derivatives: ["sinh(x)"],
    doc: "Hyperbolic cosine.",
  }),
  define({
    name: "tanh",
    operands: ["x"],
    value: (a) => Math.tanh(a),
    local: [tanhSlope],
    second: [(a, _b, _c, y) => -2 * y * tanhSlope(a)],
    saves: [[0]],
    cost: { value: 1, vjp: [8] },
    formula: "tanh(x)",
    derivatives: ["4 * sigmoid(2 * x) * sigmoid(-2 * x)"],
    doc: "Hyperbolic tangent; the rule reads x, since 1 - y*y cancels to 0 from 20 on.",
  }),
  define({
    name: "asinh",
    operands: ["x"],
    value: (a) => Math.asinh(a),
    // hypot: x² overflows from 1.3e154 on
    local: [(a) => 1 / Math.hypot(1, a)],
    second: [asinhCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [3] },
    formula: "asinh(x)",
    derivatives: ["1 / hypot(1, x)"],
    doc: "Inverse hyperbolic sine, right at 1e200 too.",
  }),
  define({
    name: "acosh",
    operands: ["x"],
    value: (a) => Math.acosh(a),
    local: [acoshSlope],
    second: [acoshCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [7] },
    domain: "x ≥ 1",
    kink: { at: (a) => a === 1, convention: "derivative Infinity at 1" },
    formula: "acosh(x)",
    derivatives: ["1 / (sqrt(x - 1) * sqrt(x + 1))"],
    doc: "Inverse hyperbolic cosine, right at 1e200 too.",
  }),
  define({
    name: "atanh",
    operands: ["x"],
    value: (a) => Math.atanh(a),
    local: [(a) => 1 / ((1 - a) * (1 + a))],
    second: [atanhCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [5] },
    domain: "-1 < x < 1",
    formula: "atanh(x)",
    derivatives: ["1 / ((1 - x) * (1 + x))"],
    doc: "Inverse hyperbolic tangent.",
  }),
];

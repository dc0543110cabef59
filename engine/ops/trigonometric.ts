/** Circular functions and their inverses of one argument. */
import { define, type ScalarPrimitive } from "./primitive.js";

/** 1 / (1 + x²); from 1e150 on x² may overflow and 1 + x² is x² to the last bit. */
function atanSlope(a: number): number {
  return Math.abs(a) > 1e150 ? 1 / a / a : 1 / (1 + a * a);
}

/** 1 / sqrt(1 - x²), with 1 - x² as a product: no cancellation near ±1. */
function asinSlope(a: number): number {
  return 1 / Math.sqrt((1 - a) * (1 + a));
}

/** x / (1 - x²)^(3/2), with the same product. */
function asinCurvature(a: number): number {
  const t = (1 - a) * (1 + a);
  return a / (t * Math.sqrt(t));
}

/** -2x / (1 + x²)². */
function atanCurvature(a: number): number {
  if (Math.abs(a) > 1e150) return -2 / a / a / a;
  const q = 1 + a * a;
  return (-2 * a) / q / q;
}

const atOne = (a: number): boolean => a === 1 || a === -1;

export const trigonometric: readonly ScalarPrimitive[] = [
  define({
    name: "sin",
    operands: ["x"],
    value: (a) => Math.sin(a),
    local: [(a) => Math.cos(a)],
    second: [(_a, _b, _c, y) => -y],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "sin(x)",
    derivatives: ["cos(x)"],
    doc: "Sine, x in radians.",
  }),
  define({
    name: "cos",
    operands: ["x"],
    value: (a) => Math.cos(a),
    local: [(a) => -Math.sin(a)],
    second: [(_a, _b, _c, y) => -y],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "cos(x)",
    derivatives: ["-sin(x)"],
    doc: "Cosine, x in radians.",
  }),
  define({
    name: "tan",
    operands: ["x"],
    value: (a) => Math.tan(a),
    local: [(_a, _b, _c, y) => 1 + y * y],
    second: [(_a, _b, _c, y) => 2 * y * (1 + y * y)],
    saves: [["output"]],
    cost: { value: 1, vjp: [3] },
    domain: "x ≠ π/2 + kπ",
    formula: "tan(x)",
    derivatives: ["1 + y * y"],
    doc: "Tangent, x in radians; the rule reads only the output.",
  }),
  define({
    name: "asin",
    operands: ["x"],
    value: (a) => Math.asin(a),
    local: [asinSlope],
    second: [asinCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [6] },
    domain: "-1 ≤ x ≤ 1",
    kink: { at: atOne, convention: "derivative Infinity at ±1" },
    formula: "asin(x)",
    derivatives: ["1 / sqrt((1 - x) * (1 + x))"],
    doc: "Inverse sine.",
  }),
  define({
    name: "acos",
    operands: ["x"],
    value: (a) => Math.acos(a),
    local: [(a) => -asinSlope(a)],
    second: [(a) => -asinCurvature(a)],
    saves: [[0]],
    cost: { value: 1, vjp: [6] },
    domain: "-1 ≤ x ≤ 1",
    kink: { at: atOne, convention: "derivative -Infinity at ±1" },
    formula: "acos(x)",
    derivatives: ["-1 / sqrt((1 - x) * (1 + x))"],
    doc: "Inverse cosine.",
  }),
  define({
    name: "atan",
    operands: ["x"],
    value: (a) => Math.atan(a),
    local: [atanSlope],
    second: [atanCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [4] },
    formula: "atan(x)",
    derivatives: ["1 / (1 + x * x)"],
    doc: "Inverse tangent of one argument.",
  }),
];

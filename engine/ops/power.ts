/** Powers and roots. `pow` takes JavaScript's values; its derivatives take 1^anything = 1, as C and the reference do. */
import { define, type ScalarPrimitive } from "./primitive.js";

const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** True if the power p of finite a ≠ 0 and b left the range of normal numbers, so that a factor of it may lead back. */
function outOfRange(p: number, a: number, b: number): boolean {
  const size = Math.abs(p);
  return (size < SMALLEST_NORMAL || size === Infinity) && a !== 0 && Number.isFinite(a) && Number.isFinite(b);
}

/** factor·a^e for a power p = a^e that is out of range: in two halves, with the factor between them. */
function inHalves(p: number, a: number, e: number, factor: number): number {
  const half = Math.pow(Math.abs(a), e / 2);
  const scaled = half * factor * half;
  return p < 0 || Object.is(p, -0) ? -scaled : scaled;
}

/**
 * b·a^(b-1). A constant exponent needs no rule of its own: a slot that holds a constant has no edge, so the logarithm of
 * the other slot is never taken.
 */
function powInBase(a: number, b: number): number {
  // exact, and the exponents programs use; also 0^0 and NaN^0, where the reference has a flat function
  if (b === 2) return 2 * a;
  if (b === 1) return 1;
  if (b === 0) return 0;
  const p = Math.pow(a, b - 1);
  // Math.pow(±1, ±Infinity) is NaN in JavaScript, 1 in C
  if (p !== p && (a === 1 || a === -1) && Math.abs(b) === Infinity) return b;
  return outOfRange(p, a, b) ? inHalves(p, a, b - 1, b) : b * p;
}

/** a^b·ln a, and 0 at a = 0, b ≥ 0 (the limit), -Infinity·sign(0^b) at b < 0, NaN for a negative base. */
function powInExponent(a: number, b: number): number {
  if (a === 1) return 0;
  const p = Math.pow(a, b);
  const log = Math.log(a);
  if (a === 0) return b >= 0 ? 0 : p * log;
  return outOfRange(p, a, b) ? inHalves(p, a, b, log) : p * log;
}

const BASE = 1;
const EXPONENT = 2;

/**
 * True where a power of 0 has no derivative in what varies. In the base alone: a root, or a power defined on one side
 * only. In the exponent alone: 0^b is 0 above exponent 0 and jumps there. In both it has none anywhere: beside (0, b) it
 * is defined on one side of the base only, and at b = 0 every value between 0 and 1 is its limit along some curve.
 */
function isPowKink(a: number, b: number, constants: number): boolean {
  if (a !== 0) return false;
  if ((constants & EXPONENT) !== 0) return b !== 0 && (b < 1 || !Number.isInteger(b));
  return (constants & BASE) === 0 || b <= 0;
}

/** b(b-1)·a^(b-2), flat in the base for the exponents 0 and 1. */
function powBaseTwice(a: number, b: number): number {
  if (b === 0 || b === 1) return 0;
  if (b === 2) return 2;
  if (b === 3) return 6 * a;
  const factor = b * (b - 1);
  const p = Math.pow(a, b - 2);
  return outOfRange(p, a, b) ? inHalves(p, a, b - 2, factor) : factor * p;
}

/** a^(b-1)·(1 + b ln a): of the slope in the exponent the derivative in the base. NaN for a negative base. */
function powMixed(a: number, b: number): number {
  const p = Math.pow(a, b - 1);
  // a = 0: the logarithm wins below and at exponent 1, the power above
  if (a === 0) return b > 1 ? 0 : b === 0 ? p : b > 0 ? -Infinity : -b * p * Infinity;
  const factor = 1 + b * Math.log(a);
  return outOfRange(p, a, b) ? inHalves(p, a, b - 1, factor) : factor * p;
}

/** a^b·ln² a; at a = 0 and an exponent b ≥ 0 the convention of the slope, 0 throughout, has the derivative 0. */
function powExponentTwice(a: number, b: number): number {
  if (a === 1 || (a === 0 && b >= 0)) return 0;
  const p = Math.pow(a, b);
  const log = Math.log(a);
  return outOfRange(p, a, b) ? inHalves(p, a, b, log * log) : p * log * log;
}

export const power: readonly ScalarPrimitive[] = [
  define({
    name: "pow",
    operands: ["a", "b"],
    value: (a, b) => Math.pow(a, b),
    local: [(a, b) => powInBase(a, b), (a, b) => powInExponent(a, b)],
    second: [(a, b) => powBaseTwice(a, b), (a, b) => powMixed(a, b), (a, b) => powExponentTwice(a, b)],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 1, vjp: [4, 4] },
    domain: "a > 0, or b an integer",
    kink: {
      at: (a, b, _c, constants) => isPowKink(a, b, constants ?? 0),
      convention:
        "base 0: b * 0^(b-1) in the base (Infinity below exponent 1, 0 at exponent 0); 0 in an exponent b ≥ 0",
    },
    infix: "**",
    formula: "a ** b",
    derivatives: ["a == 0 && b == 0 ? 0 : b * a ** (b - 1)", "a == 0 && b >= 0 ? 0 : y * log(a)"],
    doc: "Power with JavaScript's values (1 ** NaN is NaN); in the exponent NaN for a negative base; a constant exponent has no edge, hence no logarithm.",
  }),
  define({
    name: "sqrt",
    operands: ["x"],
    value: (a) => Math.sqrt(a),
    local: [(_a, _b, _c, y) => 0.5 / y],
    vjp: [(g, _a, _b, _c, y) => (0.5 * g) / y],
    second: [(_a, _b, _c, y) => -0.25 / y / y / y],
    saves: [["output"]],
    cost: { value: 1, vjp: [2] },
    domain: "x ≥ 0",
    kink: { at: (a) => a === 0, convention: "derivative Infinity at 0 (-Infinity at -0)" },
    formula: "sqrt(x)",
    derivatives: ["1 / (2 * y)"],
    doc: "Square root; infinite slope at 0, so a zero cotangent there gives NaN.",
  }),
  define({
    name: "rsqrt",
    operands: ["x"],
    value: (a) => 1 / Math.sqrt(a),
    local: [(_a, _b, _c, y) => -0.5 * y * y * y],
    vjp: [(g, _a, _b, _c, y) => -0.5 * g * y * y * y],
    second: [(_a, _b, _c, y) => 0.75 * y * y * y * y * y],
    saves: [["output"]],
    cost: { value: 2, vjp: [4] },
    domain: "x > 0",
    formula: "1 / sqrt(x)",
    derivatives: ["-y * y * y / 2"],
    doc: "Reciprocal square root; the rule reads only the output.",
  }),
  define({
    name: "cbrt",
    operands: ["x"],
    value: (a) => Math.cbrt(a),
    local: [(_a, _b, _c, y) => 1 / (3 * y * y)],
    second: [(_a, _b, _c, y) => -2 / 9 / y / y / y / y / y],
    saves: [["output"]],
    cost: { value: 1, vjp: [4] },
    kink: { at: (a) => a === 0, convention: "derivative Infinity at 0" },
    formula: "cbrt(x)",
    derivatives: ["1 / (3 * y * y)"],
    doc: "Cube root, real for negative arguments too.",
  }),
];

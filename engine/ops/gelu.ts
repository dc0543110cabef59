/** The Gaussian error linear unit, exact and in its tanh approximation. */
import { sigmoid } from "./activation.js";
import { erfcx, gaussian, normalCdf, normalPdf } from "./numeric/erf.js";
import { define, type ScalarPrimitive } from "./primitive.js";

const INV_SQRT_2PI = 0.3989422804014327;

/** x Φ(x). In the lower tail x joins the factor of the exponential, so that no subnormal Φ is multiplied up. */
function geluValue(x: number): number {
  return x < -0.75 ? gaussian(x, 0.5, 0.5 * x * erfcx(-x * Math.SQRT1_2)) : x * normalCdf(x);
}

/** Φ(x) + x φ(x), the two under one exponential in the lower tail. */
function geluSlope(x: number): number {
  return x < -0.75
    ? gaussian(x, 0.5, 0.5 * erfcx(-x * Math.SQRT1_2) + x * INV_SQRT_2PI)
    : normalCdf(x) + x * normalPdf(x);
}

/** (2 - x²) φ(x); 0 where x² leaves the range of exp, before the factor does. */
function geluCurvature(x: number): number {
  return Math.abs(x) > 1e3 ? 0 : gaussian(x, 0.5, INV_SQRT_2PI * (2 - x * x));
}

/** The approximation is x σ(w), w = 2√(2/π)(x + 0.044715 x³), since (1 + tanh(u))/2 = σ(2u). High and low parts. */
const K = 1.5957691216057308;
const K_LOW = -9.96930880911092e-17;
const CUBE = 0.044715;
const CUBE_LOW = 2.1960211427085595e-18;

/** The rounding error of the product p = a·b, exactly (Dekker, 1971); a and b well inside the range. */
function productError(a: number, b: number, p: number): number {
  const ta = 134217729 * a;
  const ah = ta - (ta - a);
  const tb = 134217729 * b;
  const bh = tb - (tb - b);
  const al = a - ah;
  const bl = b - bh;
  return al * bl - (p - ah * bh - al * bh - ah * bl);
}

function argument(x: number): number {
  return K * x * (1 + CUBE * x * x);
}

/**
 * What `argument` is off by at most: w itself carries |w|·1e-16, an error exp(w) makes relative. At -20 w is -603, so
 * the lower tail needs w in twice the digits.
 */
function argumentError(x: number, w: number): number {
  const q = x * x;
  const qe = productError(x, x, q);
  const c = CUBE * q;
  const ce = productError(CUBE, q, c) + CUBE * qe + CUBE_LOW * q;
  const s = 1 + c;
  const se = (c >= 1 ? 1 - (s - c) : c - (s - 1)) + ce;
  const k = K * x;
  const ke = productError(K, x, k) + K_LOW * x;
  const p = k * s;
  return p - w + (productError(k, s, p) + ke * s + k * se);
}

/** σ(w) of the approximation; w is corrected where that is seen, and not below -760, where σ is 0 and w may be infinite. */
function gate(x: number): number {
  const w = argument(x);
  if (w >= -5 || w < -760) return sigmoid(w);
  return sigmoid(w) * (1 + argumentError(x, w));
}

function geluTanhSlope(x: number): number {
  const s = gate(x);
  // outside the range of exp the gate is constant; x·0·∞ would be NaN at 1e300, where the slope is 1 or 0
  const size = Math.abs(x);
  if (size > 100 && size < Infinity) return s;
  const w = argument(x);
  return s * (1 + x * K * (1 + 3 * CUBE * x * x) * sigmoid(-w));
}

/** (x σ(w))'' = σ'(w)(2w' + xw'' - xw'² tanh(w/2)), with σ'(w) = σ(w)σ(-w), each from the corrected gate. */
function geluTanhCurvature(x: number): number {
  if (Math.abs(x) > 100) return 0;
  const slope = K * (1 + 3 * CUBE * x * x);
  const bend = 6 * K * CUBE * x;
  return gate(x) * (2 * slope + x * (bend - slope * slope * Math.tanh(argument(x) / 2))) * gate(-x);
}

export const gelu: readonly ScalarPrimitive[] = [
  define({
    name: "gelu",
    operands: ["x"],
    value: geluValue,
    local: [geluSlope],
    second: [geluCurvature],
    saves: [[0]],
    cost: { value: 3, vjp: [8] },
    formula: "x * Φ(x)",
    derivatives: ["erfc(-x / sqrt(2)) / 2 + x * exp(-x * x / 2) / sqrt(2 * PI)"],
    doc: "Gaussian error linear unit with the normal distribution function Φ itself; its lower tail does not cancel.",
  }),
  define({
    name: "geluTanh",
    operands: ["x"],
    value: (a) => a * gate(a),
    local: [geluTanhSlope],
    second: [geluTanhCurvature],
    saves: [[0]],
    cost: { value: 9, vjp: [20] },
    formula: "x / 2 * (1 + tanh(sqrt(2 / PI) * (x + 0.044715 * x ** 3)))",
    derivatives: [
      "sigmoid(w) * (1 + x * v * sigmoid(-w)), w = k * x * (1 + 0.044715 * x * x), v = k * (1 + 3 * 0.044715 * x * x), k = sqrt(8 / PI)",
    ],
    doc: "The tanh approximation of gelu, computed by the logistic function it is equal to.",
  }),
];

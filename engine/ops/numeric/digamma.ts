/**
 * ψ = (log Γ)' and ψ'. Method: asymptotic series from 10 on, the recurrence up to there, the reflection formula below 0;
 * about the positive zero of ψ its Taylor series, since the recurrence leaves only absolute accuracy there.
 */
import { absSinPi, tanPi } from "./circle.js";

/** Bernoulli numbers B_2k, k = 1, 2, ... */
export const BERNOULLI: readonly number[] = [
  1 / 6,
  -1 / 30,
  1 / 42,
  -1 / 30,
  5 / 66,
  -691 / 2730,
  7 / 6,
  -3617 / 510,
  43867 / 798,
];

/** The positive zero of ψ, high and low part, and the Taylor coefficients ψ^(k)/k! there, k = 1, 2, ... (mpmath). */
const ZERO = 1.4616321449683622;
const ZERO_LOW = 9.549995429965697e-17;
const ABOUT_ZERO = [
  0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652, 0.10782405069126237,
  -0.07219956125645471, 0.04880428816414311, -0.03316112647484736, 0.022597648232218104, -0.01542476590494896,
  0.010538791616612175, -0.007204534386356869, 0.004926781395729853, -0.003369801655439328,
  0.002305126326734928, -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052,
  0.000504953265834602, -0.0003454680251063077, 0.00023635601564027053,
];

function positiveDigamma(x: number): number {
  if (Math.abs(x - ZERO) < 0.25) {
    const d = x - ZERO - ZERO_LOW;
    let sum = 0;
    for (let k = ABOUT_ZERO.length - 1; k >= 0; k--) sum = sum * d + ABOUT_ZERO[k];
    return d * sum;
  }
  let shift = 0;
  while (x < 10) {
    shift += 1 / x;
    x += 1;
  }
  const q = 1 / x / x;
  let sum = 0;
  for (let k = BERNOULLI.length; k > 0; k--) sum = (sum + BERNOULLI[k - 1] / (2 * k)) * q;
  return Math.log(x) - 0.5 / x - sum - shift;
}

/** ψ(x); ∓Infinity at ±0, NaN at the other poles and at -Infinity. */
export function digamma(x: number): number {
  if (Math.abs(x) < 1e-9) return -1 / x - 0.5772156649015329 + 1.6449340668482264 * x;
  if (x > 0) return positiveDigamma(x);
  const t = tanPi(x);
  return t === 0 ? NaN : positiveDigamma(1 - x) - Math.PI / t;
}

function positiveTrigamma(x: number): number {
  let shift = 0;
  while (x < 10) {
    shift += 1 / (x * x);
    x += 1;
  }
  const r = 1 / x;
  const q = r * r;
  let sum = 0;
  for (let k = BERNOULLI.length; k > 0; k--) sum = (sum + BERNOULLI[k - 1]) * q;
  return shift + r + 0.5 * q + sum * r;
}

/** ψ'(x), positive everywhere; Infinity at every pole, NaN at -Infinity. */
export function trigamma(x: number): number {
  if (x > 0) return positiveTrigamma(x);
  if (x !== x || x === -Infinity) return NaN;
  const s = Math.PI / absSinPi(x);
  return s === Infinity ? Infinity : s * s - positiveTrigamma(1 - x);
}

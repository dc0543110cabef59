/**
 * log|Γ|, relatively accurate at its zeros 1 and 2 and next to its poles. Method: Stirling's series from 8 on, the
 * recurrence down to [1.5, 2.5), there the Taylor series about 2, the reflection formula below 0.
 */
import { absSinPi } from "./circle.js";

/** ζ(k) - 1, k = 2, 3, ...: log Γ(2+e) = (1-γ)e + Σ (-1)^k (ζ(k)-1) e^k / k, converging like (e/2)^k. */
const ZETA_MINUS_1 = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853,
  0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5,
  3.058823630702049e-5, 1.528225940865187e-5, 7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6,
  9.539620338727962e-7, 4.769329867878064e-7, 2.38450502727733e-7, 1.1921992596531106e-7,
  5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
];
const ONE_MINUS_EULER = 0.42278433509846713;

/** B_2k / (2k(2k-1)), k = 1, 2, ... (Stirling's series). */
const STIRLING = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
  43867 / 244188,
  -174611 / 125400,
];
const HALF_LOG_2PI = 0.9189385332046728;
const LOG_PI = 1.1447298858494002;

/** log Γ(2 + e), |e| ≤ 1/2. */
function aboutTwo(e: number): number {
  let sum = 0;
  for (let k = ZETA_MINUS_1.length + 1; k >= 2; k--) {
    sum = sum * e + (k % 2 === 0 ? ZETA_MINUS_1[k - 2] : -ZETA_MINUS_1[k - 2]) / k;
  }
  return e * (ONE_MINUS_EULER + e * sum);
}

function stirling(x: number): number {
  const r = 1 / x;
  const q = r * r;
  let sum = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) sum = sum * q + STIRLING[k];
  const log = Math.log(x);
  // x (log x - 1) first: beyond 1e305 (x - 1/2) log x overflows earlier than the result does
  return x * (log - 1) - 0.5 * log + HALF_LOG_2PI + sum * r;
}

function positive(x: number): number {
  if (x >= 8) return x === Infinity ? x : stirling(x);
  if (x < 0.5) return aboutTwo(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return aboutTwo(x - 1) - Math.log1p(x - 1);
  let product = 1;
  while (x >= 2.5) {
    x -= 1;
    product *= x;
  }
  return aboutTwo(x - 2) + Math.log(product);
}

/** log|Γ(x)|; Infinity at the poles 0, -1, -2, ... and at both infinities. */
export function lgamma(x: number): number {
  if (x > 0) return positive(x);
  if (x !== x) return NaN;
  const s = absSinPi(x);
  if (s === 0 || x === -Infinity) return Infinity;
  if (x > -1e-17) return -Math.log(-x);
  return LOG_PI - Math.log(s) - positive(1 - x);
}

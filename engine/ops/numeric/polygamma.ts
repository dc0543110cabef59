/**
 * ψ^(n), the n-th derivative of ψ. Method: the recurrence ψ^(n)(x) = ψ^(n)(x+1) + (-1)^(n+1) n!/x^(n+1) up to 10 + n, there
 * the asymptotic series (Abramowitz and Stegun 6.4.11), and left of 0 the n-th derivative of the reflection formula.
 */
import { tanPi } from "./circle.js";
import { BERNOULLI, digamma, trigamma } from "./digamma.js";

/** Orders above this are NaN: the asymptotic series is tuned, and n! stays inside the range, up to here. */
export const HIGHEST_ORDER = 100;

/** n! / x^(n+1) as a product of quotients, which leaves the range only where the result does. */
function inversePower(n: number, x: number): number {
  let p = 1 / x;
  for (let i = 1; i <= n; i++) p *= i / x;
  return p;
}

/** |ψ^(n)(x)| for n ≥ 1, x > 0. */
function magnitude(n: number, x: number): number {
  let sum = 0;
  while (x < 10 + n) {
    sum += inversePower(n, x);
    x += 1;
  }
  const first = inversePower(n - 1, x);
  // B_2k/(2k)! (2k+n-1)!/x^(2k+n), each a multiple of the term before without its Bernoulli number
  let factor = first;
  let series = 0;
  BERNOULLI.forEach((b, k) => {
    const m = 2 * k;
    factor *= ((m + n) / (m + 1) / x) * ((m + n + 1) / (m + 2) / x);
    series += b * factor;
  });
  return sum + (first + (0.5 * first * n) / x + series);
}

/** Coefficients of (-1)^n P_n, where the n-th derivative of π cot πx is π^(n+1) P_n(cot πx); all are positive. */
const cotangents: number[][] = [[0, 1]];

function cotangentPolynomial(n: number): readonly number[] {
  while (cotangents.length <= n) {
    // P_(n+1)(c) = -(1 + c²) P_n'(c)
    const p = cotangents[cotangents.length - 1];
    const next = new Array<number>(p.length + 1).fill(0);
    for (let i = 1; i < p.length; i++) {
      next[i - 1] += i * p[i];
      next[i + 1] += i * p[i];
    }
    cotangents.push(next);
  }
  return cotangents[n];
}

/**
 * ψ^(n)(x), n rounded to a whole number from 0 to `HIGHEST_ORDER`, NaN beyond. At the poles 0, -1, -2, ... Infinity for odd
 * n, and NaN for even n (at ±0 ∓Infinity); at -Infinity NaN.
 */
export function polygamma(order: number, x: number): number {
  const n = Math.round(order);
  if (!(n >= 0 && n <= HIGHEST_ORDER)) return NaN;
  if (n === 0) return digamma(x);
  if (n === 1) return trigamma(x);
  const sign = n % 2 === 1 ? 1 : -1;
  if (x > 0) return sign * magnitude(n, x);
  if (x === 0) return sign > 0 ? Infinity : -1 / x;
  if (x !== x || x === -Infinity) return NaN;
  const t = tanPi(x);
  if (t === 0) return sign > 0 ? Infinity : NaN;
  const c = 1 / t;
  const coefficients = cotangentPolynomial(n);
  let p = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) p = p * c + coefficients[i];
  // ψ^(n)(x) = (-1)^n ψ^(n)(1-x) - π^(n+1) P_n(c)
  return sign * Math.pow(Math.PI, n + 1) * p - magnitude(n, 1 - x);
}

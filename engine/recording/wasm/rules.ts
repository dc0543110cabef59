/** Rules of the table that are more than an expression, by the names that the generated sweeps call them by. */
import { exp, log1p } from "./math";

/** Logistic function (ops/activation.ts). */
export function sigmoid_value(x: f64, _y: f64, _z: f64): f64 {
  const e = exp(-abs<f64>(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/** Its slope. */
export function sigmoid_local0(x: f64, _y: f64, _z: f64, _v: f64): f64 {
  const e = exp(-abs<f64>(x));
  return e / ((1 + e) * (1 + e));
}

export function softplus_value(x: f64, _y: f64, _z: f64): f64 {
  const tail = log1p(exp(-abs<f64>(x)));
  return x > 0 ? x + tail : tail;
}

export function softplus_local0(x: f64, y: f64, z: f64, _v: f64): f64 {
  return sigmoid_value(x, y, z);
}

/** Slope of tanh (kernels/slopes.ts). */
export function tanh_local0(x: f64, _y: f64, _z: f64, _v: f64): f64 {
  const e = exp(-2 * abs<f64>(x));
  return (4 * e) / ((1 + e) * (1 + e));
}

/** What a quotient hands to its divisor (ops/arithmetic.ts). */
export function div_vjp1(g: f64, _x: f64, y: f64, _z: f64, v: f64): f64 {
  const c = -(g / y) * v;
  return c != c && v == 0 && g - g == 0 ? 0 : c;
}

/** Derivatives that are more than an expression and that kernels compute as well. */

/**
 * 1 - tanh² without the subtraction, which is 4 % off at 18 and 0 from 20 on: 4e/(1+e)² with e = exp(-2|x|), right down
 * to the last subnormal.
 */
export function tanhSlope(a: number): number {
  const e = Math.exp(-2 * Math.abs(a));
  return (4 * e) / ((1 + e) * (1 + e));
}

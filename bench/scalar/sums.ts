import type { ScalarOps } from "./ops.js";

export function sumOf<T, C>(ops: ScalarOps<T, C>, terms: readonly T[]): T {
  let sum = terms[0];
  for (let i = 1; i < terms.length; i++) sum = ops.add(sum, terms[i]);
  return sum;
}

/**
 * log sum exp, shifted by the largest value as a plain number: the result does not depend on the shift, so that no
 * derivative is lost.
 */
export function logSumExp<T, C>(ops: ScalarOps<T, C>, terms: readonly T[]): T {
  let largest = -Infinity;
  for (let i = 0; i < terms.length; i++) largest = Math.max(largest, ops.value(terms[i]));
  const shift = ops.constant(-largest);
  let sum = ops.exp(ops.plus(terms[0], shift));
  for (let i = 1; i < terms.length; i++) sum = ops.add(sum, ops.exp(ops.plus(terms[i], shift)));
  return ops.plus(ops.log(sum), ops.constant(largest));
}

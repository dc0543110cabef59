/** How far two results are apart. */
import type { Outcome } from "./problems/problem.js";

/**
 * Largest |a - b| / max(1, |a| + |b|) over the value and every component of the gradient, the measure of GradBench and
 * ADBench; Infinity for NaN or another length.
 */
export function distance(a: Outcome, b: Outcome): number {
  if (a.gradient.length !== b.gradient.length) return Infinity;
  let worst = apart(a.value, b.value);
  for (let i = 0; i < a.gradient.length; i++) worst = Math.max(worst, apart(a.gradient[i], b.gradient[i]));
  return worst;
}

function apart(a: number, b: number): number {
  const difference = Math.abs(a - b) / Math.max(1, Math.abs(a) + Math.abs(b));
  return Number.isNaN(difference) ? Infinity : difference;
}

/** In plain arithmetic, as a user writes it: for the loader, and for finite differences. */
import type { Rosenbrock } from "../problems/problem.js";

export function value({ n }: Rosenbrock, x: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < n; i++) {
    const a = 1 - x[i];
    const b = x[i + 1] - x[i] * x[i];
    sum += a * a + 100 * (b * b);
  }
  return sum;
}

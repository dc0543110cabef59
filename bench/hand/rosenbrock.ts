import type { Work } from "../engines/engine.js";
import type { Rosenbrock } from "../problems/problem.js";

function sweep(x: Float64Array, gradient: Float64Array, n: number): number {
  let value = 0;
  // the contribution to x[i] of the term before it
  let carried = 0;
  let xi = x[0];
  for (let i = 0; i + 1 < n; i++) {
    const next = x[i + 1];
    const a = 1 - xi;
    const b = next - xi * xi;
    value += a * a + 100 * b * b;
    gradient[i] = carried - 2 * a - 400 * b * xi;
    carried = 200 * b;
    xi = next;
  }
  gradient[n - 1] = carried;
  return value;
}

export function handRosenbrock({ n, parameters }: Rosenbrock): Work {
  const gradient = new Float64Array(n);
  return { run: () => ({ value: sweep(parameters, gradient, n), gradient }) };
}

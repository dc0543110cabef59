/** The right-hand side: y_0' = x_0, y_i' = x_i y_(i-1). */
function slope(x: readonly number[], y: readonly number[]): number[] {
  return x.map((xi, i) => (i === 0 ? xi : xi * y[i - 1]));
}

/**
 * y(2) for y' = slope(x, y), y(0) = 0, by Runge and Kutta's method of order 4 (GradBench `ode`).
 *
 * @param x [n] coefficients of the right-hand side
 * @param s number of steps
 * @returns [n]
 */
export function rungeKutta(x: readonly number[], s: number): number[] {
  const h = 2 / s;
  let y = x.map(() => 0);
  for (let step = 0; step < s; step++) {
    const k1 = slope(x, y);
    const k2 = slope(x, moved(y, h / 2, k1));
    const k3 = slope(x, moved(y, h / 2, k2));
    const k4 = slope(x, moved(y, h, k3));
    y = y.map((yi, i) => yi + (h * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])) / 6);
  }
  return y;
}

function moved(y: readonly number[], h: number, k: readonly number[]): number[] {
  return y.map((yi, i) => yi + h * k[i]);
}

/**
 * Linear least squares (GradBench `llsq`): the polynomial sum_j x_j t^j against the sign of t, at n points of [-1, 1]. Half the
 * sum of squared residuals.
 *
 * @param x [m] coefficients
 * @param n number of points, at least 2
 */
export function leastSquares(x: readonly number[], n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const t = -1 + (2 * i) / (n - 1);
    let residual = Math.sign(t);
    let power = 1;
    for (const coefficient of x) {
      residual -= coefficient * power;
      power *= t;
    }
    sum += residual * residual;
  }
  return sum / 2;
}

/** log(sum_i exp(x_i)), shifted by the largest x so that no exponential overflows (GradBench `lse`). */
export function logSumExp(x: readonly number[]): number {
  const shift = Math.max(...x);
  let sum = 0;
  for (const xi of x) sum += Math.exp(xi - shift);
  return shift + Math.log(sum);
}

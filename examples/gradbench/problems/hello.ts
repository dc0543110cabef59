/** GradBench `hello`: its derivative is 2 x. */
export function square(x: number): number {
  return x * x;
}

import type { Chain } from "../problems/problem.js";

export function value({ length }: Chain, [start, a, b]: readonly number[]): number {
  let s = start;
  const whole = Math.floor(length / 3);
  for (let i = 0; i < whole; i++) s = Math.sin(s) * a + b;
  const left = length % 3;
  if (left > 0) s = Math.sin(s);
  if (left > 1) s = s * a;
  return s;
}

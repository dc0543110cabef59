/**
 * A saddle point by descent within descent (GradBench `saddle`; Siskind and Pearlmutter 2008): the x that minimises the largest
 * payoff over y, then the y that maximises.
 */
import { argmax, argmin } from "./descent.js";

export function payoff([x1, x2]: readonly number[], [y1, y2]: readonly number[]): number {
  return x1 * x1 + x2 * x2 - (y1 * y1 + y2 * y2);
}

/** max over y of the payoff, y found by descent from `start`. */
export function worst(x: readonly number[], start: readonly number[]): number {
  return payoff(x, answer(x, start));
}

export function answer(x: readonly number[], start: readonly number[]): number[] {
  return argmax((y) => payoff(x, y), start);
}

/** x and y of the saddle, four numbers. */
export function saddlePoint(start: readonly number[]): number[] {
  const x = argmin((at) => worst(at, start), start);
  return [...x, ...answer(x, start)];
}

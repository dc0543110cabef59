/**
 * Gradient descent as GradBench has it for `particle` and `saddle`: a fixed first step size, doubled after ten accepted
 * steps, halved after one that does not descend. It may run inside a graph: its steps are then on the tape.
 */
import { valueAndGradient } from "backsweep";

type Objective = (x: readonly number[]) => number;

const NEAR = 1e-5;

export function argmin(objective: Objective, start: readonly number[]): number[] {
  let x = [...start];
  let here = valueAndGradient(objective, x);
  let size = 1e-5;
  let accepted = 0;
  while (norm(here.gradient) > NEAR) {
    if (accepted === 10) {
      size *= 2;
      accepted = 0;
      continue;
    }
    const next = x.map((xi, i) => xi - size * here.gradient[i]);
    if (norm(next.map((xi, i) => xi - x[i])) <= NEAR) break;
    const there = valueAndGradient(objective, next);
    if (there.value < here.value) {
      x = next;
      here = there;
      accepted++;
    } else {
      size /= 2;
      accepted = 0;
    }
  }
  return x;
}

export function argmax(objective: Objective, start: readonly number[]): number[] {
  return argmin((x) => -objective(x), start);
}

function norm(x: readonly number[]): number {
  let sum = 0;
  for (const xi of x) sum += xi * xi;
  return Math.sqrt(sum);
}

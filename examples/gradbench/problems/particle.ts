/**
 * A charged particle between two fixed charges (GradBench `particle`; Siskind and Pearlmutter 2008, "Using programming
 * language theory to make automatic differentiation sound and efficient"). The force is the gradient of a potential, taken by
 * a sweep inside the function that is itself differentiated.
 */
import { gradient, jvp } from "backsweep";

/** Potential at a point of two unit charges, at (10, 10 - w) and (10, 0). */
export function potential([x, y]: readonly number[], w: number): number {
  const first = Math.sqrt((x - 10) ** 2 + (y - (10 - w)) ** 2);
  const second = Math.sqrt((x - 10) ** 2 + y ** 2);
  return 1 / first + 1 / second;
}

type Field = (at: readonly number[]) => number;
/** The gradient of a field at a point. */
export type Slope = (field: Field, at: readonly number[]) => readonly number[];

/** By one reverse sweep. */
export const reverse: Slope = (field, at) => gradient(field, at);

/** By one forward sweep a coordinate. */
export const forward: Slope = (field, at) =>
  at.map((_, i) => {
    const along = at.map((_, k) => (k === i ? 1 : 0));
    return jvp(field, along, at).tangents[0];
  });

/**
 * Square of the place where the particle's path meets the x axis: Euler's steps of size dt from (0, 8) with velocity
 * (0.75, 0), the last one cut short by linear interpolation.
 */
export function missSquared(w: number, dt = 0.1, slope = reverse): number {
  let x = 0;
  let y = 8;
  let vx = 0.75;
  let vy = 0;
  for (;;) {
    const [px, py] = slope((at) => potential(at, w), [x, y]);
    x += dt * vx;
    y += dt * vy;
    if (y <= 0) break;
    vx -= dt * px;
    vy -= dt * py;
  }
  const meeting = x - (y / vy) * vx;
  return meeting * meeting;
}

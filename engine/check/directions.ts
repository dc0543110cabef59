/** Directions and displacements that are random and the same in every check: the counter-based generator with a fixed key. */
import { philox, philoxUniform } from "../replay/philox.js";
import { powerBelow } from "./quotients.js";

const KEY = [0x0c4ec4, 0x5eed] as const;

/** The i-th draw of the n-th stream, of magnitude 1/2 to 1 and either sign. */
function signedDraw(stream: number, i: number): number {
  const u = philoxUniform(philox([i, stream, 0, 0], KEY));
  return u < 0.5 ? -1 + u : u;
}

/** The n-th direction at x: every coordinate moves by a half to all of its own size (1 where it is 0). */
export function direction(n: number, x: Float64Array): Float64Array {
  return x.map((value, i) => signedDraw(n, i) * powerBelow(value));
}

/** The n-th vector of `length` numbers of magnitude 1/2 to 1. */
export function weights(n: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => signedDraw(0x10000 + n, i));
}

/** Grid of the points a check moves to, relative to the size of a coordinate: short to print. */
const GRID = 2 ** -10;

/** Coordinates smaller than this move as if they were of this size: less would change nothing. */
const LEAST = 2 ** -30;

/**
 * The n-th point near x, about n/64 of each coordinate's size away, on a grid so that it prints short.
 *
 * @param scale a power of two, or minus one: the distance relative to that
 */
export function displaced(n: number, x: Float64Array, scale = 1): Float64Array {
  return x.map((value, i) => {
    const unit = Math.max(powerBelow(value), LEAST);
    const far = value + (scale * signedDraw(0x20000 + n, i) * unit * n) / 64;
    const grid = unit * GRID * Math.abs(scale);
    return Math.round(far / grid) * grid;
  });
}

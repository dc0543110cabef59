/** Length and angle of a point in the plane, from scaled coordinates: neither overflows nor underflows on the way. */
import { define, type ScalarPrimitive } from "./primitive.js";

/** Between these bounds a² + b² is exact enough as it stands. */
const SMALL = 1e-280;
const BIG = 1e300;

/** a / hypot(a, b): 0 at the origin (as the norm's gradient), NaN where a is infinite. */
function lengthSlope(a: number, b: number): number {
  const s = a * a + b * b;
  if (s > SMALL && s < BIG) return a / Math.sqrt(s);
  if (a === 0 && b === 0) return 0;
  if (Math.abs(b) === Infinity) return a / Infinity;
  const m = Math.max(Math.abs(a), Math.abs(b));
  const u = a / m;
  const v = b / m;
  return u / Math.sqrt(u * u + v * v);
}

/** b / (a² + b²), 0 at the origin. */
function angleSlope(a: number, b: number): number {
  const s = a * a + b * b;
  if (s > SMALL && s < BIG) return b / s;
  if (a === 0 && b === 0) return 0;
  const m = Math.max(Math.abs(a), Math.abs(b));
  if (m === Infinity) return b / m;
  const u = a / m;
  const v = b / m;
  return v / (u * u + v * v) / m;
}

/** pq / y³ for coordinates p and q of a vector of length y with the other coordinates op and oq; 0 at the origin. */
function lengthCurvature(p: number, op: number, q: number, oq: number, y: number): number {
  if (y === 0) return 0;
  const u = lengthSlope(p, op);
  const v = lengthSlope(q, oq);
  const product = u * v;
  return Math.abs(product) > SMALL ? product / y : u * (v / y);
}

/** Points with coordinates of this size are scaled, by a power of two, before their square is taken. */
const HUGE = 1e100;
const TINY = 1e-100;
const DOWN = 2 ** -600;
const UP = 2 ** 600;

/** The function, homogeneous of degree -2, at any point but the origin, where it is 0 by convention. */
function scaled(f: (a: number, b: number) => number, a: number, b: number): number {
  const m = Math.max(Math.abs(a), Math.abs(b));
  if (m === 0) return 0;
  // one infinite coordinate: the angle is flat there
  if (m === Infinity) return Math.abs(a) === Math.abs(b) ? NaN : 0;
  if (m > HUGE) return f(a * DOWN, b * DOWN) * DOWN * DOWN;
  return m < TINY ? f(a * UP, b * UP) * UP * UP : f(a, b);
}

/** 2ab / (a² + b²)². */
function angleTwist(a: number, b: number): number {
  return scaled((u, v) => 2 * (u / (u * u + v * v)) * (v / (u * u + v * v)), a, b);
}

/** (a² - b²) / (a² + b²)²; the difference as a product, so that it does not cancel. */
function angleMixed(a: number, b: number): number {
  return scaled((u, v) => ((u - v) / (u * u + v * v)) * ((u + v) / (u * u + v * v)), a, b);
}

export const plane: readonly ScalarPrimitive[] = [
  define({
    name: "hypot",
    operands: ["a", "b"],
    value: (a, b) => Math.hypot(a, b),
    local: [(a, b) => lengthSlope(a, b), (a, b) => lengthSlope(b, a)],
    second: [
      (a, b, _c, y) => lengthCurvature(b, a, b, a, y),
      (a, b, _c, y) => -lengthCurvature(a, b, b, a, y),
      (a, b, _c, y) => lengthCurvature(a, b, a, b, y),
    ],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 4, vjp: [6, 6] },
    kink: { at: (a, b) => a === 0 && b === 0, convention: "derivatives 0 and 0 at (0, 0), as the norm" },
    formula: "sqrt(a * a + b * b)",
    derivatives: ["y == 0 ? 0 : a / y", "y == 0 ? 0 : b / y"],
    doc: "Length of (a, b); the direction is formed from scaled operands, so it is right at 1e200 and 1e-320.",
  }),
  define({
    name: "atan2",
    operands: ["a", "b"],
    value: (a, b) => Math.atan2(a, b),
    local: [(a, b) => angleSlope(a, b), (a, b) => -angleSlope(b, a)],
    second: [(a, b) => -angleTwist(a, b), angleMixed, angleTwist],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 2, vjp: [5, 5] },
    kink: {
      at: (a, b) => a === 0 && b <= 0,
      convention: "derivatives 0 and 0 at (0, 0); on the cut (a = 0, b < 0) those of the side a > 0",
    },
    formula: "atan2(a, b)",
    derivatives: ["r == 0 ? 0 : b / r / r, r = hypot(a, b)", "r == 0 ? 0 : -a / r / r, r = hypot(a, b)"],
    doc: "Angle of the point with ordinate a and abscissa b; scaled, so it is right at 1e200 and 1e-200.",
  }),
];

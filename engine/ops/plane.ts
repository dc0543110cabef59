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

export const plane: readonly ScalarPrimitive[] = [
  define({
    name: "hypot",
    operands: ["a", "b"],
    value: (a, b) => Math.hypot(a, b),
    local: [(a, b) => lengthSlope(a, b), (a, b) => lengthSlope(b, a)],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 4, vjp: [6, 6] },
    kink: { at: (a, b) => a === 0 && b === 0, convention: "derivatives 0 and 0 at (0, 0), as the norm" },
    formula: "sqrt(a * a + b * b)",
    derivatives: ["a / y", "b / y"],
    doc: "Length of (a, b); the direction is formed from scaled operands, so it is right at 1e200 and 1e-320.",
  }),
  define({
    name: "atan2",
    operands: ["a", "b"],
    value: (a, b) => Math.atan2(a, b),
    local: [(a, b) => angleSlope(a, b), (a, b) => -angleSlope(b, a)],
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
    derivatives: ["b / (a * a + b * b)", "-a / (a * a + b * b)"],
    doc: "Angle of the point with ordinate a and abscissa b; scaled, so it is right at 1e200 and 1e-200.",
  }),
];

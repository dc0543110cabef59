/**
 * Selections: functions made of pieces. A piece that was not taken contributes exactly 0, not 0·g, so an infinite or NaN
 * cotangent does not leak into it.
 */
import { define, nothing, type ScalarPrimitive } from "./primitive.js";

/**
 * Share of the cotangent that goes to `a`, given whether a comparison has it win or lose: halves for a tie, and a NaN
 * wins over a number, since the output's NaN is its own (PyTorch gives both operands 1 there, JAX 0; neither is adjoint
 * to a JVP).
 */
function share(a: number, b: number, wins: boolean, loses: boolean): number {
  if (wins) return 1;
  if (loses) return 0;
  if (a === b) return 0.5;
  return a === a ? 0 : b === b ? 1 : 0.5;
}

const shareOfMax = (a: number, b: number): number => share(a, b, a > b, a < b);
const shareOfMin = (a: number, b: number): number => share(a, b, a < b, a > b);

const pullShare = (g: number, part: number): number => (part === 0 ? 0 : g * part);

const inside = (x: number, lo: number, hi: number): boolean => x >= lo && x <= hi;
const below = (x: number, lo: number, hi: number): boolean => x < lo && lo <= hi;
const above = (x: number, lo: number, hi: number): boolean => Math.max(x, lo) > hi;

export const piecewise: readonly ScalarPrimitive[] = [
  define({
    name: "abs",
    operands: ["x"],
    value: (a) => Math.abs(a),
    local: [(a) => Math.sign(a)],
    second: [null],
    saves: [[0]],
    cost: { value: 1, vjp: [1] },
    kink: { at: (a) => a === 0, convention: "derivative 0 at 0" },
    formula: "abs(x)",
    derivatives: ["sign(x)"],
    doc: "Absolute value.",
  }),
  define({
    name: "sign",
    operands: ["x"],
    value: (a) => Math.sign(a),
    local: [() => 0],
    vjp: [nothing],
    second: [null],
    saves: [[]],
    cost: { value: 1, vjp: [0] },
    kink: { at: (a) => a === 0, convention: "derivative 0 at 0, where the value jumps" },
    formula: "sign(x)",
    derivatives: ["0"],
    doc: "Sign: -1, 0 or 1 (Math.sign keeps -0 and NaN).",
  }),
  define({
    name: "min",
    operands: ["a", "b"],
    value: (a, b) => Math.min(a, b),
    local: [(a, b) => shareOfMin(a, b), (a, b) => shareOfMin(b, a)],
    vjp: [(g, a, b) => pullShare(g, shareOfMin(a, b)), (g, a, b) => pullShare(g, shareOfMin(b, a))],
    second: [null, null, null],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 1, vjp: [1, 1] },
    kink: { at: (a, b) => a === b, convention: "equal operands get one half each" },
    formula: "min(a, b)",
    derivatives: ["a < b ? 1 : a > b ? 0 : 0.5", "b < a ? 1 : b > a ? 0 : 0.5"],
    doc: "The smaller of two; a tie is shared evenly.",
  }),
  define({
    name: "max",
    operands: ["a", "b"],
    value: (a, b) => Math.max(a, b),
    local: [(a, b) => shareOfMax(a, b), (a, b) => shareOfMax(b, a)],
    vjp: [(g, a, b) => pullShare(g, shareOfMax(a, b)), (g, a, b) => pullShare(g, shareOfMax(b, a))],
    second: [null, null, null],
    saves: [
      [0, 1],
      [0, 1],
    ],
    cost: { value: 1, vjp: [1, 1] },
    kink: { at: (a, b) => a === b, convention: "equal operands get one half each" },
    formula: "max(a, b)",
    derivatives: ["a > b ? 1 : a < b ? 0 : 0.5", "b > a ? 1 : b < a ? 0 : 0.5"],
    doc: "The greater of two; a tie is shared evenly.",
  }),
  define({
    name: "clip",
    operands: ["x", "lo", "hi"],
    value: (x, lo, hi) => Math.min(Math.max(x, lo), hi),
    local: [
      (x, lo, hi) => (inside(x, lo, hi) ? 1 : 0),
      (x, lo, hi) => (below(x, lo, hi) ? 1 : 0),
      (x, lo, hi) => (above(x, lo, hi) ? 1 : 0),
    ],
    vjp: [
      (g, x, lo, hi) => (inside(x, lo, hi) ? g : 0),
      (g, x, lo, hi) => (below(x, lo, hi) ? g : 0),
      (g, x, lo, hi) => (above(x, lo, hi) ? g : 0),
    ],
    second: [null, null, null, null, null, null],
    saves: [
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ],
    cost: { value: 2, vjp: [1, 1, 1] },
    kink: {
      at: (x, lo, hi) => x === lo || x === hi || (lo === hi && x < lo),
      convention: "at a bound x takes the whole derivative, the bound 0",
    },
    formula: "min(max(x, lo), hi)",
    derivatives: ["lo <= x && x <= hi ? 1 : 0", "x < lo && lo <= hi ? 1 : 0", "max(x, lo) > hi ? 1 : 0"],
    doc: "x held between bounds (∓Infinity for none); with lo > hi the value is hi.",
  }),
  define({
    name: "where",
    operands: ["cond", "a", "b"],
    value: (cond, a, b) => (cond ? a : b),
    local: [() => 0, (cond) => (cond ? 1 : 0), (cond) => (cond ? 0 : 1)],
    vjp: [nothing, (g, cond) => (cond ? g : 0), (g, cond) => (cond ? 0 : g)],
    second: [null, null, null, null, null, null],
    saves: [[], [0], [0]],
    cost: { value: 1, vjp: [0, 0, 0] },
    formula: "cond ? a : b",
    derivatives: ["0", "cond ? 1 : 0", "cond ? 0 : 1"],
    doc: "Selection by a condition (truthy as in JavaScript), a decision through which no derivative flows; both branches were evaluated, so an infinite slope in the one not taken still turns its zero into NaN further down.",
  }),
];

/**
 * The two remainders. The derivative in the divisor is minus the quotient that belongs to the *value*: 1 % 0.1 is
 * 0.0999... because the double nearest 0.1 goes into 1 nine times, so it is -9 although 1 / 0.1 rounds to 10.
 */
import { define, type ScalarPrimitive } from "./primitive.js";

/** a modulo b with the sign of b (Python's, NumPy's %); JavaScript's % has the sign of a. Zeros keep the sign of a. */
function floorMod(a: number, b: number): number {
  const r = a % b;
  return r !== 0 && r < 0 !== b < 0 ? r + b : r;
}

/** Integer quotient (a - y) / b of a remainder y; where there is no remainder (b = 0, a infinite) it is NaN. */
function quotient(a: number, b: number, y: number): number {
  // a - y is b times an integer up to rounding, so the quotient is too; an infinite b has quotient 0 if y is a
  return a === y ? 0 : Math.round((a - y) / b);
}

function truncQuotient(a: number, b: number): number {
  const y = a % b;
  return y === y ? quotient(a, b, y) : Math.trunc(a / b);
}

function floorQuotient(a: number, b: number): number {
  const y = floorMod(a, b);
  if (Math.abs(y) === Infinity) return -1; // a finite, b infinite with the other sign
  if (y === y) return quotient(a, b, y);
  return Math.abs(a) === Infinity ? NaN : Math.floor(a / b);
}

/** True at the multiples of b, where the value jumps. */
const multiple = (a: number, b: number): boolean => b !== 0 && a % b === 0;

export const remainder: readonly ScalarPrimitive[] = [
  define({
    name: "mod",
    operands: ["a", "b"],
    value: (a, b) => a % b,
    local: [() => 1, (a, b) => -truncQuotient(a, b)],
    vjp: [(g) => g, undefined],
    second: [null, null, null],
    saves: [[], [0, 1]],
    cost: { value: 1, vjp: [0, 6] },
    domain: "b ≠ 0",
    kink: {
      // -0.1 % 2 is -0.1: through 0 itself it runs straight
      at: (a, b) => a !== 0 && multiple(a, b),
      convention: "where a is a multiple of b: 1 in a, minus the quotient in b",
    },
    infix: "%",
    formula: "a - b * trunc(a / b)",
    derivatives: ["1", "-round((a - y) / b)"],
    doc: "JavaScript's remainder, with the sign of the dividend; the quotient is the one its value has.",
  }),
  define({
    name: "floorMod",
    operands: ["a", "b"],
    value: floorMod,
    local: [() => 1, (a, b) => -floorQuotient(a, b)],
    vjp: [(g) => g, undefined],
    second: [null, null, null],
    saves: [[], [0, 1]],
    cost: { value: 3, vjp: [0, 8] },
    domain: "b ≠ 0",
    kink: { at: multiple, convention: "where a is a multiple of b: 1 in a, minus the quotient in b" },
    formula: "a - b * floor(a / b)",
    derivatives: ["1", "-round((a - y) / b)"],
    doc: "Remainder with the sign of the divisor (NumPy's and Python's); the quotient is the one its value has.",
  }),
];

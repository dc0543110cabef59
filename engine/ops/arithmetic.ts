/** Arithmetic: + - * / and negation, with the two special cases of them that are worth a row of their own. */
import { define, type ScalarPrimitive } from "./primitive.js";

/**
 * -(g/b)·y, the slot the divisor fills. The quotient y stands for a/b, so g/b is shared with slot 0. For y = 0 and a
 * subnormal divisor g/b overflows though the contribution is 0, not Infinity·0.
 */
function pullDivisor(g: number, b: number, y: number): number {
  const contribution = -(g / b) * y;
  if (contribution !== contribution && y === 0 && Number.isFinite(g)) return 0;
  return contribution;
}

export const arithmetic: readonly ScalarPrimitive[] = [
  define({
    name: "add",
    operands: ["a", "b"],
    value: (a, b) => a + b,
    local: [() => 1, () => 1],
    vjp: [(g) => g, (g) => g],
    second: [null, null, null],
    saves: [[], []],
    cost: { value: 1, vjp: [0, 0] },
    basic: true,
    infix: "+",
    formula: "a + b",
    derivatives: ["1", "1"],
    doc: "Sum; passes its cotangent on unchanged to both operands.",
  }),
  define({
    name: "sub",
    operands: ["a", "b"],
    value: (a, b) => a - b,
    local: [() => 1, () => -1],
    vjp: [(g) => g, (g) => -g],
    second: [null, null, null],
    saves: [[], []],
    // the sign is the accumulation's: a -= g instead of a += g
    cost: { value: 1, vjp: [0, 0] },
    basic: true,
    infix: "-",
    formula: "a - b",
    derivatives: ["1", "-1"],
    doc: "Difference; the subtrahend gets the negated cotangent.",
  }),
  define({
    name: "mul",
    operands: ["a", "b"],
    value: (a, b) => a * b,
    local: [(_a, b) => b, (a) => a],
    second: [null, () => 1, null],
    saves: [[1], [0]],
    cost: { value: 1, vjp: [1, 1] },
    basic: true,
    infix: "*",
    formula: "a * b",
    derivatives: ["b", "a"],
    doc: "Product; each operand gets the cotangent times the other one.",
  }),
  define({
    name: "div",
    operands: ["a", "b"],
    value: (a, b) => a / b,
    local: [(_a, b) => 1 / b, (_a, b, _c, y) => pullDivisor(1, b, y)],
    vjp: [(g, _a, b) => g / b, (g, _a, b, _c, y) => pullDivisor(g, b, y)],
    second: [null, (_a, b) => -1 / b / b, (_a, b, _c, y) => 2 * (y / b / b)],
    saves: [[1], [1, "output"]],
    cost: { value: 1, vjp: [1, 1] },
    basic: true,
    domain: "b ≠ 0",
    infix: "/",
    formula: "a / b",
    derivatives: ["1 / b", "-y / b"],
    doc: "Quotient; contributions are g/b and -(g/b)*y, which neither square the divisor nor read the dividend.",
  }),
  define({
    name: "neg",
    operands: ["x"],
    value: (a) => -a,
    local: [() => -1],
    vjp: [(g) => -g],
    second: [null],
    saves: [[]],
    cost: { value: 1, vjp: [0] },
    basic: true,
    infix: "-",
    formula: "-x",
    derivatives: ["-1"],
    doc: "Negation.",
  }),
  define({
    name: "square",
    operands: ["x"],
    value: (a) => a * a,
    local: [(a) => 2 * a],
    second: [() => 2],
    saves: [[0]],
    cost: { value: 1, vjp: [2] },
    formula: "x * x",
    derivatives: ["2 * x"],
    doc: "Square: one edge where x * x has two.",
  }),
  define({
    name: "reciprocal",
    operands: ["x"],
    value: (a) => 1 / a,
    local: [(_a, _b, _c, y) => -y * y],
    // from the left: y² may overflow where (g·y)·y does not
    vjp: [(g, _a, _b, _c, y) => -(g * y) * y],
    second: [(_a, _b, _c, y) => 2 * y * y * y],
    saves: [["output"]],
    cost: { value: 1, vjp: [2] },
    domain: "x ≠ 0",
    formula: "1 / x",
    derivatives: ["-y * y"],
    doc: "Reciprocal; the rule reads only the output.",
  }),
];

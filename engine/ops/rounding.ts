/** Roundings to an integer: steps. Their derivative is 0 on every step and, by convention, at the edges too. */
import { define, nothing, type ScalarPrimitive, type Value } from "./primitive.js";

/** From here on every double is an integer, and adding it rounds a smaller number to one, half to even. */
const TWO_52 = 2 ** 52;

/** Half to even, as NumPy, PyTorch and JAX do; Math.round takes halves upward. Keeps the sign of a zero. */
export function roundHalfEven(a: number): number {
  if (a === 0 || !(Math.abs(a) < TWO_52)) return a;
  const r = Math.abs(a) + TWO_52 - TWO_52;
  return a < 0 ? -r : r;
}

interface Step {
  readonly name: string;
  readonly value: Value;
  readonly edge: (a: number) => boolean;
  readonly edges: string;
  readonly doc: string;
}

function step({ name, value, edge, edges, doc }: Step): ScalarPrimitive {
  return define({
    name,
    operands: ["x"],
    value,
    local: [() => 0],
    vjp: [nothing],
    second: [null],
    saves: [[]],
    cost: { value: 1, vjp: [0] },
    kink: { at: edge, convention: `derivative 0 at ${edges}, where the value jumps` },
    formula: `${name}(x)`,
    derivatives: ["0"],
    doc,
  });
}

export const rounding: readonly ScalarPrimitive[] = [
  step({
    name: "floor",
    value: (a) => Math.floor(a),
    edge: (a) => Number.isInteger(a),
    edges: "the integers",
    doc: "Largest integer not above x.",
  }),
  step({
    name: "ceil",
    value: (a) => Math.ceil(a),
    edge: (a) => Number.isInteger(a),
    edges: "the integers",
    doc: "Smallest integer not below x.",
  }),
  step({
    name: "round",
    value: roundHalfEven,
    edge: (a) => !Number.isInteger(a) && Number.isInteger(2 * a),
    edges: "the halves",
    doc: "Nearest integer, halves to the even one (Math.round takes them upward).",
  }),
  step({
    name: "trunc",
    value: (a) => Math.trunc(a),
    edge: (a) => a !== 0 && Number.isInteger(a),
    edges: "the integers other than 0",
    doc: "The integer part, toward 0.",
  }),
];

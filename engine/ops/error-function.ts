/** Rows of the error function and its complement; how they are computed stands in `numeric/erf.ts`. */
import { erf, erfc, erfSlope } from "./numeric/erf.js";
import { define, type ScalarPrimitive } from "./primitive.js";

export const errorFunction: readonly ScalarPrimitive[] = [
  define({
    name: "erf",
    operands: ["x"],
    value: erf,
    local: [erfSlope],
    saves: [[0]],
    cost: { value: 1, vjp: [4] },
    formula: "erf(x)",
    derivatives: ["2 / sqrt(π) * exp(-x * x)"],
    doc: "Error function.",
  }),
  define({
    name: "erfc",
    operands: ["x"],
    value: erfc,
    local: [(a) => -erfSlope(a)],
    saves: [[0]],
    cost: { value: 1, vjp: [4] },
    formula: "1 - erf(x)",
    derivatives: ["-2 / sqrt(π) * exp(-x * x)"],
    doc: "Complementary error function, without the cancellation of 1 - erf(x).",
  }),
];

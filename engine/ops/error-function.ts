/** Rows of the error function and its complement; how they are computed stands in `numeric/erf.ts`. */
import { erf, erfc, erfSlope, gaussian } from "./numeric/erf.js";
import { define, type ScalarPrimitive } from "./primitive.js";

/** -4x/√π·exp(-x²); 0 where x² leaves the range of exp, before x does. */
function erfCurvature(x: number): number {
  return Math.abs(x) > 1e3 ? 0 : gaussian(x, 1, -2.256758334191025 * x);
}

export const errorFunction: readonly ScalarPrimitive[] = [
  define({
    name: "erf",
    operands: ["x"],
    value: erf,
    local: [erfSlope],
    second: [erfCurvature],
    saves: [[0]],
    cost: { value: 1, vjp: [4] },
    formula: "erf(x)",
    derivatives: ["2 / sqrt(PI) * exp(-x * x)"],
    doc: "Error function.",
  }),
  define({
    name: "erfc",
    operands: ["x"],
    value: erfc,
    local: [(a) => -erfSlope(a)],
    second: [(a) => -erfCurvature(a)],
    saves: [[0]],
    cost: { value: 1, vjp: [4] },
    formula: "1 - erf(x)",
    derivatives: ["-2 / sqrt(PI) * exp(-x * x)"],
    doc: "Complementary error function, without the cancellation of 1 - erf(x).",
  }),
];

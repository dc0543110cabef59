import { describe, expect, it } from "vitest";
import { scalar } from "../../../../engine/tape/ndarray.js";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

/** Scalar rows lifted to arrays, with the parameters of the reference as constant operands. */
function call(c: Case): Call {
  const p = c.params;
  const constants = (...values: unknown[]): Pick<Call, "params" | "constants"> => ({
    params: {},
    constants: values.map((value) => scalar(Number(value))),
  });
  switch (c.op) {
    case "mod":
      return { op: p.kind === "floor" ? "floorMod" : "mod", params: {} };
    case "gelu":
      return { op: p.approximate === "tanh" ? "geluTanh" : "gelu", params: {} };
    case "elu":
      return { op: "elu", ...constants(p.alpha) };
    case "leakyRelu":
      return { op: "leakyRelu", ...constants(p.slope) };
    case "powScalar":
      return { op: "pow", ...constants(p.exponent) };
    case "clip":
      return { op: "clip", ...constants(p.min ?? -Infinity, p.max ?? Infinity) };
    default:
      return { op: c.op, params: {} };
  }
}

/** Deviations of the scalar rows, which `reference.test.ts` gives the reasons for: JavaScript's pow, atan2 at (0, 0). */
const byIntent: Readonly<Record<string, RegExp>> = {
  "binary/pow/special": /^value\[\d+\]: NaN, expected 1$/,
  "unary/powScalar/special": /^value\[\d+\]: NaN, expected 1$/,
  "binary/atan2/special": /^jvp\[[012]\]: 0, expected NaN$/,
};

for (const file of ["unary", "binary", "broadcast"] as const) {
  describe(`lifted scalar primitives: ${file}`, () => {
    for (const c of cases(file)) {
      it(c.id, () => {
        const wrong = failures(c, evaluate(c, call(c)), tolerances(file, c));
        expect(wrong.filter((line) => byIntent[c.id]?.test(line) !== true)).toEqual([]);
      });
    }
  });
}

import { describe, expect, it } from "vitest";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { loopedPull, loopedPulls } from "../../../../engine/ops/array/pulls.js";
import { contribution, primitive } from "../../../../engine/ops/table.js";
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

describe("contributions in loops of their own", () => {
  for (const name of loopedPulls) {
    it(`${name}: bit for bit the scalar row's`, () => {
      const row = primitive(name);
      const specials = [0, -0, 1, -1, 0.3, -2.7, 25, -25, 800, 1e-300, Infinity, -Infinity, NaN];
      const x = Float64Array.from(specials);
      const y = x.map((a) => row.value(a, 0, 0));
      for (const g of [1, -0.7, 0, Infinity]) {
        const got = loopedPull(
          name,
          x.map(() => g),
          x,
          y,
          numeric,
        )!;
        got.forEach((c, i) => expect(c).toBe(contribution(row, 0, g, x[i], 0, 0, y[i])));
      }
    });
  }
});

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

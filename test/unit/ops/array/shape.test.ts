import { describe, expect, it } from "vitest";
import { defineComposite } from "../../../../engine/ops/array/composite.js";
import { enterRow } from "../../../../engine/ops/array/lookup.js";
import { fromNested } from "../../../../engine/tape/ndarray.js";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

type Condition = boolean | readonly Condition[];
const asNumbers = (condition: Condition): number | unknown[] =>
  typeof condition === "boolean" ? Number(condition) : condition.map(asNumbers);

// the reference has the condition as a parameter: here it is a constant operand, the first
enterRow(
  defineComposite({
    name: "test.where",
    operands: ["a", "b"],
    formulaOf: (k, [a, b], params) =>
      k.apply("where", [k.constant(fromNested(asNumbers(params.condition as Condition))), a, b]),
    formula: "",
    rule: "",
    doc: "",
  }),
);

enterRow(
  defineComposite({
    name: "test.sqrtGuard",
    operands: ["x"],
    formulaOf(k, [x]) {
      const positive = k.apply("max", [k.unary("sign", x), k.number(0)]);
      return k.apply("where", [positive, k.unary("sqrt", x), k.number(0)]);
    },
    formula: "",
    rule: "",
    doc: "",
  }),
);

function call(c: Case): Call {
  if (c.op !== "where") return { op: c.op, params: c.params };
  return { op: c.params.expr === undefined ? "test.where" : "test.sqrtGuard", params: c.params };
}

describe("moves and products against the reference", () => {
  for (const c of cases("shape")) {
    it(c.id, () => {
      expect(failures(c, evaluate(c, call(c)), tolerances("shape", c))).toEqual([]);
    });
  }
});

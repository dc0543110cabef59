/** The table of rules, in the order of the documentation. A new rule is one file and one row. */
import type { Rule } from "../report.js";
import { overwritingAccumulation } from "./overwriting-accumulation.js";

export const rules: readonly Rule[] = [overwritingAccumulation];

export function ruleNamed(name: string): Rule | undefined {
  return rules.find((rule) => rule.name === name);
}

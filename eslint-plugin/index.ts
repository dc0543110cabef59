/**
 * `backsweep/eslint-plugin`: the static checks as an ESLint plugin.
 *
 *     import backsweep from "backsweep/eslint-plugin";
 *     export default [backsweep.configs.recommended];
 *
 * Flat config, ESLint 9 or newer, with espree or @typescript-eslint/parser. Rules are `backsweep/NAME`; each takes
 * `{ evidence, gradientNames, resetNames, helperNames, assumeChain }`, which `settings.backsweep` gives to all of them.
 */
import { VERSION } from "../engine/graph/version.js";
import { rules as all } from "../engine/lint/rules/index.js";
import { eslintRule } from "./rule.js";
import type { RuleModule } from "./types.js";

export type { EvidenceWanted, RuleOptions } from "./options.js";
export type { RuleModule } from "./types.js";

export interface Config {
  readonly name: string;
  plugins: Record<string, Pick<BacksweepPlugin, "meta" | "rules">>;
  /** one severity a rule */
  rules: Record<string, "error" | "warn">;
}

export interface BacksweepPlugin {
  meta: { name: string; version: string; namespace: string };
  rules: Record<string, RuleModule>;
  configs: { recommended: Config };
}

export const meta = { name: "backsweep", version: VERSION, namespace: "backsweep" };

export const rules: Record<string, RuleModule> = Object.fromEntries(
  all.map((rule) => [rule.name, eslintRule(rule)]),
);

const recommended: Config["rules"] = {};
for (const { name, severity } of all)
  recommended[`backsweep/${name}`] = severity["proven-siblings"] === "error" ? "error" : "warn";

const plugin: BacksweepPlugin = {
  meta,
  rules,
  // a configuration names its plugin, and the plugin its configurations
  get configs() {
    return configs;
  },
};

export const configs: { recommended: Config } = {
  recommended: { name: "backsweep/recommended", plugins: { backsweep: plugin }, rules: recommended },
};

// the second name is what `require` gives in Node 23 and newer
export { plugin as default, plugin as "module.exports" };

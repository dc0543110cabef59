/** The table of commands, in the order in which `--help` lists them. */
import type { AnalysisKind } from "../engine/analysis/analysis.js";
import type { AnalysisCommand, CommandSpec } from "./command.js";
import { audit } from "./audit.js";
import { check } from "./check.js";
import { hvp } from "./hvp.js";
import { jacobian } from "./jacobian.js";
import { lint } from "./lint.js";
import { plan } from "./plan.js";
import { expr } from "./expr.js";
import { run } from "./run-command.js";
import { spread } from "./spread.js";
import { steps } from "./steps.js";

/** Commands that ask for an analysis, by its kind. */
export const analysisCommands: { readonly [K in AnalysisKind]: AnalysisCommand<K> } = {
  check,
  steps,
  expr,
  jacobian,
  hvp,
  spread,
};

export const commands: readonly CommandSpec[] = [run, ...Object.values(analysisCommands), plan, lint, audit];

export function isAnalysis(name: string): name is AnalysisKind {
  return Object.hasOwn(analysisCommands, name);
}

/** Commands of the product that this version does not have; they have one answer each. */
export const LATER_COMMANDS: readonly string[] = ["compare", "replay", "report", "open", "check-trace"];

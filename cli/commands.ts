/** The table of commands, in the order in which `--help` lists them. */
import type { AnalysisKind } from "../engine/analysis/analysis.js";
import type { AnalysisCommand, CommandSpec } from "./command.js";
import { audit } from "./audit.js";
import { check } from "./check.js";
import { compare } from "./compare.js";
import { hvp } from "./hvp.js";
import { jacobian } from "./jacobian.js";
import { lint } from "./lint.js";
import { plan } from "./plan.js";
import { expr } from "./expr.js";
import { replay } from "./replay.js";
import { run } from "./run-command.js";
import { spread } from "./spread.js";
import { steps } from "./steps.js";

/** Analyses that are commands; `compare` asks for one in a process of its own for every schedule. */
export type CommandKind = Exclude<AnalysisKind, "compare">;

/** Commands that ask for an analysis, by its kind. */
export const analysisCommands: { readonly [K in CommandKind]: AnalysisCommand<K> } = {
  check,
  steps,
  expr,
  jacobian,
  hvp,
  spread,
  replay,
};

export const commands: readonly CommandSpec[] = [
  run,
  ...Object.values(analysisCommands),
  compare,
  plan,
  lint,
  audit,
];

export function isAnalysis(name: string): name is CommandKind {
  return Object.hasOwn(analysisCommands, name);
}

/** Commands of the product that this version does not have; they have one answer each. */
export const LATER_COMMANDS: readonly string[] = ["report", "open", "check-trace"];

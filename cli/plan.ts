/** The words and options of `backsweep plan`; `plan-command.ts` does it. */
import { MOST } from "../engine/checkpoint/arguments.js";
import { scheduleKinds } from "../engine/checkpoint/kinds.js";
import type { CommandSpec, OptionValues } from "./command.js";
import { UsageError } from "./usage-error.js";

/** What `plan` is asked for: one section or several. */
export interface PlanRequest {
  /** null where only depths are asked for */
  readonly steps: number | null;
  readonly schedule: string | null;
  readonly actions: boolean;
  readonly sweepBlock: boolean;
  readonly depths: { readonly from: number; readonly to: number } | null;
}

export interface PlanCall {
  readonly command: "plan";
  readonly request: PlanRequest;
  readonly print: "human" | "json";
}

export const plan: CommandSpec = {
  name: "plan",
  graphless: true,
  usage: "--steps N --schedule S",
  summary: "a checkpoint schedule for a chain of steps: what it holds, what it runs, its actions",
  about: [
    "No graph is read. Two ways of counting stand side by side: the model (the textbook's theorem on uniform blocks) and executed (the schedule's own actions, run and checked one by one). " +
      "A forward evaluation is an advance, which keeps nothing, or a record, which keeps the step's tape for its reversal.",
    "Schedules:",
    ...scheduleKinds.map(({ form, about }) => `${form}: ${about}.`),
  ],
  options: {
    steps: { value: "N", help: "length of the chain, from 1 to 10^15" },
    schedule: { value: "S", help: "a schedule, such as uniform:8 or revolve:10" },
    actions: { help: "list the actions" },
    "sweep-block": { help: "the table and the figure over all block lengths of uniform:k" },
    depths: {
      value: "A..B",
      help: "the best block length of every depth from A to B, beside the square root",
    },
  },
  finding: null,
};

/** From the options to what is asked for. Throws UsageError. */
export function readPlan(values: OptionValues): PlanRequest {
  const steps = values.text("steps");
  const schedule = values.text("schedule");
  const depths = values.text("depths");
  const actions = values.flag("actions");
  const blocks = values.flag("sweep-block");
  if (steps === undefined && (schedule !== undefined || blocks || actions || depths === undefined))
    throw new UsageError("plan: how long is the chain? use --steps N");
  if (schedule === undefined && actions) throw new UsageError("plan: --actions needs --schedule S");
  if (schedule === undefined && !blocks && depths === undefined)
    throw new UsageError("plan: which schedule? use --schedule S, such as --schedule revolve:10");
  return {
    steps: steps === undefined ? null : wholeNumber("--steps", steps),
    schedule: schedule ?? null,
    actions,
    sweepBlock: blocks,
    depths: depths === undefined ? null : range(depths),
  };
}

function wholeNumber(option: string, text: string): number {
  const value = /^\d+(e\d+)?$/i.test(text.trim()) ? Number(text) : NaN;
  if (!(value >= 1 && value <= MOST))
    throw new UsageError(`${option}: "${text}" is no whole number from 1 to 10^15`);
  return value;
}

function range(text: string): { readonly from: number; readonly to: number } {
  const match = /^(\d+)\.\.(\d+)$/.exec(text.trim());
  if (match === null) throw new UsageError(`--depths: "${text}" is no range such as 16..4096`);
  return { from: Number(match[1]), to: Number(match[2]) };
}

/** A schedule's counts for a chain of a length: what `plan` prints. */
import { BacksweepError } from "../trace/failure.js";
import { withJson } from "../trace/plain-json.js";
import type { CountsOf, ModelCounts, Schedule } from "./actions.js";
import { MOST } from "./arguments.js";
import { countStream } from "./count.js";
import { parseSchedule } from "./parse.js";

/** Streams of more actions are counted in closed form where there is one. */
const MOST_COUNTED = 1e7;
/** Streams of more actions are not run at all: minutes. */
const MOST_RUN = 2e9;

/** Counts that may leave the safe integers. */
export type ExactCounts = CountsOf<number | bigint>;

export interface Plan {
  readonly schedule: string;
  readonly steps: number;
  readonly countedBy: "stream" | "closed form";
  /** the textbook count model; null where the schedule has none */
  readonly model: ModelCounts | null;
  /** what running the stream counts */
  readonly executed: ExactCounts;
  /** sentences for a person */
  readonly remarks: readonly string[];
  /** further facts of the schedule, by name */
  readonly details: Readonly<Record<string, unknown>>;
}

/** @throws BacksweepError `option` unless steps is a whole number from 1 to 10^15 */
export function needSteps(steps: number): void {
  if (!(Number.isSafeInteger(steps) && steps >= 1 && steps <= MOST))
    throw new BacksweepError("option", `the number of steps is a whole number from 1 to 10^15, not ${steps}`);
}

/**
 * Counts a schedule: by its own stream, checked action by action, or in closed form above 10^7 actions.
 *
 * @returns counts beyond 2^53 are BigInt; `JSON.stringify` writes them as decimal strings
 * @throws BacksweepError `option` for a number of steps out of range, or a schedule that cannot be planned for so many
 */
export function planSchedule(schedule: Schedule, steps: number, ...surplus: never[]): Plan {
  const usage = "planSchedule(schedule, steps)";
  if (typeof schedule?.actions !== "function")
    throw new BacksweepError("option", `${usage}: the schedule is what parseSchedule("revolve:4") gives`);
  if (surplus.some((x) => x !== undefined))
    throw new BacksweepError("option", `${usage} takes two arguments, and ${2 + surplus.length} were given`);
  needSteps(steps);
  const { executed, countedBy } = countSchedule(schedule, steps);
  return withJson({
    schedule: schedule.name,
    steps,
    countedBy,
    model: schedule.model?.(steps) ?? null,
    executed,
    remarks: schedule.remarks?.(steps) ?? [],
    details: schedule.details?.(steps) ?? {},
  });
}

/** The same without what is said about it. `most`: streams of more actions are counted in closed form where there is one. */
export function countSchedule(
  schedule: Schedule,
  steps: number,
  most = MOST_COUNTED,
): { readonly executed: ExactCounts; readonly countedBy: Plan["countedBy"] } {
  const length = schedule.length?.(steps) ?? 0;
  if (length > most) {
    const exact = schedule.closedForm?.(steps) ?? null;
    if (exact !== null) return { executed: safeWhereSmall(exact), countedBy: "closed form" };
    if (length > MOST_RUN)
      throw new BacksweepError(
        "option",
        `${schedule.name} has no closed form, and its stream for ${steps} steps is too long to run`,
      );
  }
  return { executed: countStream(schedule.name, steps, schedule.actions(steps)), countedBy: "stream" };
}

function safeWhereSmall(counts: CountsOf<bigint>): ExactCounts {
  const entries = Object.entries(counts) as [keyof ExactCounts, bigint][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value <= Number.MAX_SAFE_INTEGER ? Number(value) : value]),
  ) as unknown as ExactCounts;
}

export interface PlanRow {
  readonly schedule: string;
  /** null where the schedule cannot be planned for this chain */
  readonly plan: Plan | null;
  /** why not */
  readonly problem: string | null;
}

/**
 * One row a schedule, for a table side by side. A name that cannot be planned is a row that says why.
 *
 * @param names as typed: "revolve:8"
 * @throws BacksweepError `option` for a number of steps out of range
 */
export function planTable(steps: number, names: readonly string[]): PlanRow[] {
  needSteps(steps);
  return names.map((name) => {
    try {
      return { schedule: name, plan: planSchedule(parseSchedule(name), steps), problem: null };
    } catch (error) {
      if (!(error instanceof BacksweepError)) throw error;
      return { schedule: name, plan: null, problem: error.message };
    }
  });
}

/** `backsweep plan`: a schedule for a chain of steps, with no graph. */
import { parseSchedule } from "../engine/checkpoint/parse.js";
import { planSchedule } from "../engine/checkpoint/plan.js";
import { sweepBlock, sweepDepths } from "../engine/checkpoint/sweep-block.js";
import { BacksweepError } from "../engine/trace/failure.js";
import { writeAll } from "./output.js";
import type { PlanCall, PlanRequest } from "./plan.js";
import { planJson } from "./plan-json.js";
import { planPage } from "./plan-page.js";
import { withProgress } from "./progress.js";
import type { PlanSections } from "./plan-sections.js";
import { styleFor } from "./style.js";
import { UsageError } from "./usage-error.js";

/** Actions of a stream from which on it takes a while to count them. */
const LONG = 1e6;

/** Plans and prints; returns the exit code. */
export async function planCommand({ request, print }: PlanCall): Promise<number> {
  const sections = await withProgress("plan", (progress) => {
    if (isLong(request)) progress.begin();
    return told(() => sectionsOf(request));
  });
  const out = process.stdout;
  await writeAll(out, print === "json" ? planJson(sections) : planPage(sections, styleFor(out, process.env)));
  return 0;
}

/** True where counting takes a second or more. */
function isLong({ steps, schedule }: PlanRequest): boolean {
  if (schedule === null || steps === null) return false;
  return told(() => (parseSchedule(schedule).length?.(steps) ?? 0) >= LONG);
}

function sectionsOf({ steps, schedule, actions, sweepBlock: blocks, depths }: PlanRequest): PlanSections {
  const parsed = schedule === null ? null : parseSchedule(schedule);
  return {
    plan: parsed === null ? null : planSchedule(parsed, steps!),
    actions: parsed !== null && actions ? parsed.actions(steps!) : null,
    blocks: blocks ? sweepBlock(steps!) : null,
    depths: depths === null ? null : sweepDepths(depths.from, depths.to),
  };
}

/** What is wrong with the request, as one line. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BacksweepError && error.kind === "option")
      throw new UsageError(`plan: ${error.message}`);
    throw error;
  }
}

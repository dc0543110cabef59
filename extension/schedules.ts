/** Answers to the view about schedules that need no run: plans, the trade-off, the table over block lengths. No editor here. */
import type { Action } from "../engine/checkpoint/actions.js";
import { parseSchedule } from "../engine/checkpoint/parse.js";
import { planSchedule, type ExactCounts } from "../engine/checkpoint/plan.js";
import { sweepBlock } from "../engine/checkpoint/sweep-block.js";
import { binomialCurve, tradeOff } from "../engine/checkpoint/trade-off.js";
import type { BlockAnswerRow, BlocksAnswer, PlanAnswer, TradeOffAnswer } from "../engine/report/questions.js";
import { HoldFlag, SpaceTimeBuilder, type SpaceTime } from "../engine/report/space-time.js";

/** Block lengths drawn at most; the best ones are always among them. */
const MOST_BLOCKS = 600;

/**
 * One schedule on a chain of so many steps.
 *
 * @throws BacksweepError `option` for a name that is no schedule, or cannot be planned for so many
 */
export function planAnswer(steps: number, name: string): PlanAnswer {
  const schedule = parseSchedule(name);
  const { executed, countedBy, model, remarks } = planSchedule(schedule, steps);
  return {
    schedule: schedule.name,
    steps,
    countedBy,
    model,
    executed: safe(executed),
    remarks,
    diagram: diagramOf(steps, schedule.actions(steps)),
  };
}

/** A count beyond the safe integers goes as text: JSON has no word for it. */
function safe(counts: ExactCounts): PlanAnswer["executed"] {
  return Object.fromEntries(
    Object.entries(counts).map(([name, value]: [string, number | bigint]) => [
      name,
      typeof value === "bigint" ? value.toString() : value,
    ]),
  ) as PlanAnswer["executed"];
}

/** The space-time diagram of a stream, as far as it can be drawn. */
export function diagramOf(steps: number, actions: Iterable<Action>): SpaceTime {
  const builder = new SpaceTimeBuilder(steps);
  /** states in slots, by the builder's number of the slot */
  const states = new Map<number, number>();
  const place = (slot: number, level?: string): number => 2 * slot + (level === "disk" ? 1 : 0);
  for (const action of actions) {
    if (builder.full) break;
    if (action.kind === "advance") builder.advance(action.from, action.to);
    else if (action.kind === "record") builder.record(action.step);
    else if (action.kind === "reverse") builder.reverse(action.step);
    else if (action.kind === "uncompute")
      builder.uncompute(action.step, action.slot === undefined ? -1 : place(action.slot));
    else {
      const slot = place(action.slot, action.level);
      if (action.kind === "free") builder.free(slot);
      else if (action.kind === "restore") builder.restore(states.get(slot) ?? 0);
      else {
        states.set(slot, action.state);
        const tape = action.what === "tape" ? HoldFlag.tape : 0;
        const disk = action.level === "disk" ? HoldFlag.disk : 0;
        builder.store(action.state, slot, tape | disk | (action.open === true ? HoldFlag.open : 0));
      }
    }
  }
  return builder.finish();
}

/** Every usual schedule as a point. @throws BacksweepError `option` for a number of steps out of range */
export function tradeOffAnswer(steps: number): TradeOffAnswer {
  return { steps, points: tradeOff(steps), curve: binomialCurve(steps) };
}

/** The table over block lengths, thinned where it is longer than a picture is wide. @throws BacksweepError `option` */
export function blocksAnswer(steps: number): BlocksAnswer {
  const { rows, best, storeAll } = sweepBlock(steps);
  const stride = Math.ceil(rows.length / MOST_BLOCKS);
  const wanted = new Set(best.ties);
  const kept: BlockAnswerRow[] = rows.filter(
    ({ blockSize }) => (blockSize - 1) % stride === 0 || blockSize === rows.length || wanted.has(blockSize),
  );
  return { steps, rows: kept, best, storeAll };
}

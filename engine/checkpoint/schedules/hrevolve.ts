/**
 * `hrevolve:ram,disk[,uf,ub,wd,rd]` and `disk-revolve[:ram,uf,ub,wd,rd]`: the least cost over two levels of storage; with a number of
 * disk slots whose states may be read again and again, or with as many slots as are useful, each written and read once. A disk slot
 * is freed as soon as the rest of its part is reversed in RAM.
 */
import type { Action, Schedule } from "../actions.js";
import { countStream } from "../count.js";
import { reverseSegment, type SlotPlace } from "../segment.js";
import { TwoLevelTable, type LevelCosts } from "./two-level-table.js";
import { amount } from "../words.js";

const inRam = (depth: number): SlotPlace => ({ slot: depth, level: "ram" });

/** A part whose first state lies on disk, in the slot of its depth. */
interface OnDisk {
  readonly start: number;
  readonly end: number;
}

function* actions(steps: number, ram: number, disk: number, table: TwoLevelTable): Generator<Action> {
  const level = "disk";
  const parts: OnDisk[] = [];
  let start = 0;
  let end = steps;
  let onDisk = false;
  let read = false;
  for (;;) {
    // free disk slots, the one of `start` included when it lies there
    const free = disk - parts.length;
    const slot = parts.length;
    if (!onDisk && table.goesToDisk(end - start, free)) {
      yield { kind: "store", state: start, slot, level };
      onDisk = true;
      read = false;
    }
    const advance = onDisk ? table.divide(end - start, free, read) : 0;
    if (advance > 0) {
      yield { kind: "advance", from: start, to: start + advance };
      parts.push({ start, end: start + advance });
      start += advance;
      onDisk = false;
      continue;
    }
    if (onDisk) yield { kind: "free", slot, level };
    yield* reverseSegment(start, end, inRam, ram);
    const part = parts.pop();
    if (part === undefined) return;
    yield { kind: "restore", slot: parts.length, level };
    ({ start, end } = part);
    onDisk = true;
    read = true;
  }
}

/** @param costs of an advance, a recording with its reversal, a disk write and a disk read, in any one unit */
export function hrevolve(name: string, ram: number, disk: number, costs: LevelCosts): Schedule {
  return twoLevel(
    name,
    ram,
    disk,
    costs,
    (steps) => new TwoLevelTable(name, steps, ram, disk, costs),
    (steps) => [
      "the least of all schedules with these slots.",
      ...(disk > steps - 1
        ? [`${amount(disk, "disk slot")} are more than a chain of ${amount(steps, "step")} can use.`]
        : []),
    ],
  );
}

/** As many disk slots as are useful, each written once and read once. */
export function diskRevolve(name: string, ram: number, costs: LevelCosts): Schedule {
  return twoLevel(
    name,
    ram,
    Infinity,
    costs,
    (steps) => new TwoLevelTable(name, steps, ram, Infinity, costs, true),
    (steps) => {
      const again = new TwoLevelTable(name, steps, ram, Infinity, costs).optimum;
      return [
        "the least of all schedules that read a state on disk once.",
        `Read again and again, states on disk allow ${again} (hrevolve with enough disk slots).`,
      ];
    },
  );
}

function twoLevel(
  name: string,
  ram: number,
  disk: number,
  costs: LevelCosts,
  plan: (steps: number) => TwoLevelTable,
  what: (steps: number) => readonly string[],
): Schedule {
  let last: TwoLevelTable | null = null;
  const tableOf = (steps: number): TwoLevelTable => {
    if (last?.steps !== steps) last = plan(steps);
    return last;
  };
  const { uf, ub, wd, rd } = costs;
  return {
    name,
    actions: (steps) => actions(steps, ram, disk, tableOf(steps)),
    length: (steps) => 7 * steps,
    remarks(steps) {
      const table = tableOf(steps);
      const { diskWrites, diskReads, advances } = countStream(name, steps, actions(steps, ram, disk, table));
      const [first, ...others] = what(steps);
      return [
        `Cost ${table.optimum} = ${uf} x ${amount(advances, "advance")} + ${ub} x ${steps} recordings and reversals + ` +
          `${wd} x ${diskWrites} disk writes + ${rd} x ${diskReads} disk reads: ${first}`,
        ...others,
      ];
    },
    details: (steps) => ({ costs, cost: tableOf(steps).optimum }),
  };
}

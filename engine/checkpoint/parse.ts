/** From the name of a schedule to the schedule. A new one is a row here and a row of `kinds.ts`. */
import { BacksweepError } from "../trace/failure.js";
import type { Schedule } from "./actions.js";
import { ScheduleArguments } from "./arguments.js";
import { scheduleForms, scheduleKinds, type ScheduleKind, type ScheduleWord } from "./kinds.js";
import { bennett, pebble } from "./pebbling/index.js";
import { auto } from "./schedules/auto.js";
import { bisection } from "./schedules/bisection.js";
import { unitChainBudget } from "./schedules/chain-budget.js";
import { diskRevolve, hrevolve } from "./schedules/hrevolve.js";
import { mixed } from "./schedules/mixed.js";
import { multistage } from "./schedules/multistage.js";
import { none } from "./schedules/none.js";
import { online } from "./schedules/online.js";
import { reversible } from "./schedules/reversible.js";
import { revolve } from "./schedules/revolve.js";
import { storeAll } from "./schedules/store-all.js";
import { treeverse } from "./schedules/treeverse.js";
import type { LevelCosts } from "./schedules/two-level-table.js";
import { uniformTapes } from "./schedules/uniform-tapes.js";
import { sqrt, uniform } from "./schedules/uniform.js";

const costs = (args: ScheduleArguments): LevelCosts => ({
  uf: args.cost("the cost uf of an advance", 1),
  ub: args.cost("the cost ub of a recording and reversal", 1),
  wd: args.cost("the cost wd of a disk write", 5),
  rd: args.cost("the cost rd of a disk read", 5),
});

/** The schedule for a chain by itself. @throws BacksweepError `option` */
type Parse = (name: string, args: ScheduleArguments) => Schedule;

const parsers: Readonly<Record<ScheduleWord, Parse>> = {
  "store-all": (name) => storeAll(name),
  none: (name) => none(name),
  uniform: (name, args) => uniform(name, args.count("the block length k")),
  "uniform-keep-last": (name, args) => uniform(name, args.count("the block length k"), true),
  "uniform-tapes": (name, args) => uniformTapes(name, args.count("the block length k")),
  sqrt: (name) => sqrt(name),
  bisection: (name) => bisection(name),
  revolve: (name, args) => revolve(name, args.count("the number of slots c")),
  multistage: (name, args) => {
    const ram = args.count("the number of RAM slots", 0);
    const disk = args.count("the number of disk slots", ram === 0 ? 1 : 0);
    return multistage(name, ram, disk);
  },
  mixed: (name, args) => mixed(name, args.count("the number of slots c")),
  hrevolve: (name, args) => {
    const ram = args.count("the number of RAM slots", 0);
    const disk = args.count("the number of disk slots", ram === 0 ? 1 : 0);
    return hrevolve(name, ram, disk, costs(args));
  },
  "disk-revolve": (name, args) => {
    const ram = args.isEmpty ? 3 : args.count("the number of RAM slots");
    return diskRevolve(name, ram, costs(args));
  },
  online: (name, args) => online(name, args.count("the number of slots c")),
  treeverse: (name, args) => treeverse(name, args.count("the number of slots d")),
  reversible: (name) => reversible(name),
  bennett: () => bennett(),
  pebble: (_, args) => pebble(args.count("the number of pebbles p")),
  "chain-budget": (name, args) => unitChainBudget(name, args.bytes("the budget")),
  budget: (name, args) => {
    args.bytes("the budget");
    throw new BacksweepError(
      "option",
      `schedule "${name}" drops nodes of a graph and has no plan without one: use it with run, or chain-budget:bytes for a chain`,
    );
  },
  auto: (name, args) => auto(name, args.bytes("the budget")),
};

/** A name taken apart: its row and what stands behind the colon. */
export interface ScheduleName {
  readonly name: string;
  readonly kind: ScheduleKind;
  readonly args: ScheduleArguments;
}

/** @throws BacksweepError `option` for a name that is not in the table, listing those that are */
export function readScheduleName(text: string): ScheduleName {
  const name = text.trim();
  const colon = name.indexOf(":");
  const word = colon < 0 ? name : name.slice(0, colon);
  const kind: ScheduleKind | undefined = scheduleKinds.find((one) => one.word === word);
  if (kind === undefined && name.startsWith("reversible+")) {
    const rest = readScheduleName(name.slice("reversible+".length)).name;
    throw new BacksweepError(
      "option",
      `schedule "${name}" inverts the coupling layers of a graph and runs the rest under ${rest}: it has no plan without a graph; plan reversible and ${rest} by themselves, each for its own steps`,
    );
  }
  if (kind === undefined)
    throw new BacksweepError("option", `unknown schedule "${text}"; use one of ${scheduleForms}`);
  const parts = colon < 0 ? [] : name.slice(colon + 1).split(",");
  return { name, kind, args: new ScheduleArguments(name, kind.form, parts) };
}

/**
 * The schedule of a name such as "revolve:10", for a chain of steps of one size and cost.
 *
 * @throws BacksweepError `option` for an unknown name or arguments that do not fit its form
 */
export function parseSchedule(text: string): Schedule {
  const { name, kind, args } = readScheduleName(text);
  const schedule = parsers[kind.word as ScheduleWord](name, args);
  args.end();
  return schedule;
}

/** Names of schedules that every execution test goes through: one and more of each kind that a chain can run under. */
export const chainSchedules: readonly string[] = [
  "none",
  "uniform:1",
  "uniform:3",
  "uniform-keep-last:3",
  "uniform-tapes:2",
  "uniform-tapes:4",
  "sqrt",
  "bisection",
  "revolve:1",
  "revolve:2",
  "revolve:4",
  "multistage:1,2",
  "mixed:2",
  "hrevolve:1,2",
  "disk-revolve",
  "online:2",
  "treeverse:2",
  "bennett",
  "pebble:5",
];

/** The same and those that take a budget or coupling layers, for a graph of a chain, a segment and layers of a few hundred bytes. */
export const everySchedule: readonly string[] = [
  "store-all",
  ...chainSchedules,
  "budget:200",
  "auto:260",
  "chain-budget:400",
  "reversible",
  "reversible+revolve:2",
  "reversible+auto:400",
];

/** What stands before the colon of a name. */
export const wordOf = (schedule: string): string => schedule.split(":")[0]!;

/**
 * The schedule of one segment by itself (`checkpoint(fn)`): its arguments are kept, it runs without its tape, and runs
 * again just before it is reversed. One advance and one record, as in Chen et al. (2016), section 3.
 */
import type { Action, Schedule } from "../actions.js";

const actions: readonly Action[] = [
  { kind: "store", state: 0, slot: 0 },
  { kind: "advance", from: 0, to: 1 },
  { kind: "restore", slot: 0 },
  { kind: "record", step: 0 },
  { kind: "reverse", step: 0 },
  { kind: "free", slot: 0 },
];

export const segmentSchedule: Schedule = {
  name: "checkpoint",
  actions: () => actions,
};

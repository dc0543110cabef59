/** What a schedule's name means for a graph: how each of its regions is executed, or its nodes one by one. */
import { segmentSchedule } from "../checkpoint/execute/segment-schedule.js";
import { parseSchedule, readScheduleName } from "../checkpoint/parse.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind } from "../trace/trace.js";
import type { Planner } from "./regions.js";

/** The name under which everything is kept. */
export const STORE_ALL = "store-all";

export type Strategy =
  /** everything is kept */
  | { readonly kind: "store-all" }
  /** each region by a schedule known beforehand */
  | { readonly kind: "regions"; readonly plan: Planner }
  /** each region by a schedule chosen for its sizes, within a budget of bytes; `only`: the heterogeneous planner's */
  | { readonly kind: "measured"; readonly budget: number; readonly only: boolean }
  /** node by node within a budget of bytes */
  | { readonly kind: "nodes"; readonly budget: number };

/**
 * Reads a schedule for a graph: one of `plan`'s.
 *
 * @throws BacksweepError `option` for a name that is no schedule
 */
export function strategyOf(name: string): Strategy {
  if (name === STORE_ALL) return { kind: "store-all" };
  const { kind, args } = readScheduleName(name);
  if (kind.word === "budget") {
    const budget = args.bytes("the budget");
    args.end();
    return { kind: "nodes", budget };
  }
  if (kind.word === "auto" || kind.word === "chain-budget") {
    const budget = args.bytes("the budget");
    args.end();
    return { kind: "measured", budget, only: kind.word === "chain-budget" };
  }
  if (kind.word === "reversible") {
    throw new BacksweepError(
      "option",
      `schedule "${name}" is for coupling layers, which graphs do not have in this version: use revolve or auto`,
    );
  }
  const schedule = parseSchedule(name);
  return {
    kind: "regions",
    plan: (region) => (region === SegmentKind.checkpoint ? segmentSchedule : schedule),
  };
}

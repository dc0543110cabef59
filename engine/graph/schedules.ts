/** What a schedule's name means for a graph: how each of its regions is executed, or its nodes one by one. */
import { segmentSchedule } from "../checkpoint/execute/segment-schedule.js";
import { parseSchedule, readScheduleName } from "../checkpoint/parse.js";
import { reversible } from "../checkpoint/schedules/reversible.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind } from "../trace/trace.js";
import type { Planner } from "./regions.js";

/** The name under which everything is kept. */
export const STORE_ALL = "store-all";

/** Coupling layers are inverted; alone, everything else is kept, and `reversible+S` has S for the rest. */
export const REVERSIBLE = "reversible";

/** What is chosen for a graph's sizes. */
export interface Budget {
  readonly budget: number;
  /** only the heterogeneous planner's schedule is looked at */
  readonly only: boolean;
  /** coupling layers are inverted whatever else would fit */
  readonly inverts?: true;
}

export type Strategy =
  /** everything is kept */
  | { readonly kind: "store-all" }
  /** each region by a schedule known beforehand */
  | { readonly kind: "regions"; readonly plan: Planner; readonly inverts?: true }
  /** each region by a schedule chosen for its sizes, within a budget of bytes */
  | ({ readonly kind: "measured" } & Budget)
  /** node by node within a budget of bytes */
  | { readonly kind: "nodes"; readonly budget: number };

/**
 * Reads a schedule for a graph: one of `plan`'s.
 *
 * @throws BacksweepError `option` for a name that is no schedule
 */
export function strategyOf(name: string): Strategy {
  if (name === STORE_ALL) return { kind: "store-all" };
  const mixed = name.startsWith(`${REVERSIBLE}+`) ? name.slice(REVERSIBLE.length + 1) : null;
  if (name === REVERSIBLE || mixed !== null) return inverses(name, mixed ?? STORE_ALL);
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
  const schedule = parseSchedule(name);
  return {
    kind: "regions",
    plan: (region) => (region === SegmentKind.checkpoint ? segmentSchedule : schedule),
  };
}

/** The plan of `reversible`, with another schedule for what is no coupling layer. */
function inverses(name: string, rest: string): Strategy {
  const other = strategyOf(rest);
  if (other.kind === "measured" && other.inverts === undefined) return { ...other, inverts: true };
  if (other.kind === "nodes" || (other.kind !== "store-all" && other.inverts)) {
    throw new BacksweepError(
      "option",
      `schedule "${name}": the rest of a reversible graph takes a schedule of steps, such as reversible+revolve:4`,
    );
  }
  const schedule = reversible(REVERSIBLE);
  return {
    kind: "regions",
    inverts: true,
    plan: (kind, steps, index) =>
      kind === SegmentKind.coupling
        ? schedule
        : other.kind === "regions"
          ? other.plan(kind, steps, index)
          : null,
  };
}

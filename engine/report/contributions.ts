/**
 * Who handed what to a node: one row an operand slot, in order of arrival. A contribution is the child's cotangent times
 * the local derivative of the child in this operand: v_bar += w_bar * dw/dv (Griewank and Walther 2008, section 3.2).
 */
import { nodeTitle } from "../trace/read.js";
import type { Timeline } from "../timeline/timeline.js";
import { runningSum, type NodeFacts, type Slot } from "./facts.js";
import { cotangent, isArray, magnitude, sumOf, type Quantity } from "./quantity.js";
import { isProduct } from "./seen.js";
import { factor } from "./text/format.js";

export interface ContributionRow {
  /** the child, or -1 for the seed of an output */
  readonly child: number;
  /** operand slot of the child, from 0; -1 for the seed */
  readonly slot: number;
  readonly from: string;
  /** "18 × 1"; "not 18 × 1" where an engine that is watched paid something else; "" where a factor is no number */
  readonly product: string;
  readonly value: Quantity | undefined;
  /** |value| / sum of |values|, of arrays by norm; NaN where that has no meaning */
  readonly share: number;
  /** the cotangent once this has arrived */
  readonly running: Quantity | undefined;
  /** overwritten by a later contribution */
  readonly lost: boolean;
  /** nothing was seen of it, which does not say that it was not made */
  readonly unknown: boolean;
  /** what an engine that is watched paid in this slot, where it paid several times */
  readonly payments: readonly Quantity[];
}

/** "18 × 1": a child's cotangent times the local derivative; "" where one of them is no number. */
export function productText(bar: Quantity | undefined, local: number): string {
  return typeof bar !== "number" || Number.isNaN(local) ? "" : `${factor(bar)} × ${factor(local)}`;
}

/**
 * A child's cotangent times the local derivative as what it paid: "18 × 1", or "not 18 × 1" of an engine that is watched
 * and paid something else. "" where nothing is known of one of the three.
 */
export function productOf(
  timeline: Timeline,
  slot: Pick<Slot, "child" | "edge" | "local" | "value">,
): string {
  const bar = cotangent(timeline, slot.child);
  // NaN stands for what is not known, but it can also be what is known
  const nan = timeline.trace.edges.local[slot.edge] >= 0 && Number.isNaN(slot.local) && !isArray(slot.value);
  const text = nan && typeof bar === "number" ? `${factor(bar)} \u00d7 NaN` : productText(bar, slot.local);
  if (text === "" || isProduct(timeline.trace, bar, slot.local, slot.value)) return text;
  return slot.value === undefined ? "" : `not ${text}`;
}

/** What has arrived at the node, the seed of an output first. */
export function contributionRows(timeline: Timeline, facts: NodeFacts): ContributionRow[] {
  const given = facts.parts.filter((part) => part.child < 0);
  const slots = facts.parts.flatMap((part) => part.slots).sort((a, b) => a.step - b.step);
  const sizes = [...given, ...slots].map(({ value }) => magnitude(value));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const share = (value: Quantity | undefined): number => (total > 0 ? magnitude(value) / total : NaN);
  const rows: ContributionRow[] = [];
  const watched = timeline.trace.seen !== undefined;
  let running: Quantity | undefined;
  for (const { title, value, lost } of given) {
    running = value;
    const none = { child: -1, slot: -1, product: "", unknown: false, payments: [] };
    rows.push({ ...none, from: title, value, share: share(value), running: value, lost });
  }
  for (const [i, slot] of slots.entries()) {
    const last = i === slots.length - 1;
    if (watched) running = runningSum(slots.slice(0, i + 1), given[0]?.value, false);
    else if (facts.overwrites || running === undefined) running = slot.value;
    else if (slot.value !== undefined) running = sumOf([running, slot.value]);
    rows.push({
      child: slot.child,
      slot: slot.slot,
      from: nodeTitle(timeline.trace, slot.child),
      product: productOf(timeline, slot),
      value: slot.value,
      share: share(slot.value),
      // what does not come to the cotangent is no running sum of it
      running: last && facts.status === "final" && facts.addsUp ? facts.cotangent : running,
      lost: slot.lost,
      unknown: slot.unknown,
      payments: slot.payments,
    });
  }
  return rows;
}

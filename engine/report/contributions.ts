/**
 * Who handed what to a node: one row an operand slot, in order of arrival. A contribution is the child's cotangent times
 * the local derivative of the child in this operand: v_bar += w_bar * dw/dv (Griewank and Walther 2008, section 3.2).
 */
import { nodeTitle } from "../trace/read.js";
import type { Timeline } from "../timeline/timeline.js";
import type { NodeFacts } from "./facts.js";
import { cotangent, magnitude, sumOf, type Quantity } from "./quantity.js";
import { factor } from "./text/format.js";

export interface ContributionRow {
  /** the child, or -1 for the seed of an output */
  readonly child: number;
  /** operand slot of the child, from 0; -1 for the seed */
  readonly slot: number;
  readonly from: string;
  /** "18 × 1"; "" where a factor is no number */
  readonly product: string;
  readonly value: Quantity | undefined;
  /** |value| / sum of |values|, of arrays by norm; NaN where that has no meaning */
  readonly share: number;
  /** the cotangent once this has arrived */
  readonly running: Quantity | undefined;
  /** overwritten by a later contribution */
  readonly lost: boolean;
}

/** "18 × 1": a child's cotangent times the local derivative; "" where one of them is no number. */
export function productText(bar: Quantity | undefined, local: number): string {
  return typeof bar !== "number" || Number.isNaN(local) ? "" : `${factor(bar)} × ${factor(local)}`;
}

/** What has arrived at the node, the seed of an output first. */
export function contributionRows(timeline: Timeline, facts: NodeFacts): ContributionRow[] {
  const seed = facts.parts.find((part) => part.child < 0);
  const slots = facts.parts.flatMap((part) => part.slots).sort((a, b) => a.step - b.step);
  const sizes = [...(seed ? [seed.value] : []), ...slots.map((slot) => slot.value)].map(magnitude);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const share = (value: Quantity | undefined): number => (total > 0 ? magnitude(value) / total : NaN);
  const rows: ContributionRow[] = [];
  if (seed !== undefined) {
    const { value, lost } = seed;
    rows.push({
      child: -1,
      slot: -1,
      from: "seed",
      product: "",
      value,
      share: share(value),
      running: value,
      lost,
    });
  }
  let running = seed?.value;
  for (const [i, slot] of slots.entries()) {
    const last = i === slots.length - 1;
    if (facts.overwrites || running === undefined) running = slot.value;
    else if (slot.value !== undefined) running = sumOf([running, slot.value]);
    rows.push({
      child: slot.child,
      slot: slot.slot,
      from: nodeTitle(timeline.trace, slot.child),
      product: productText(cotangent(timeline, slot.child), slot.local),
      value: slot.value,
      share: share(slot.value),
      running: last && facts.status === "final" ? facts.cotangent : running,
      lost: facts.overwrites && !last,
    });
  }
  return rows;
}

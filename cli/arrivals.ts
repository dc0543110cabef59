/** Contributions as people see them: an operand used twice by one child is one child that pays in two slots. */
import type { Arrival, Timeline } from "../engine/timeline/timeline.js";

export interface ChildGroup {
  readonly child: number;
  readonly slots: readonly Arrival[];
  /** what the child pays in all */
  readonly sum: number;
  /** the node's cotangent once this child has paid; the last one is as the sweep computed it */
  readonly running: number;
}

/**
 * In order of first arrival.
 *
 * @param overwritten the accumulation in use overwrites at this node: what stands is the last value, not a sum
 */
export function groupByChild(timeline: Timeline, node: number, overwritten: boolean): ChildGroup[] {
  const byChild = new Map<number, Arrival[]>();
  for (const arrival of timeline.arrivals(node)) {
    const slots = byChild.get(arrival.child);
    if (slots === undefined) byChild.set(arrival.child, [arrival]);
    else slots.push(arrival);
  }
  let running = timeline.seed(node) ?? 0;
  let left = byChild.size;
  return Array.from(byChild, ([child, slots]) => {
    const sum = slots.reduce((total, { value }) => total + value, 0);
    for (const { value } of slots) running = overwritten ? value : running + value;
    const final = --left === 0 ? timeline.cotangent(node) : undefined;
    return { child, slots, sum, running: final ?? running };
  });
}

/** Everything that can be said of one node at one position. Cards, inspector, hover, list and sentence all print this. */
import { nodeExpression, nodeName, nodeOp, nodeTitle, siteRange } from "../trace/read.js";
import type { Arrival, Timeline } from "../timeline/timeline.js";
import { contribution, cotangent, primal, seed, sumOf, type Quantity } from "./quantity.js";
import { isInput, overwrites } from "./overwrites.js";

/** An arrival with what arrived: a number or an array; undefined: the child says "none". */
export interface Slot extends Omit<Arrival, "value"> {
  readonly value: Quantity | undefined;
}

/** What one child has paid, all its operand slots together. */
export interface Part {
  /** the child, or -1 for the seed of an output */
  readonly child: number;
  readonly title: string;
  readonly slots: readonly Slot[];
  /** sum over its slots; undefined: it says "none", which is not zero */
  readonly value: Quantity | undefined;
  /** overwritten by a later part */
  readonly lost: boolean;
}

/** "unswept": the run stopped before its sweep; "unreached": no derivative flows here */
export type Status = "unevaluated" | "waiting" | "partial" | "final" | "unreached" | "unswept";

export interface NodeFacts {
  readonly node: number;
  readonly title: string;
  readonly name: string | null;
  readonly op: string;
  readonly expression: string;
  readonly isInput: boolean;
  readonly line: number;
  readonly column: number;
  readonly evaluated: boolean;
  readonly value: Quantity;
  readonly status: Status;
  /** in order of arrival */
  readonly parts: readonly Part[];
  /** children that will ever pay, and those of them that have paid all they owe */
  readonly uses: number;
  readonly paid: number;
  /** children still owing, in the order in which they will pay */
  readonly owing: readonly number[];
  /** the cotangent so far; undefined before anything arrived */
  readonly cotangent: Quantity | undefined;
  /** contributions lost to overwriting, slot by slot */
  readonly overwrites: boolean;
}

export function factsOf(timeline: Timeline, node: number, position: number): NodeFacts {
  const { trace } = timeline;
  const arrived = slotsOf(timeline, node, position);
  const all = timeline.arrivals(node);
  const seeded = seed(timeline, node, position);
  const final = timeline.isFinal(node, position);
  const evaluated = timeline.isEvaluated(node, position);
  const overwriting = overwrites(trace, node);

  const owed = new Map<number, number>();
  for (const arrival of all) owed.set(arrival.child, (owed.get(arrival.child) ?? 0) + 1);
  const uses = owed.size;
  for (const arrival of arrived) owed.set(arrival.child, owed.get(arrival.child)! - 1);
  const owing = Array.from(owed.keys()).filter((child) => owed.get(child)! > 0);

  const parts = partsOf(timeline, arrived, seeded, overwriting);
  const site = siteRange(trace, trace.nodes.site[node]);
  return {
    node,
    title: nodeTitle(trace, node),
    name: nodeName(trace, node),
    op: nodeOp(trace, node),
    expression: nodeExpression(trace, node),
    isInput: isInput(trace, node),
    line: site?.line ?? 0,
    column: site?.column ?? 0,
    evaluated,
    value: primal(trace, node),
    status: statusOf(timeline, node, evaluated, final, parts.length),
    parts,
    uses,
    paid: uses - owing.length,
    owing,
    cotangent: final ? cotangent(timeline, node) : runningSum(arrived, seeded, overwriting),
    overwrites: overwriting && all.length > 1,
  };
}

/** The cotangent after these arrivals, added in their order. */
export function runningSum(
  arrived: readonly Slot[],
  seeded: Quantity | undefined,
  overwriting: boolean,
): Quantity | undefined {
  const terms = [seeded, ...arrived.map((slot) => slot.value)].filter((term) => term !== undefined);
  return overwriting ? terms[terms.length - 1] : sumOf(terms);
}

function slotsOf(timeline: Timeline, node: number, position: number): Slot[] {
  return timeline
    .arrivals(node, position)
    .map((arrival) => ({ ...arrival, value: contribution(timeline, arrival.edge) }));
}

function statusOf(
  timeline: Timeline,
  node: number,
  evaluated: boolean,
  final: boolean,
  parts: number,
): Status {
  if (final) return "final";
  if (parts > 0) return "partial";
  if (!evaluated) return "unevaluated";
  if (!timeline.trace.header.complete) return "unswept";
  const reached = timeline.slots(node) > 0 || timeline.finalStep(node) >= 0;
  return reached ? "waiting" : "unreached";
}

function partsOf(
  timeline: Timeline,
  arrived: readonly Slot[],
  seeded: Quantity | undefined,
  overwriting: boolean,
): Part[] {
  const groups = new Map<number, Slot[]>();
  for (const arrival of arrived) {
    const group = groups.get(arrival.child);
    if (group === undefined) groups.set(arrival.child, [arrival]);
    else group.push(arrival);
  }
  const lastChild = arrived.length > 0 ? arrived[arrived.length - 1].child : -1;
  const parts: Part[] = [];
  if (seeded !== undefined) {
    parts.push({
      child: -1,
      title: "seed",
      slots: [],
      value: seeded,
      lost: overwriting && arrived.length > 0,
    });
  }
  for (const [child, slots] of groups) {
    parts.push({
      child,
      title: nodeTitle(timeline.trace, child),
      slots,
      value: runningSum(slots, undefined, overwriting),
      lost: overwriting && child !== lastChild,
    });
  }
  return parts;
}

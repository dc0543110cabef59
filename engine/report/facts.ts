/** Everything that can be said of one node at one position. Cards, inspector, hover, list and sentence all print this. */
import { nodeExpression, nodeName, nodeOp, nodeTitle, siteRange } from "../trace/read.js";
import type { Arrival, Timeline } from "../timeline/timeline.js";
import { Fate, type Trace } from "../trace/trace.js";
import { contribution, cotangent, magnitude, primal, seed, sumOf, type Quantity } from "./quantity.js";
import { isInput, overwrites } from "./overwrites.js";
import { addsUp, fateOf, leftoverOf, paymentsOf } from "./seen.js";

/** An arrival with what arrived: a number or an array; undefined: the child says "none". */
export interface Slot extends Omit<Arrival, "value"> {
  readonly value: Quantity | undefined;
  /** overwritten: by a later arrival, or, in an engine that is watched, by something it wrote in its place */
  readonly lost: boolean;
  /** nothing was seen of it: then it has no value, which does not say that it was not made */
  readonly unknown: boolean;
  /** what an engine that is watched paid, where it paid several times */
  readonly payments: readonly Quantity[];
}

/** What one child has paid, all its operand slots together. */
export interface Part {
  /** the child, or -1 for the seed of an output, or what stood there before the sweep of an engine that is watched */
  readonly child: number;
  readonly title: string;
  readonly slots: readonly Slot[];
  /** sum over its slots; undefined: it says "none", which is not zero */
  readonly value: Quantity | undefined;
  /** of some slot nothing was seen */
  readonly unknown: boolean;
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
  /** false: the parts that stayed do not come to the cotangent, so they may not be written as its sum */
  readonly addsUp: boolean;
}

export function factsOf(timeline: Timeline, node: number, position: number): NodeFacts {
  const { trace } = timeline;
  const all = timeline.arrivals(node);
  const seeded = seed(timeline, node, position);
  const final = timeline.isFinal(node, position);
  const evaluated = timeline.isEvaluated(node, position);
  const overwriting = overwrites(trace, node);
  const arrived = slotsOf(timeline, node, position, overwriting);

  const owed = new Map<number, number>();
  for (const arrival of all) owed.set(arrival.child, (owed.get(arrival.child) ?? 0) + 1);
  const uses = owed.size;
  for (const arrival of arrived) owed.set(arrival.child, owed.get(arrival.child)! - 1);
  const owing = Array.from(owed.keys()).filter((child) => owed.get(child)! > 0);

  const leftover = arrived.length > 0 ? leftoverOf(trace, node) : undefined;
  const parts = partsOf(timeline, arrived, { seeded, leftover, overwriting });
  const sum = final ? cotangent(timeline, node) : runningSum(arrived, leftover ?? seeded, overwriting);
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
    cotangent: sum,
    overwrites:
      trace.seen === undefined
        ? overwriting && all.length > 1
        : all.some(({ edge }) => fateOf(trace, edge) === Fate.lost),
    // asked for where something is written, not for every card
    get addsUp() {
      return sum === undefined || comesTo(trace, parts, sum);
    },
  };
}

/** Whether what stayed is what the cotangent says. A node that nothing was paid to has nothing to add. */
function comesTo(trace: Trace, parts: readonly Part[], sum: Quantity): boolean {
  if (parts.some((part) => part.unknown)) return false;
  const terms = parts.flatMap((part) =>
    part.child < 0
      ? part.lost
        ? []
        : [part.value]
      : part.slots.filter((slot) => !slot.lost).map(({ value }) => value),
  );
  const stayed = terms.filter((term) => term !== undefined);
  return parts.length === 0 || (stayed.length === 0 ? magnitude(sum) === 0 : addsUp(trace, stayed, sum));
}

/**
 * The cotangent after these arrivals, added in their order; undefined where of one of them nothing was seen.
 * @param seeded what the sum begins with
 */
export function runningSum(
  arrived: readonly Slot[],
  seeded: Quantity | undefined,
  overwriting: boolean,
): Quantity | undefined {
  if (arrived.some((slot) => slot.unknown)) return undefined;
  const stayed = overwriting ? arrived : arrived.filter((slot) => !slot.lost);
  const terms = [seeded, ...stayed.map((slot) => slot.value)].filter((term) => term !== undefined);
  return overwriting ? terms[terms.length - 1] : sumOf(terms);
}

function slotsOf(timeline: Timeline, node: number, position: number, overwriting: boolean): Slot[] {
  const { trace } = timeline;
  const arrivals = timeline.arrivals(node, position);
  const last = arrivals.length - 1;
  // what an engine wrote over stands there until what stayed has come, or, where that came before, is over at once
  const stays =
    arrivals.some(({ edge }) => fateOf(trace, edge) === Fate.kept) || timeline.isFinal(node, position);
  return arrivals.map((arrival, i) => {
    const fate = fateOf(trace, arrival.edge);
    return {
      ...arrival,
      value: contribution(timeline, arrival.edge),
      lost: trace.seen === undefined ? overwriting && i < last : fate === Fate.lost && (stays || i < last),
      unknown: fate === Fate.unknown,
      payments: trace.seen === undefined ? [] : paymentsOf(trace, arrival.edge),
    };
  });
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

interface Given {
  readonly seeded: Quantity | undefined;
  /** what stood there before the sweep of an engine that is watched */
  readonly leftover: Quantity | undefined;
  readonly overwriting: boolean;
}

function partsOf(timeline: Timeline, arrived: readonly Slot[], given: Given): Part[] {
  const { seeded, leftover, overwriting } = given;
  const groups = new Map<number, Slot[]>();
  for (const arrival of arrived) {
    const group = groups.get(arrival.child);
    if (group === undefined) groups.set(arrival.child, [arrival]);
    else group.push(arrival);
  }
  const parts: Part[] = [];
  const begins = (title: string, value: Quantity): void => {
    parts.push({
      child: -1,
      title,
      slots: [],
      value,
      unknown: false,
      lost: overwriting && arrived.length > 0,
    });
  };
  if (seeded !== undefined) begins("seed", seeded);
  if (leftover !== undefined) begins("before", leftover);
  for (const [child, slots] of groups) {
    const lost = slots.every((slot) => slot.lost);
    parts.push({
      child,
      title: nodeTitle(timeline.trace, child),
      slots,
      // of what is lost as a whole it is told what it would have been
      value: runningSum(
        lost ? slots.map((slot) => ({ ...slot, lost: false })) : slots,
        undefined,
        overwriting,
      ),
      unknown: slots.some((slot) => slot.unknown),
      lost,
    });
  }
  return parts;
}

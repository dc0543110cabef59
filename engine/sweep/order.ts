/**
 * Orders of the reverse sweep. Any reverse topological order of the *active* nodes (those on a path to an output, inputs
 * included) gives the derivative; sums differ in their last bits. Griewank and Walther, Evaluating Derivatives (2008), 3.2.
 */
import { BacksweepError } from "../trace/failure.js";
import type { FlatTape } from "./flat.js";

export type Order = "breadth" | "tape" | readonly number[];

/** Marks nodes from which an output can be reached, outputs included. */
export function activeNodes(flat: FlatTape, outputs: readonly number[]): Uint8Array {
  const active = new Uint8Array(flat.n);
  for (const output of outputs) active[output] = 1;
  for (let v = flat.n - 1; v >= 0; v--) {
    if (active[v] === 0) continue;
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) active[flat.edgeFrom[e]] = 1;
  }
  return active;
}

/** Number of operand slots of active consumers that use each node. */
export function useCounts(flat: FlatTape, active: Uint8Array): Int32Array {
  const uses = new Int32Array(flat.n);
  for (let e = 0; e < flat.edgeFrom.length; e++) if (active[flat.edgeTo[e]] === 1) uses[flat.edgeFrom[e]]++;
  return uses;
}

/** Node ranges one after the other, [first, end), that together are the whole tape. */
export interface Ranges {
  readonly n: number;
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** The range a node lies in, by bisection. */
export function rangeOf({ n, first }: Ranges, node: number): number {
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (first[middle] <= node) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The order as node ids.
 *
 * `breadth`: from the outputs first in, first out; a node enters the queue when its last use has paid. Where the tape has
 * segments, each has a queue of its own and the last is emptied first. `tape`: recording order backwards. An explicit
 * order must name every active node once, consumers before operands.
 *
 * @param describe how an error calls a node
 * @param segments ranges of the tape that are swept one after the other, last to first; null: the tape is one
 */
export function sweepOrder(
  flat: FlatTape,
  active: Uint8Array,
  outputs: readonly number[],
  order: Order,
  describe: (node: number) => string,
  segments: Ranges | null = null,
): Int32Array {
  let count = 0;
  for (let v = 0; v < flat.n; v++) count += active[v];
  if (order === "tape") {
    const out = new Int32Array(count);
    let i = 0;
    for (let v = flat.n - 1; v >= 0; v--) if (active[v] === 1) out[i++] = v;
    return out;
  }
  if (order === "breadth") {
    if (segments !== null && segments.n > 1) return breadthBySegment(flat, active, outputs, count, segments);
    return breadth(flat, active, outputs, count);
  }
  return explicit(flat, active, order, count, describe);
}

function breadth(flat: FlatTape, active: Uint8Array, outputs: readonly number[], count: number): Int32Array {
  const pending = useCounts(flat, active);
  const queue = new Int32Array(count);
  let tail = 0;
  const queued = new Uint8Array(flat.n);
  for (const output of outputs) {
    if (pending[output] === 0 && queued[output] === 0) {
      queued[output] = 1;
      queue[tail++] = output;
    }
  }
  for (let head = 0; head < tail; head++) {
    const v = queue[head];
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const from = flat.edgeFrom[e];
      if (--pending[from] === 0) queue[tail++] = from;
    }
  }
  return queue;
}

/**
 * Breadth within each segment. The queues lie one behind the other in the array that is returned, the last segment's
 * first, each as long as its segment has active nodes: emptied in turn they are the order.
 */
function breadthBySegment(
  flat: FlatTape,
  active: Uint8Array,
  outputs: readonly number[],
  count: number,
  segments: Ranges,
): Int32Array {
  const pending = useCounts(flat, active);
  const queue = new Int32Array(count);
  const tail = queueStarts(active, segments);
  const starts = tail.slice();
  const queued = new Uint8Array(flat.n);
  for (const output of outputs) {
    if (pending[output] > 0 || queued[output] === 1) continue;
    queued[output] = 1;
    queue[tail[rangeOf(segments, output)]++] = output;
  }
  for (let s = segments.n - 1; s >= 0; s--) {
    const first = segments.first[s];
    for (let head = starts[s]; head < tail[s]; head++) {
      const v = queue[head];
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
        const from = flat.edgeFrom[e];
        if (--pending[from] > 0) continue;
        queue[tail[from >= first ? s : rangeOf(segments, from)]++] = from;
      }
    }
  }
  return queue;
}

/** Where the active nodes of each segment begin in an order that goes from the last segment to the first. */
export function queueStarts(active: Uint8Array, { n, first, end }: Ranges): Int32Array {
  const starts = new Int32Array(n);
  let at = 0;
  for (let s = n - 1; s >= 0; s--) {
    starts[s] = at;
    for (let v = first[s]; v < end[s]; v++) at += active[v];
  }
  return starts;
}

function explicit(
  flat: FlatTape,
  active: Uint8Array,
  order: readonly number[],
  count: number,
  describe: (node: number) => string,
): Int32Array {
  const position = new Int32Array(flat.n).fill(-1);
  order.forEach((v, i) => {
    if (!Number.isInteger(v) || v < 0 || v >= flat.n) {
      throw new BacksweepError(
        "order",
        `invalid order: there is no node ${v}; ids run from 0 to ${flat.n - 1}`,
      );
    }
    if (active[v] === 0) {
      throw new BacksweepError("order", `invalid order: ${describe(v)} is on no path to an output`);
    }
    if (position[v] >= 0)
      throw new BacksweepError("order", `invalid order: ${describe(v)} stands in it twice`);
    position[v] = i;
  });
  for (let v = 0; v < flat.n; v++) {
    if (active[v] === 1 && position[v] < 0) {
      throw new BacksweepError(
        "order",
        `invalid order: ${describe(v)} is missing (${order.length} of ${count} nodes given; inputs count)`,
      );
    }
  }
  for (let e = 0; e < flat.edgeFrom.length; e++) {
    const from = flat.edgeFrom[e];
    const to = flat.edgeTo[e];
    if (active[to] === 1 && position[from] < position[to]) {
      throw new BacksweepError(
        "order",
        `invalid order: ${describe(from)} stands before ${describe(to)}, which has not paid its contribution to it yet`,
      );
    }
  }
  return Int32Array.from(order);
}

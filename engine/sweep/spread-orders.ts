/**
 * Orders in which the contributions to one node can be added. A consumer hands over all its slots at once and in slot
 * order, and a consumer that another one uses comes after it; every order of the consumers that keeps this belongs to
 * some reverse topological order of the whole tape. The node's own seed, if it is an output, comes first.
 */
import { useCounts } from "./order.js";
import type { FlatTape } from "./flat.js";

/** One contribution: its edge, or -1 for the seed. */
export interface Arrivals {
  readonly edges: readonly number[];
  /** index into `consumers` by contribution, -1 for the seed */
  readonly consumerOf: readonly number[];
  /** consuming nodes in order of arrival */
  readonly consumers: readonly number[];
}

/** Contributions to a node in the order of a sweep. */
export function arrivalsOf(
  flat: FlatTape,
  node: number,
  order: Int32Array,
  active: Uint8Array,
  seeded: boolean,
): Arrivals {
  const byConsumer = new Map<number, number[]>();
  for (let e = 0; e < flat.edgeFrom.length; e++) {
    if (flat.edgeFrom[e] !== node || active[flat.edgeTo[e]] === 0) continue;
    const list = byConsumer.get(flat.edgeTo[e]);
    if (list === undefined) byConsumer.set(flat.edgeTo[e], [e]);
    else list.push(e);
  }
  const consumers = Array.from(order).filter((v) => byConsumer.has(v));
  const edges = seeded ? [-1] : [];
  const consumerOf = seeded ? [-1] : [];
  consumers.forEach((v, i) => {
    for (const e of byConsumer.get(v)!) {
      edges.push(e);
      consumerOf.push(i);
    }
  });
  return { edges, consumerOf, consumers };
}

/** `first[i * m + j]` is 1 where consumer i hands over before consumer j, whatever the order: j is used on a path to i. */
export function precedence(flat: FlatTape, consumers: readonly number[], active: Uint8Array): Uint8Array {
  const m = consumers.length;
  const first = new Uint8Array(m * m);
  const above = new Uint8Array(flat.n);
  consumers.forEach((start, j) => {
    above.fill(0);
    above[start] = 1;
    for (let v = start + 1; v < flat.n; v++) {
      if (active[v] === 0) continue;
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
        if (above[flat.edgeFrom[e]] === 1) above[v] = 1;
      }
    }
    consumers.forEach((v, i) => {
      if (i !== j && above[v] === 1) first[i * m + j] = 1;
    });
  });
  return first;
}

/** True if the contributions can arrive in this order (indices into `arrivals.edges`). */
export function isReachable(arrivals: Arrivals, first: Uint8Array, permutation: ArrayLike<number>): boolean {
  const { edges, consumerOf, consumers } = arrivals;
  const m = consumers.length;
  const done = new Uint8Array(m);
  for (let i = 0; i < permutation.length; i++) {
    const term = permutation[i];
    const consumer = consumerOf[term];
    if (consumer < 0) {
      if (i !== 0) return false;
      continue;
    }
    const follows = i > 0 && permutation[i - 1] === term - 1 && consumerOf[term - 1] === consumer;
    const begins = term === 0 || consumerOf[term - 1] !== consumer;
    if (!follows && !begins) return false;
    if (begins) {
      // the slots of the consumer before must be complete
      const last = i === 0 ? -1 : permutation[i - 1];
      if (
        last >= 0 &&
        last + 1 < edges.length &&
        consumerOf[last] >= 0 &&
        consumerOf[last + 1] === consumerOf[last]
      )
        return false;
      for (let before = 0; before < m; before++) {
        if (first[before * m + consumer] === 1 && done[before] === 0) return false;
      }
      done[consumer] = 1;
    }
  }
  return true;
}

/** All orders of `count` things, by Heap's algorithm (1963) without recursion; the array is one and the same. */
export function* permutations(count: number): Generator<Int32Array> {
  const items = Int32Array.from({ length: count }, (_, i) => i);
  const state = new Int32Array(count);
  yield items;
  let i = 1;
  while (i < count) {
    if (state[i] < i) {
      const j = i % 2 === 0 ? 0 : state[i];
      [items[i], items[j]] = [items[j], items[i]];
      yield items;
      state[i]++;
      i = 1;
    } else {
      state[i] = 0;
      i++;
    }
  }
}

/** A random order of `count` things (Fisher and Yates). @param random uniform in [0, 1) */
export function shuffled(count: number, random: () => number): Int32Array {
  const items = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

/** Position of every node in a random reverse topological order of the active nodes, -1 for others. */
export function randomSweepOrder(flat: FlatTape, active: Uint8Array, random: () => number): Int32Array {
  const pending = useCounts(flat, active);
  const position = new Int32Array(flat.n).fill(-1);
  const ready: number[] = [];
  for (let v = 0; v < flat.n; v++) if (active[v] === 1 && pending[v] === 0) ready.push(v);
  for (let next = 0; ready.length > 0; next++) {
    const i = Math.floor(random() * ready.length);
    const v = ready[i];
    ready[i] = ready[ready.length - 1];
    ready.pop();
    position[v] = next;
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      if (--pending[flat.edgeFrom[e]] === 0) ready.push(flat.edgeFrom[e]);
    }
  }
  return position;
}

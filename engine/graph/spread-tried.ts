/** Which orders of contributions are tried: all of them while they are few, else sorted and seeded random ones. */
import type { FlatTape } from "../sweep/flat.js";
import {
  isReachable,
  permutations,
  precedence,
  randomSweepOrder,
  shuffled,
  type Arrivals,
} from "../sweep/spread-orders.js";

export interface OrdersTried {
  readonly tried: number;
  /** how many there are; null where that was not counted */
  readonly total: number | null;
  /** true: every one was tried */
  readonly complete: boolean;
}

/** Up to 8! = 40,320 orders are tried one by one. */
export const MOST_ENUMERATED = 8;
const MOST_RANDOM = 10_000;
const MOST_RANDOM_SWEEPS = 1_000;
/** Additions, and nodes of random sweep orders, after which fewer orders are tried. */
const WORK = 2e7;
/** Sums that an order is added up in: three modes in four formats. */
const SUMS = 12;
/** The same for sums so long that they are no longer quick: a few orders show how far they move. */
const LONG = 1_000;
const LONG_WORK = 4e6;
const FEWEST = 16;

function workFor(count: number): number {
  return count > LONG ? LONG_WORK : WORK;
}

function factorial(n: number): number | null {
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return Number.isSafeInteger(product) ? product : null;
}

/** Any order whatever. @param terms for the sorted ones */
export function allOrders(
  terms: readonly number[],
  random: () => number,
  visit: (permutation: ArrayLike<number>) => void,
): OrdersTried {
  const count = terms.length;
  const total = factorial(count);
  if (count <= MOST_ENUMERATED) {
    for (const permutation of permutations(count)) visit(permutation);
    return { tried: total!, total, complete: true };
  }
  const arrival = terms.map((_, i) => i);
  const ascending = arrival.slice().sort((i, j) => terms[i] - terms[j]);
  const bySize = arrival.slice().sort((i, j) => Math.abs(terms[i]) - Math.abs(terms[j]));
  const sorted = [arrival, ascending, bySize].flatMap((order) => [order, order.slice().reverse()]);
  sorted.forEach(visit);
  const tries = Math.max(FEWEST, Math.min(MOST_RANDOM, Math.floor(workFor(count) / (SUMS * count))));
  for (let i = 0; i < tries; i++) visit(shuffled(count, random));
  return { tried: sorted.length + tries, total, complete: false };
}

/** Orders that a reverse topological order of the tape can have. */
export function reachableOrders(
  flat: FlatTape,
  arrivals: Arrivals,
  active: Uint8Array,
  random: () => number,
  visit: (permutation: ArrayLike<number>) => void,
): {
  readonly tried: OrdersTried;
  /** pairs of consumers whose order is fixed */
  readonly always: readonly (readonly [before: number, after: number])[] | null;
} {
  const { consumers, edges } = arrivals;
  const m = consumers.length;
  if (m > MOST_ENUMERATED) return sampled(flat, arrivals, active, random, visit);
  const first = precedence(flat, consumers, active);
  const always: (readonly [number, number])[] = [];
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) if (first[i * m + j] === 1) always.push([consumers[i], consumers[j]]);
  }
  const slots = slotsByConsumer(arrivals);
  let tried = 0;
  for (const permutation of permutations(m)) {
    const whole = expand(arrivals, slots, permutation);
    if (!isReachable(arrivals, first, whole)) continue;
    visit(whole);
    tried++;
  }
  return { tried: { tried, total: tried, complete: edges.length > 0 }, always };
}

/** Indices of contributions by consumer. */
function slotsByConsumer({ consumerOf, consumers }: Arrivals): number[][] {
  const slots: number[][] = consumers.map(() => []);
  consumerOf.forEach((consumer, i) => {
    if (consumer >= 0) slots[consumer].push(i);
  });
  return slots;
}

/** An order of consumers as an order of contributions, the seed first. */
function expand({ consumerOf }: Arrivals, slots: readonly number[][], order: ArrayLike<number>): number[] {
  const out = consumerOf[0] === -1 ? [0] : [];
  for (let i = 0; i < order.length; i++) out.push(...slots[order[i]]);
  return out;
}

/** Random sweep orders of the whole tape, the order in use first. */
function sampled(
  flat: FlatTape,
  arrivals: Arrivals,
  active: Uint8Array,
  random: () => number,
  visit: (permutation: ArrayLike<number>) => void,
): { readonly tried: OrdersTried; readonly always: null } {
  const slots = slotsByConsumer(arrivals);
  const identity = arrivals.consumers.map((_, i) => i);
  visit(expand(arrivals, slots, identity));
  const { length } = arrivals.edges;
  const size = flat.n + flat.edgeFrom.length + (length > LONG ? SUMS * length : 0);
  const tries = Math.max(1, Math.min(MOST_RANDOM_SWEEPS, Math.floor(workFor(length) / size)));
  for (let i = 0; i < tries; i++) {
    const position = randomSweepOrder(flat, active, random);
    const order = identity.slice();
    order.sort((a, b) => position[arrivals.consumers[a]] - position[arrivals.consumers[b]]);
    visit(expand(arrivals, slots, order));
  }
  return { tried: { tried: tries + 1, total: null, complete: false }, always: null };
}

/**
 * What any rematerialisation within a budget costs at least.
 *
 * Every needed value is computed once. Besides, take a moment at which some values have certainly been computed and will certainly be
 * read later: those that do not fit into memory then are computed again. The cheapest choice of them is a knapsack; its fractional
 * relaxation (cheapest cost per byte first) is a bound. The moments looked at: each demand being met, and, on graphs of up to
 * MOST_PAIRWISE values, each value being computed for the first time. The largest of these bounds counts, since they do not add.
 */
import { firstNeeds, givenBytes, type RematProblem } from "./problem.js";

const MOST_PAIRWISE = 1024;
/** Demands looked at when there are many. */
const MOST_DEMANDS = 256;

/** Least cost within `budget` bytes, demands included; Infinity where some operation alone needs more. */
export function lowerBound(problem: RematProblem, budget: number): number {
  const { n, size, cost, given, demands, parentStart, parent } = problem;
  const first = firstNeeds(problem);
  const isGiven = (v: number): boolean => given?.[v] === 1;
  let base = 0;
  for (const demand of demands) base += demand.cost;
  for (let v = 0; v < n; v++) if (first[v] >= 0 && !isGiven(v)) base += cost[v];

  const room = budget - givenBytes(problem);
  // cheapest to compute again per byte first
  const byPrice = Array.from({ length: n }, (_, v) => v)
    .filter((v) => !isGiven(v) && first[v] >= 0 && size[v] > 0)
    .sort((a, b) => cost[a] / size[a] - cost[b] / size[b]);
  const price = (inSet: Uint8Array, excess: number): number => {
    let extra = 0;
    for (let i = 0; i < byPrice.length && excess > 0; i++) {
      const v = byPrice[i];
      if (inSet[v] === 0) continue;
      extra += cost[v] * Math.min(1, excess / size[v]);
      excess -= size[v];
    }
    return excess > 0 ? Infinity : extra;
  };
  let most = 0;
  const moment = (holds: Uint8Array, pinned: number, others: Uint8Array): void => {
    let bytes = 0;
    for (let v = 0; v < n; v++) {
      if (holds[v] === 1 || isGiven(v)) others[v] = 0;
      if (others[v] === 1) bytes += size[v];
    }
    if (pinned > room) most = Infinity;
    else if (bytes + pinned > room) most = Math.max(most, price(others, bytes + pinned - room));
  };

  /** last demand that names each value itself */
  const lastNamed = new Int32Array(n).fill(-1);
  demands.forEach(({ nodes }, k) => {
    for (let i = 0; i < nodes.length; i++) lastNamed[nodes[i]] = k;
  });
  const stride = Math.max(1, Math.ceil(demands.length / MOST_DEMANDS));
  for (let k = 0; k < demands.length; k += stride) {
    const holds = new Uint8Array(n);
    let pinned = demands[k].during;
    for (let i = 0; i < demands[k].nodes.length; i++) {
      const v = demands[k].nodes[i];
      if (holds[v] === 0 && !isGiven(v)) pinned += size[v];
      holds[v] = 1;
    }
    const others = new Uint8Array(n);
    for (let v = 0; v < n; v++) if (first[v] >= 0 && first[v] <= k && lastNamed[v] > k) others[v] = 1;
    moment(holds, pinned, others);
  }
  if (n > MOST_PAIRWISE) return base + most;

  // a value may be computed well before the demand that needs it first
  const leastBefore: number[] = [];
  for (const { before } of demands) leastBefore.push(Math.min(before, leastBefore.at(-1) ?? Infinity));

  for (let v = 0; v < n; v++) {
    if (first[v] < 0 || isGiven(v)) continue;
    const holds = new Uint8Array(n);
    holds[v] = 1;
    let pinned = size[v] + leastBefore[first[v]];
    const above = new Uint8Array(n);
    for (let j = parentStart[v]; j < parentStart[v + 1]; j++) {
      const u = parent[j];
      if (!isGiven(u)) pinned += size[u];
      holds[u] = 1;
    }
    // ancestors have been computed by now
    above[v] = 1;
    for (let u = v; u >= 0; u--) {
      if (above[u] === 0 || isGiven(u)) continue;
      for (let j = parentStart[u]; j < parentStart[u + 1]; j++) above[parent[j]] = 1;
    }
    above[v] = 0;
    // descendants have not; what the needed ones read is read later, and so is what a later demand names
    const others = new Uint8Array(n);
    const below = new Uint8Array(n);
    below[v] = 1;
    for (let w = v + 1; w < n; w++) {
      if (isGiven(w)) continue;
      for (let j = parentStart[w]; j < parentStart[w + 1]; j++) if (below[parent[j]] === 1) below[w] = 1;
      if (below[w] === 0 || first[w] < 0) continue;
      for (let j = parentStart[w]; j < parentStart[w + 1]; j++)
        if (above[parent[j]] === 1) others[parent[j]] = 1;
    }
    for (let u = 0; u < v; u++) if (above[u] === 1 && lastNamed[u] >= first[v]) others[u] = 1;
    moment(holds, pinned, others);
  }
  return base + most;
}

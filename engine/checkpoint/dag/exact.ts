/** The optimum of a small rematerialisation: best-first search over the sets of live values. */
import { givenBytes, type RematOp, type RematProblem } from "./problem.js";
import { bestFirst, type SearchProblem } from "./search.js";

/** Most values that are searched, and most states entered unless told otherwise (about two seconds). */
export const MOST_NODES = 22;
export const MOST_STATES = 500_000;

export interface ExactRemat {
  readonly cost: number;
  readonly ops: RematOp[];
  readonly states: number;
}

/** Cheapest operations within `budget` bytes; null where there are none, "limit" beyond the limits. */
export function exactRemat(
  problem: RematProblem,
  budget: number,
  limit = MOST_STATES,
): ExactRemat | null | "limit" {
  if (problem.n > MOST_NODES) return "limit";
  const found = bestFirst({ ...liveSets(problem, budget, false), limit, combine: "sum" });
  if (found.kind !== "found") return found.kind === "none" ? null : "limit";
  const ops = found.labels.map((label): RematOp => {
    const kind = (["compute", "drop", "meet"] as const)[label % 3];
    return { kind, node: Math.floor(label / 3) };
  });
  let cost = found.cost;
  for (const demand of problem.demands) cost += demand.cost;
  return { cost, ops, states: found.states };
}

/** The least budget in which every demand can be met, or "limit". */
export function exactLeastBytes(problem: RematProblem, limit = MOST_STATES): number | "limit" {
  if (problem.n > MOST_NODES) return "limit";
  const found = bestFirst({ ...liveSets(problem, Infinity, true), limit, combine: "max" });
  return found.kind === "found" ? Math.max(found.cost, givenBytes(problem)) : "limit";
}

/** A state is a bit mask of live values (given ones left out) and the number of demands met. */
function liveSets(
  problem: RematProblem,
  budget: number,
  peaks: boolean,
): Omit<SearchProblem, "limit" | "combine"> {
  const { n, size, cost, given, demands } = problem;
  const width = 2 ** n;
  const fixed = givenBytes(problem);
  const maskOf = (nodes: ArrayLike<number>): number => {
    let mask = 0;
    for (let i = 0; i < nodes.length; i++) if (given?.[nodes[i]] !== 1) mask |= 1 << nodes[i];
    return mask;
  };
  const parents = Array.from({ length: n }, (_, v) =>
    maskOf(problem.parent.subarray(problem.parentStart[v], problem.parentStart[v + 1])),
  );
  const wanted = demands.map(({ nodes }) => maskOf(nodes));
  /** values some remaining demand names, and those besides that they are computed from */
  const named = wanted.slice();
  for (let k = demands.length - 2; k >= 0; k--) named[k] |= named[k + 1];
  const useful = named.map((mask) => {
    for (let v = n - 1; v >= 0; v--) if (mask & (1 << v)) mask |= parents[v];
    return mask;
  });
  const bytesOf = (live: number): number => {
    let bytes = fixed;
    for (let v = 0; v < n; v++) if (live & (1 << v)) bytes += size[v];
    return bytes;
  };
  return {
    start: 0,
    goal: (state) => state >= demands.length * width,
    expand: (state, to) => {
      const met = Math.floor(state / width);
      const live = state % width;
      const bytes = bytesOf(live);
      const step = (kind: number, node: number, next: number, need: number, price: number): void => {
        if (need <= budget) to(next, peaks ? need : price, 3 * node + kind);
      };
      if ((wanted[met] & ~live) === 0) step(2, met, state + width, bytes + demands[met].during, 0);
      for (let v = 0; v < n; v++) {
        const bit = 1 << v;
        if (live & bit) step(1, v, state - bit, 0, 0);
        else if ((useful[met] & bit) !== 0 && (parents[v] & ~live) === 0)
          step(0, v, state + bit, bytes + size[v] + demands[met].before, cost[v]);
      }
    },
    // what remaining demands name and is not live has to be computed, and what that is computed from
    bound: (state) => {
      if (peaks) return 0;
      const met = Math.floor(state / width);
      if (met === demands.length) return 0;
      const live = state % width;
      let missing = named[met] & ~live;
      let sum = 0;
      for (let v = n - 1; v >= 0; v--) {
        if ((missing & (1 << v)) === 0) continue;
        sum += cost[v];
        missing |= parents[v] & ~live;
      }
      return sum;
    },
  };
}

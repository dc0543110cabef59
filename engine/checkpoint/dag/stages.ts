/**
 * The optimum under Checkmate's restriction (Jain et al., "Checkmate: breaking the memory wall with optimal tensor rematerialization",
 * MLSys 2020): value t is computed first in stage t, in a stage every value is computed at most once and in order, and values may be
 * dropped at any time, except that a target stays once it is computed. For comparison with the true optimum, on small problems.
 */
import type { RematProblem } from "./problem.js";
import { bestFirst } from "./search.js";

/** Cheapest cost within `budget` bytes for a problem of one demand; null where the restriction admits none, "limit" beyond the limit. */
export function stageOptimum(
  problem: RematProblem,
  budget: number,
  limit = 2_000_000,
): number | null | "limit" {
  const { n, size, cost } = problem;
  if (n > 20) return "limit";
  const width = 2 ** n;
  const parents = Array.from({ length: n }, (_, v) => {
    let mask = 0;
    for (let k = problem.parentStart[v]; k < problem.parentStart[v + 1]; k++) mask |= 1 << problem.parent[k];
    return mask;
  });
  let targets = 0;
  for (const { nodes } of problem.demands) for (let i = 0; i < nodes.length; i++) targets |= 1 << nodes[i];
  // (stage, next value of the stage, live values) as one number
  const found = bestFirst({
    start: 0,
    goal: (state) => state >= n * (n + 1) * width && (targets & ~(state % width)) === 0,
    limit,
    expand: (state, to) => {
      const live = state % width;
      const place = Math.floor(state / width);
      const stage = Math.floor(place / (n + 1));
      const v = place % (n + 1);
      if (stage >= n) return;
      let bytes = 0;
      for (let u = 0; u < n; u++) {
        const bit = 1 << u;
        if ((live & bit) === 0) continue;
        bytes += size[u];
        if ((targets & bit) === 0) to(state - bit, 0, 0);
      }
      const behind = v === stage ? (stage + 1) * (n + 1) : place + 1;
      if (v < stage) to(behind * width + live, 0, 0);
      const bit = 1 << v;
      if ((live & bit) === 0 && (parents[v] & ~live) === 0 && bytes + size[v] <= budget)
        to(behind * width + live + bit, cost[v], 0);
    },
  });
  return found.kind === "found" ? found.cost : found.kind === "none" ? null : "limit";
}

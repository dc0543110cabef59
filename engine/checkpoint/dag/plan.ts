/** `budget:bytes` on a DAG: the optimum for small graphs, the best of several greedy plans above, and how far it can be from it. */
import { BacksweepError } from "../../trace/failure.js";
import { lowerBound } from "./bound.js";
import { Evictor, type Score } from "./evict.js";
import { exactRemat, MOST_NODES, MOST_STATES } from "./exact.js";
import type { RematOp, RematProblem } from "./problem.js";
import { refereeRemat } from "./referee.js";
import { tidy } from "./tidy.js";
import { plainRun } from "./uses.js";

export interface RematOptions {
  /** "exact" and "greedy" take one of the two; by default the optimum is searched for up to MOST_NODES values */
  readonly method?: "exact" | "greedy";
  /** most states the search may enter */
  readonly states?: number;
  /** greedy plans tried at most (64 by default; fewer on large graphs, where the work is bounded) */
  readonly tries?: number;
}

export interface RematPlan {
  readonly ops: readonly RematOp[];
  readonly cost: number;
  readonly peak: number;
  /** true: no operations within the budget cost less */
  readonly exact: boolean;
  /** cost that nothing within the budget can be below; `cost` itself where exact */
  readonly lowerBound: number;
}

/** The score of Kirisame et al. first, then its relatives: which is best differs from graph to graph. */
const scores: readonly Score[] = [
  { cost: 1, size: 1, distance: 1, noise: 0, grid: 0 },
  { cost: 0, size: 0, distance: 1, noise: 0, grid: 0 },
  { cost: 1, size: 1, distance: 0, noise: 0, grid: 0 },
  { cost: 0, size: 1, distance: 1, noise: 0, grid: 0 },
  { cost: 1, size: 0, distance: 1, noise: 0, grid: 0 },
  { cost: 0.5, size: 1, distance: 1, noise: 0, grid: 0 },
  { cost: 1, size: 0.5, distance: 2, noise: 0, grid: 0 },
  { cost: 2, size: 1, distance: 1, noise: 0, grid: 0 },
];

/** Work of one greedy plan (values looked at); three times that goes into looking for a better one. */
const WORK = 4_000_000;
/** Values above which few tries fit into that work. */
const MANY = 4000;

/**
 * Cheapest operations found within `budget` bytes, legal by the referee.
 * @throws BacksweepError "option" where nothing fits, or where no greedy plan does
 */
export function planRemat(problem: RematProblem, budget: number, options: RematOptions = {}): RematPlan {
  if (!Number.isSafeInteger(budget) || budget < 0)
    throw new BacksweepError("option", `budget:${budget}: the budget is a whole number of bytes`);
  const bound = lowerBound(problem, budget);
  const impossible = (): BacksweepError =>
    new BacksweepError("option", `budget:${budget}: some operation of this graph needs more bytes than that`);
  if (bound === Infinity) throw impossible();
  const searched = options.method !== "greedy" && problem.n <= MOST_NODES;
  if (searched) {
    const exact = exactRemat(problem, budget, options.states ?? MOST_STATES);
    if (exact === null)
      throw new BacksweepError(
        "option",
        `budget:${budget}: no order of operations fits this graph into so few bytes`,
      );
    if (exact !== "limit") return finish(problem, budget, exact.ops, true, bound);
  }
  if (options.method === "exact")
    throw new BacksweepError(
      "option",
      `budget:${budget}: the graph is too large for the optimum to be searched for`,
    );
  const ops = greedy(problem, budget, bound, options.tries);
  if (ops === null) {
    throw new BacksweepError(
      "option",
      `budget:${budget}: no plan found for so few bytes (single operations do fit, so one may exist); give more`,
    );
  }
  return finish(problem, budget, ops, false, bound);
}

function finish(
  problem: RematProblem,
  budget: number,
  found: readonly RematOp[],
  exact: boolean,
  bound: number,
): RematPlan {
  const ops = tidy(problem, found);
  const { cost, peak } = refereeRemat(problem, ops);
  if (peak > budget) throw new Error(`budget: a plan of ${peak} bytes for ${budget}`);
  // a plan at the lower bound is an optimum however it was found; sums of costs in another order differ in last bits
  const met = cost <= bound * (1 + 1e-12);
  return { ops, cost, peak, exact: exact || met, lowerBound: exact || met ? cost : Math.min(bound, cost) };
}

function greedy(problem: RematProblem, budget: number, bound: number, tries = 64): RematOp[] | null {
  const run = plainRun(problem);
  const evictor = new Evictor(problem, run);
  // half of the budget for a grid of values that are kept, which is what a long chain needs; first where tries are few
  let bytes = 0;
  for (let v = 0; v < problem.n; v++) bytes += problem.size[v];
  const grid: Score = { ...scores[0], grid: Math.max(2, Math.ceil((2 * bytes) / Math.max(1, budget))) };
  const variants = problem.n > MANY ? [grid, ...scores] : [...scores, grid];
  let demanded = 0;
  for (const { cost } of problem.demands) demanded += cost;
  let best: RematOp[] | null = null;
  let cost = Infinity;
  for (let k = 0; k < tries; k++) {
    const base = variants[k % variants.length];
    const score = k < variants.length ? base : { ...base, noise: 1 };
    // a plan that costs as much as the best so far is given up; so is one that begins to thrash
    const most = evictor.work + (best === null ? 4 : 1) * WORK;
    const found = evictor.plan(budget, score, most, cost - demanded, k + 1);
    if (found !== null) {
      const ops = tidy(problem, found);
      const reached = refereeRemat(problem, ops).cost;
      if (reached < cost) {
        best = ops;
        cost = reached;
      }
      // close enough to what nothing can be below, where every further try is long
      if (cost <= bound * (problem.n > MANY ? 1.02 : 1)) break;
    }
    if (evictor.work > (best === null ? 12 : 3) * WORK) break;
  }
  return best;
}

/**
 * Paths from a node to the outputs: how many (exact), and the strongest. Both run over the trace's edge table, in time
 * linear in the edges between (times k for the strongest); no path is listed that is not returned. The sum over all
 * paths of the products of local derivatives is the derivative (Bauer 1974, "Computational graphs and rounding error").
 *
 * A product needs a number on every edge. An edge whose local derivative is not recorded (into an array operation, where
 * it is a linear map and no number) and an end that is an array have none: paths over them are counted, never listed.
 */
import { arrayAt } from "../trace/arrays.js";
import type { Trace } from "../trace/trace.js";

export interface Path {
  /** node ids from the start to an output */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly locals: readonly number[];
  /** product of the local derivatives, times the output's seed */
  readonly product: number;
}

/** Consumers by operand: edges out of v are `edge[start[v] .. start[v + 1])`, in recording order. */
export interface UseIndex {
  readonly start: Int32Array;
  readonly edge: Int32Array;
}

export function useIndex(trace: Trace): UseIndex {
  const { edges, nodes } = trace;
  const start = new Int32Array(nodes.n + 1);
  for (let e = 0; e < edges.n; e++) start[edges.from[e] + 1]++;
  for (let v = 0; v < nodes.n; v++) start[v + 1] += start[v];
  const fill = start.slice(0, nodes.n);
  const edge = new Int32Array(edges.n);
  for (let e = 0; e < edges.n; e++) edge[fill[edges.from[e]]++] = e;
  return { start, edge };
}

/** Nodes reachable from `from` along uses, ascending (a topological order). */
function downstream(trace: Trace, uses: UseIndex, from: number): number[] {
  const seen = new Set<number>([from]);
  const stack = [from];
  while (stack.length > 0) {
    const v = stack.pop()!;
    for (let i = uses.start[v]; i < uses.start[v + 1]; i++) {
      const to = trace.edges.to[uses.edge[i]];
      if (!seen.has(to)) {
        seen.add(to);
        stack.push(to);
      }
    }
  }
  return Array.from(seen).sort((a, b) => a - b);
}

/** Output nodes with the cotangent each is seeded with; null where that is an array. */
function targets(trace: Trace, to: number | null): Map<number, number | null> {
  const out = new Map<number, number | null>();
  const isArray = (node: number): boolean => arrayAt(trace, trace.nodes.value[node]) !== null;
  if (to !== null) return out.set(to, isArray(to) ? null : 1);
  for (const { node, cotangent } of trace.header.outputs) {
    if (node >= 0) out.set(node, isArray(node) ? null : (out.get(node) ?? 0) + cotangent);
  }
  return out;
}

/**
 * Number of paths from a node to the outputs (or to one node), exact. A repeated operand makes two paths. The empty
 * path counts where the node is itself a target.
 */
export function countPaths(
  trace: Trace,
  from: number,
  to: number | null = null,
  uses = useIndex(trace),
): bigint {
  return count(trace, from, to, uses, false);
}

/** Number of those paths that have a product: a recorded local derivative on every edge, an end that is a number. */
export function countProducts(
  trace: Trace,
  from: number,
  to: number | null = null,
  uses = useIndex(trace),
): bigint {
  return count(trace, from, to, uses, true);
}

function count(trace: Trace, from: number, to: number | null, uses: UseIndex, onlyProducts: boolean): bigint {
  const ends = targets(trace, to);
  const isEnd = (node: number): boolean => ends.has(node) && !(onlyProducts && ends.get(node) === null);
  const nodes = downstream(trace, uses, from);
  const counts = new Map<number, bigint>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const v = nodes[i];
    let sum = isEnd(v) ? 1n : 0n;
    for (let k = uses.start[v]; k < uses.start[v + 1]; k++) {
      const edge = uses.edge[k];
      if (!onlyProducts || trace.edges.local[edge] >= 0) sum += counts.get(trace.edges.to[edge])!;
    }
    counts.set(v, sum);
  }
  return counts.get(from)!;
}

interface Ranked {
  /** log of |product|, so that long paths neither overflow nor vanish; -Infinity for a zero */
  readonly log: number;
  readonly edge: number;
  /** rank of the continuation in the child's list */
  readonly rank: number;
}

/**
 * The k paths of largest |product of local derivatives|, strongest first; ties by smaller node ids. Paths with a NaN on
 * them count as strongest, because they are what a person looks for. Paths without a product (see above) are left out:
 * the list is shorter than k, or empty, where fewer than k have one (`countProducts`).
 */
export function strongestPaths(
  trace: Trace,
  from: number,
  k: number,
  to: number | null = null,
  uses = useIndex(trace),
): Path[] {
  const ends = targets(trace, to);
  const nodes = downstream(trace, uses, from);
  const best = new Map<number, Ranked[]>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const v = nodes[i];
    const list: Ranked[] = [];
    const seed = ends.get(v) ?? null;
    if (seed !== null) list.push({ log: strength(seed), edge: -1, rank: 0 });
    for (let u = uses.start[v]; u < uses.start[v + 1]; u++) {
      const edge = uses.edge[u];
      if (trace.edges.local[edge] < 0) continue;
      const log = strength(localOf(trace, edge));
      best.get(trace.edges.to[edge])!.forEach((rest, rank) => {
        list.push({
          log: log === -Infinity || rest.log === -Infinity ? -Infinity : log + rest.log,
          edge,
          rank,
        });
      });
    }
    list.sort((a, b) => compare(b.log, a.log) || a.edge - b.edge || a.rank - b.rank);
    best.set(v, list.slice(0, k));
  }
  return best.get(from)!.map((_, rank) => unroll(trace, best, ends, from, rank));
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function localOf(trace: Trace, edge: number): number {
  return trace.values.mean[trace.edges.local[edge]];
}

function strength(x: number): number {
  return Number.isNaN(x) ? Infinity : Math.log(Math.abs(x));
}

function unroll(
  trace: Trace,
  best: Map<number, Ranked[]>,
  ends: Map<number, number | null>,
  from: number,
  rank: number,
): Path {
  const nodes = [from];
  const edges: number[] = [];
  const locals: number[] = [];
  let v = from;
  let at = best.get(v)![rank];
  while (at.edge >= 0) {
    edges.push(at.edge);
    locals.push(localOf(trace, at.edge));
    v = trace.edges.to[at.edge];
    nodes.push(v);
    at = best.get(v)![at.rank];
  }
  let product = ends.get(v)!;
  for (let i = locals.length - 1; i >= 0; i--) product *= locals[i];
  return { nodes, edges, locals, product };
}

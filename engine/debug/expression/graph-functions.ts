/** Functions of nodes that an expression may call: `bar(a)`, `d(L, a)`, `contributions(a)`, `paths(x, L)`, `local(a, b)`. */
import { contribution } from "../../report/quantity.js";
import { full, plural } from "../../report/text/format.js";
import { countPaths, strongestPaths } from "../../sweep/paths.js";
import { firstEdge, nodeTitle } from "../../trace/read.js";
import type { Trace } from "../../trace/trace.js";
import { contributionRows } from "../contributions.js";
import type { Debuggee } from "../debuggee.js";
import { NoAnswer } from "../no-answer.js";
import type { Table, Value } from "./value.js";

/** Most rows of a table of contributions; the scope of the same name pages through all. */
const MOST_ROWS = 1_000;
const STRONGEST = 5;

/**
 * The derivative of one node in another: a reverse sweep from `of` with seed 1 over the recorded local derivatives,
 * linear in the edges between. Throws `NoAnswer` where a local derivative is a linear map and no number.
 */
export function derivative({ trace }: Debuggee, of: number, at: number): number {
  if (at > of) return 0;
  const bar = new Float64Array(of - at + 1);
  const reached = new Uint8Array(of - at + 1);
  const array = new Uint8Array(of - at + 1);
  bar[of - at] = reached[of - at] = 1;
  const { edges, values } = trace;
  let edge = firstEdge(trace, of + 1) - 1;
  for (; edge >= 0 && edges.to[edge] > at; edge--) {
    const to = edges.to[edge] - at;
    const from = edges.from[edge] - at;
    if (from < 0 || reached[to] === 0) continue;
    const local = edges.local[edge];
    if (array[to] === 1 || local < 0) array[from] = 1;
    else bar[from] += bar[to] * values.mean[local];
    reached[from] = 1;
  }
  if (array[0] === 1)
    throw new NoAnswer(
      `the way from ${nodeTitle(trace, of)} to ${nodeTitle(trace, at)} leads through arrays, where a derivative is no number; bar(...) has the whole cotangent`,
    );
  return bar[0];
}

/** The local derivative of the one node in the other, whichever way round they were given; slots add up. */
export function localDerivative(trace: Trace, a: number, b: number): number {
  const [from, to] = a <= b ? [a, b] : [b, a];
  let sum: number | null = null;
  for (let e = firstEdge(trace, to); e < trace.edges.n && trace.edges.to[e] === to; e++) {
    if (trace.edges.from[e] !== from) continue;
    if (trace.edges.local[e] < 0)
      throw new NoAnswer(`${nodeTitle(trace, to)} is an array operation: its local derivative is no number`);
    sum = (sum ?? 0) + trace.values.mean[trace.edges.local[e]];
  }
  if (sum === null)
    throw new NoAnswer(`${nodeTitle(trace, to)} does not use ${nodeTitle(trace, from)} directly`);
  return sum;
}

export function contributionTable(debuggee: Debuggee, node: number, position: number): Table {
  const { timeline, trace } = debuggee;
  const arrived = timeline.arrived(node, position);
  const rows = contributionRows(debuggee, node, position, 0, Math.min(arrived, MOST_ROWS));
  const sum = debuggee.running.at(node, position);
  const seeded = timeline.seed(node, position) === undefined ? "" : " and the seed";
  return {
    title: `${plural(arrived, "contribution")}${seeded} of ${timeline.slots(node)} into ${nodeTitle(trace, node)}: ${sum === undefined ? "none yet" : full(sum)}`,
    rows: rows.map(({ name, text }) => ({ name, text })),
  };
}

/** How many paths, and the strongest; over an array operation a path is counted and has no product. */
export function pathTable({ trace }: Debuggee, from: number, to: number): Table {
  const count = countPaths(trace, from, to);
  const rows = strongestPaths(trace, from, STRONGEST, to).map(({ nodes, product }, i) => ({
    name: `${i + 1}`,
    text: `${nodes.map((node) => nodeTitle(trace, node)).join(" → ")}: ${full(product)}`,
  }));
  return {
    title: `${plural(count, "path")} from ${nodeTitle(trace, from)} to ${nodeTitle(trace, to)}`,
    rows,
  };
}

/** The contribution of one child to a node so far: its slots added; undefined: nothing has flowed. */
export function contributionOf(
  { timeline, trace }: Debuggee,
  child: number,
  node: number,
  position: number,
): Value {
  let sum: number | undefined;
  for (let e = firstEdge(trace, child); e < trace.edges.n && trace.edges.to[e] === child; e++) {
    const step = timeline.stepOfEdge(e);
    if (trace.edges.from[e] !== node || step < 0 || step > position) continue;
    const value = contribution(timeline, e);
    if (typeof value === "object") return value;
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}

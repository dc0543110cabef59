/** The contributions into a node up to a position, row by row: who paid, what times what, and the running sum. */
import { overwrites } from "../report/overwrites.js";
import { contribution, cotangent, isArray, magnitude, type Quantity } from "../report/quantity.js";
import { factor, full, short } from "../report/text/format.js";
import { nodeTitle } from "../trace/read.js";
import type { Debuggee } from "./debuggee.js";

export interface ContributionRow {
  readonly edge: number;
  readonly child: number;
  readonly name: string;
  /** "18 × 1 = 18, running sum 18" */
  readonly text: string;
  readonly value: Quantity | undefined;
  /** the cotangent the child handed on from */
  readonly from: Quantity | undefined;
  /** NaN where the child is an array operation */
  readonly local: number;
  readonly running: Quantity | undefined;
  /** |contribution| over the sum of magnitudes so far, NaN where it is not known */
  readonly share: number;
  /** overwritten by a later one */
  readonly lost: boolean;
}

/** Rows `start` up to `start + count` of those that have arrived at the position. */
export function contributionRows(
  debuggee: Debuggee,
  node: number,
  position: number,
  start: number,
  count: number,
): ContributionRow[] {
  const { timeline, trace, running } = debuggee;
  const arrived = timeline.arrived(node, position);
  const end = Math.min(arrived, start + count);
  const overwriting = overwrites(trace, node);
  const total = totalMagnitude(debuggee, node, arrived);
  const rows: ContributionRow[] = [];
  for (let i = start; i < end; i++) {
    const edge = timeline.arrivalEdgeAt(node, i);
    const child = trace.edges.to[edge];
    const value = contribution(timeline, edge);
    const localRow = trace.edges.local[edge];
    const local = localRow < 0 ? NaN : trace.values.mean[localRow];
    const from = cotangent(timeline, child);
    const sum = running.after(node, i + 1, position);
    const lost = overwriting && i < arrived - 1;
    const name = `from ${nodeTitle(trace, child)}${severalSlots(debuggee, node, i) ? `, slot ${trace.edges.slot[edge]}` : ""}`;
    rows.push({
      edge,
      child,
      name,
      text: rowText(value, from, local, sum, i, lost, overwriting),
      value,
      from,
      local,
      running: sum,
      share: total > 0 ? magnitude(value) / total : NaN,
      lost,
    });
  }
  return uniqueNames(rows);
}

/** The child of the `index`-th contribution pays more than once; what it pays flows in succession. */
function severalSlots({ timeline, trace }: Debuggee, node: number, index: number): boolean {
  const child = (i: number): number => trace.edges.to[timeline.arrivalEdgeAt(node, i)];
  const before = index > 0 && child(index - 1) === child(index);
  return before || (index + 1 < timeline.slots(node) && child(index + 1) === child(index));
}

function rowText(
  value: Quantity | undefined,
  from: Quantity | undefined,
  local: number,
  sum: Quantity | undefined,
  index: number,
  lost: boolean,
  overwriting: boolean,
): string {
  if (value === undefined) return "none, which is not zero";
  const plain = !isArray(value) && !isArray(from) && from !== undefined && !Number.isNaN(local);
  const product = plain ? `${full(value)} = ${short(from)} × ${factor(local)}` : full(value);
  if (lost) return `${product}, overwritten: lost`;
  if (overwriting && index > 0) return `${product}, overwrites what was there`;
  return index === 0 ? product : `${product}, running sum ${full(sum)}`;
}

/** Sum of the magnitudes; not asked of nodes with very many contributions, where a share says nothing. */
function totalMagnitude({ timeline }: Debuggee, node: number, arrived: number): number {
  if (arrived > 10_000) return NaN;
  let total = 0;
  for (let i = 0; i < arrived; i++)
    total += magnitude(contribution(timeline, timeline.arrivalEdgeAt(node, i)));
  return total;
}

/** Rows of children with one title (an expression without a name, twice) are told apart by the child's id. */
function uniqueNames(rows: ContributionRow[]): ContributionRow[] {
  const seen = new Map<string, number>();
  for (const { name } of rows) seen.set(name, (seen.get(name) ?? 0) + 1);
  return rows.map((row) => (seen.get(row.name) === 1 ? row : { ...row, name: `${row.name} #${row.child}` }));
}

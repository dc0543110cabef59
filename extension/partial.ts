/** What a run that stopped before its sweep had recorded, cut to what the view can show. Pure: no editor here. */
import { moveArrays } from "../engine/trace/arrays.js";
import type { Trace } from "../engine/trace/trace.js";

/** Most nodes of a stopped recording that are sent to the view; it draws fewer and steps through these. */
export const PARTIAL_NODES = 2_000;

/** The first rows of the columns; the others are kept as they are. A copy, since a view would keep the whole buffer. */
function first<T extends object>(table: T, rows: number): T {
  const out = Object.fromEntries(
    Object.entries(table).map(([name, column]: [string, unknown]) => [
      name,
      ArrayBuffer.isView(column) ? (column as Int32Array).slice(0, rows) : column,
    ]),
  );
  return { ...out, n: rows } as unknown as T;
}

/** The rows of a table that pass. */
function rows<T extends { readonly n: number }>(table: T, passes: (row: number) => boolean): T {
  const kept: number[] = [];
  for (let row = 0; row < table.n; row++) if (passes(row)) kept.push(row);
  const out = Object.fromEntries(
    Object.entries(table).map(([name, column]: [string, unknown]) => {
      if (!ArrayBuffer.isView(column)) return [name, column];
      const from = column as Int32Array;
      const to = from.slice(0, kept.length);
      kept.forEach((row, i) => (to[i] = from[row]));
      return [name, to];
    }),
  );
  return { ...out, n: kept.length } as unknown as T;
}

/** First row whose value is `limit` or more, in an ascending column. */
function rowOf(column: Int32Array, n: number, limit: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A forward recording of the first `limit` nodes. Time: linear in what is kept, and in its events and notes. */
export function cutRecording(trace: Trace, limit = PARTIAL_NODES): Trace {
  const { nodes, edges, values, events, scopes, decisions } = trace;
  const n = Math.min(limit, nodes.n);
  const kept = rowOf(edges.to, edges.n, n);
  const constants = first(trace.constants, rowOf(trace.constants.node, trace.constants.n, n));
  // values rows that stay: primals first, then local derivatives, then constants that are arrays
  const rowNow = new Map<number, number>();
  for (let node = 0; node < n; node++) rowNow.set(nodes.value[node], node);
  let rowsNow = n + kept;
  const constantRow = constants.row?.map((row) => {
    if (row < 0) return -1;
    rowNow.set(row, rowsNow);
    return rowsNow++;
  });
  const mean = new Float64Array(rowsNow);
  for (const [row, now] of rowNow) mean[now] = values.mean[row];
  for (let node = 0; node < n; node++) mean[node] = values.mean[nodes.value[node]];
  const local = edges.local.slice(0, kept);
  for (let edge = 0; edge < kept; edge++) {
    if (local[edge] < 0) continue;
    mean[n + edge] = values.mean[local[edge]];
    local[edge] = n + edge;
  }
  let lastScope = 0;
  for (let node = 0; node < n; node++) lastScope = Math.max(lastScope, nodes.scope[node], nodes.owner[node]);
  // forward events speak of primals only, and a primal's row is now the node's own
  const shownEvents = rows(events, (row) => events.node[row] < n);
  for (let row = 0; row < shownEvents.n; row++)
    if (shownEvents.value[row] >= 0) shownEvents.value[row] = shownEvents.node[row];
  return {
    ...trace,
    values: { n: mean.length, mean },
    ...(trace.arrays === undefined
      ? {}
      : { arrays: moveArrays(trace.arrays, (row) => rowNow.get(row) ?? -1) }),
    nodes: { ...first(nodes, n), value: Int32Array.from({ length: n }, (_, node) => node) },
    edges: { ...first(edges, kept), local },
    constants: constantRow === undefined ? constants : { ...constants, row: constantRow },
    events: shownEvents,
    scopes: first(scopes, Math.min(scopes.n, lastScope + 1)),
    decisions: first(decisions, rowOf(decisions.at, decisions.n, n + 1)),
    notes: rows(trace.notes, (row) => trace.notes.node[row] < n),
  };
}

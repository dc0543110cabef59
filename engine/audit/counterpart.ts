/**
 * The sweep of an audited engine as a trace: our own sweep over the smallest failing graph, with the contributions and
 * cotangents the engine had in place of ours, so that a view can show both of one graph.
 */
import { Event } from "../trace/events.js";
import { arrayAt, summaryOf, type ArraySummary } from "../trace/arrays.js";
import { nodeName } from "../trace/read.js";
import type { ArraysTable, Trace } from "../trace/trace.js";
import type { AuditValue, SmallestContribution, SmallestGraph } from "./result.js";

/** The node of the trace for each node of the graph, by name; null where one is missing: then it is another graph's. */
export function traceNodes(trace: Trace, { nodes }: SmallestGraph): readonly number[] | null {
  const byName = new Map<string, number>();
  for (let v = 0; v < trace.nodes.n; v++) {
    const name = nodeName(trace, v);
    if (name !== null) byName.set(name, v);
  }
  const found = nodes.map(({ name }) => byName.get(name) ?? -1);
  return found.includes(-1) ? null : found;
}

/**
 * `trace`: our sweep of `smallest.definition`, in tape order. What the engine never made is "none"; where it overwrote, the
 * lost contribution stands as made, and the accumulation of the trace says so of that node. Null: not this graph's trace.
 */
export function foreignTrace(trace: Trace, smallest: SmallestGraph): Trace | null {
  const at = traceNodes(trace, smallest);
  if (at === null) return null;
  const values = new Values(trace);
  const value = Int32Array.from(trace.events.value);
  const overwritten = overwrittenNode(trace, smallest, at);
  const rows = contributionRows(trace);
  for (const contribution of smallest.contributions) {
    const row = rows.get(keyOf(at[contribution.from], at[contribution.to], contribution.slot));
    if (row === undefined) continue;
    const engine = made(contribution, smallest, contribution.to === overwritten);
    if (engine === undefined) value[row] = -1;
    else if (engine !== null) value[row] = values.add(engine);
  }
  for (let row = 0; row < trace.events.n; row++) {
    if (trace.events.kind[row] !== Event.final) continue;
    const node = smallest.nodes[at.indexOf(trace.events.node[row])];
    if (node !== undefined && node.got !== null) value[row] = values.add(node.got);
  }
  const accumulation = overwritten < 0 ? "engine" : `last-writer-wins:${smallest.nodes[overwritten].name}`;
  return {
    ...trace,
    header: { ...trace.header, options: { ...trace.header.options, accumulation } },
    ...values.tables(),
    events: { ...trace.events, value },
  };
}

/** What the engine paid; undefined: nothing; null: it is not known, and nothing is wrong there. */
function made(
  { state, foreign, to, right }: SmallestContribution,
  { nodes }: SmallestGraph,
  shownLost: boolean,
): AuditValue | undefined | null {
  if (state === "kept") return foreign ?? right;
  if (state === "lost") return shownLost ? (foreign ?? right) : undefined;
  if (state === "missing") return undefined;
  const { right: sum, got } = nodes[to];
  return got === null || JSON.stringify(sum) === JSON.stringify(got) ? null : undefined;
}

/**
 * The node of the graph into which the last contribution of our sweep is the one that stayed in the engine's, and all
 * before it were overwritten; -1: there is none, so that lost contributions cannot be shown in their places.
 */
function overwrittenNode(trace: Trace, smallest: SmallestGraph, at: readonly number[]): number {
  const { lost, nodes, contributions } = smallest;
  const node = lost === null ? -1 : nodes.findIndex(({ name }) => name === lost.node);
  const into = contributions.filter(({ to }) => to === node);
  if (into.length < 2 || into.filter(({ state }) => state === "kept").length !== 1) return -1;
  if (into.some(({ state }) => state !== "kept" && state !== "lost")) return -1;
  const rows = contributionRows(trace);
  const rowOf = ({ from, to, slot }: SmallestContribution): number =>
    rows.get(keyOf(at[from], at[to], slot)) ?? -1;
  const last = into.reduce((a, b) => (rowOf(a) > rowOf(b) ? a : b));
  return last.state === "kept" ? node : -1;
}

const keyOf = (from: number, to: number, slot: number): string => `${from} ${to} ${slot}`;

/** Event rows of contributions, by who uses, who is paid and in which slot. */
function contributionRows({ events, edges }: Trace): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < events.n; row++) {
    const edge = events.edge[row];
    if (events.kind[row] === Event.contribute)
      rows.set(keyOf(edges.to[edge], edges.from[edge], edges.slot[edge]), row);
  }
  return rows;
}

/** The values of a trace and further ones behind them. */
class Values {
  readonly #trace: Trace;
  readonly #means: number[] = [];
  readonly #arrays: { readonly row: number; readonly summary: ArraySummary }[] = [];

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** The values row. */
  add(value: AuditValue): number {
    const row = this.#trace.values.n + this.#means.length;
    if (typeof value === "number") {
      this.#means.push(value);
      return row;
    }
    const shape: number[] = [];
    for (let inner: AuditValue = value; typeof inner !== "number"; inner = inner[0]) {
      shape.push(inner.length);
      if (inner.length === 0) break;
    }
    const data = Float64Array.from((value as readonly unknown[]).flat(Infinity) as number[]);
    this.#means.push(data.reduce((sum, x) => sum + x, 0) / data.length);
    this.#arrays.push({ row, summary: summaryOf(shape, data) });
    return row;
  }

  tables(): Pick<Trace, "values"> & { readonly arrays?: ArraysTable } {
    const { values, arrays } = this.#trace;
    const mean = Float64Array.from([...values.mean.subarray(0, values.n), ...this.#means]);
    const tables = { values: { n: mean.length, mean } };
    if (this.#arrays.length === 0) return arrays === undefined ? tables : { ...tables, arrays };
    const before = Array.from({ length: arrays?.n ?? 0 }, (_, i) => arrays!.value[i]).map((row) => ({
      row,
      summary: arrayAt(this.#trace, row)!,
    }));
    return { ...tables, arrays: arraysTable([...before, ...this.#arrays]) };
  }
}

function arraysTable(rows: readonly { readonly row: number; readonly summary: ArraySummary }[]): ArraysTable {
  const all = rows.map(({ summary }) => summary);
  const starts = (lengths: readonly number[]): Int32Array => {
    let sum = 0;
    return Int32Array.from([0, ...lengths.map((length) => (sum += length))]);
  };
  const column = (of: (summary: ArraySummary) => number): Float64Array => Float64Array.from(all, of);
  return {
    n: rows.length,
    value: Int32Array.from(rows, ({ row }) => row),
    axesStart: starts(all.map(({ shape }) => shape.length)),
    lengths: Int32Array.from(all.flatMap(({ shape }) => shape)),
    norm: column(({ norm }) => norm),
    min: column(({ min }) => min),
    max: column(({ max }) => max),
    nonfinite: Int32Array.from(all, ({ nonfinite }) => nonfinite),
    dataStart: starts(all.map(({ data }) => data.length)),
    data: Float64Array.from(all.flatMap(({ data }) => Array.from(data))),
  };
}

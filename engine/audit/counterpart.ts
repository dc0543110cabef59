/**
 * The sweep of an audited engine as a trace: our own sweep over the smallest failing graph, with the contributions and
 * cotangents the engine had in place of ours, so that a view can show both of one graph.
 */
import { Event } from "../trace/events.js";
import { arrayAt, summaryOf, type ArraySummary } from "../trace/arrays.js";
import { nodeName } from "../trace/read.js";
import { Fate, type ArraysTable, type Trace } from "../trace/trace.js";
import { near } from "./arrivals.js";
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
 * `trace`: our sweep of `smallest.definition`, in tape order. Every contribution is what the engine was seen to pay, with
 * what became of it; what was not seen has no value, unless the engine's cotangents around it are all right. Null: not this
 * graph's trace.
 *
 * @param threw what the engine threw, where its sweep came to nothing
 */
export function foreignTrace(
  trace: Trace,
  smallest: SmallestGraph,
  threw: string | null = null,
): Trace | null {
  const at = traceNodes(trace, smallest);
  if (at === null) return null;
  const values = new Values(trace);
  const value = Int32Array.from(trace.events.value);
  const rows = contributionRows(trace);
  // what the audit says nothing of, as the inner parts of an operation of the user's own, was not seen
  const fate = new Uint8Array(trace.edges.n);
  const said = new Set(
    smallest.contributions.map(({ from, to, slot }) => rows.get(keyOf(at[from], at[to], slot))),
  );
  for (const row of rows.values()) {
    if (said.has(row)) continue;
    value[row] = -1;
    fate[trace.events.edge[row]] = Fate.unknown;
  }
  const paid: number[][] = Array.from({ length: trace.edges.n }, () => []);
  for (const contribution of smallest.contributions) {
    const row = rows.get(keyOf(at[contribution.from], at[contribution.to], contribution.slot));
    if (row === undefined) continue;
    const edge = trace.events.edge[row];
    if (contribution.state === "unknown") {
      if (isRight(contribution, smallest)) continue;
      value[row] = -1;
      fate[edge] = Fate.unknown;
      continue;
    }
    fate[edge] = Fate[contribution.state];
    value[row] = contribution.foreign === null ? -1 : values.add(contribution.foreign);
    paid[edge] = contribution.paid.map((each) => values.add(each));
  }
  const leftover = new Int32Array(trace.nodes.n).fill(-1);
  const primal = Int32Array.from(trace.nodes.value);
  smallest.nodes.forEach((node, v) => {
    if (node.gotValue !== null) primal[at[v]] = values.add(node.gotValue);
    if (node.leftover !== null) leftover[at[v]] = values.add(node.leftover);
  });
  for (let row = 0; row < trace.events.n; row++) {
    if (trace.events.kind[row] !== Event.final) continue;
    const node = smallest.nodes[at.indexOf(trace.events.node[row])];
    // of a node that the engine does not tell nothing is told
    value[row] = node === undefined || node.got === null ? -1 : values.add(node.got);
  }
  const start = new Int32Array(trace.edges.n + 1);
  paid.forEach((list, edge) => (start[edge + 1] = start[edge] + list.length));
  return {
    ...trace,
    header: { ...trace.header, options: { ...trace.header.options, accumulation: "engine" } },
    ...values.tables(),
    nodes: { ...trace.nodes, value: primal },
    events: { ...trace.events, value },
    seen: {
      n: trace.edges.n,
      fate,
      start,
      row: Int32Array.from(paid.flat()),
      leftover,
      ...(threw === null ? {} : { threw }),
    },
  };
}

/** Nothing is wrong around an edge: the engine tells the cotangents at both of its ends, and they are right. */
function isRight({ from, to }: SmallestContribution, { nodes }: SmallestGraph): boolean {
  return [from, to].every((v) => nodes[v].got !== null && nearValues(nodes[v].got, nodes[v].right));
}

/** The same up to rounding. */
function nearValues(a: AuditValue, b: AuditValue): boolean {
  if (typeof a === "number" || typeof b === "number")
    return typeof a === "number" && typeof b === "number" && near(a, b);
  return a.length === b.length && a.every((x, i) => nearValues(x, b[i]));
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

/**
 * The event sequence of a store-all sweep: evaluations in recording order with the storing of values that a reverse rule
 * will read; the seeds; then node by node the contributions, each node's finality with its last one, and the freeing of
 * values that no remaining rule reads.
 */
import type { Seed, SweepResult } from "../sweep/reverse.js";
import type { FlatTape } from "../sweep/flat.js";
import { useCounts } from "../sweep/order.js";
import { readerCounts, Reads } from "../sweep/reads.js";
import { OP_INPUT } from "../tape/tape.js";
import { Event } from "../trace/events.js";
import type { EventsTable } from "../trace/trace.js";

export function buildEvents(
  flat: FlatTape,
  sweep: SweepResult | null,
  active: Uint8Array,
  seeds: readonly Seed[],
): EventsTable {
  const { n } = flat;
  const reads = new Reads(flat);
  const readers = sweep === null ? new Int32Array(n) : readerCounts(flat, active, reads);
  const rows = new Rows(countRows(flat, sweep, active, seeds.length, readers));
  for (let v = 0; v < n; v++) {
    if (flat.op[v] === OP_INPUT) {
      if (readers[v] > 0) rows.push(Event.store, v, -1, v);
    }
  }
  for (let v = 0; v < n; v++) {
    if (flat.op[v] === OP_INPUT) continue;
    rows.push(Event.eval, v, -1, v);
    if (readers[v] > 0) rows.push(Event.store, v, -1, v);
  }
  if (sweep !== null) reverseRows(flat, sweep, active, seeds, reads, readers, rows);
  return rows.table();
}

/** Exact number of rows, so that the columns need no second copy. */
function countRows(
  flat: FlatTape,
  sweep: SweepResult | null,
  active: Uint8Array,
  seeds: number,
  readers: Int32Array,
): number {
  let rows = 0;
  for (let v = 0; v < flat.n; v++) {
    if (flat.op[v] !== OP_INPUT) rows++;
    if (sweep === null) continue;
    if (readers[v] > 0) rows += 2 + readers[v];
    if (active[v] === 1) rows += 1 + flat.edgeStart[v + 1] - flat.edgeStart[v];
  }
  return sweep === null ? rows : rows + seeds;
}

function reverseRows(
  flat: FlatTape,
  sweep: SweepResult,
  active: Uint8Array,
  seeds: readonly Seed[],
  reads: Reads,
  readers: Int32Array,
  rows: Rows,
): void {
  const { n } = flat;
  const contributionRow = n + flat.edgeFrom.length;
  const cotangentRow = contributionRow + flat.edgeFrom.length;
  const pending = useCounts(flat, active);
  seeds.forEach((seed, i) => rows.push(Event.seed, seed.node, -1, cotangentRow + n + i));
  for (const { node } of seeds)
    if (pending[node] === 0) rows.push(Event.final, node, -1, cotangentRow + node);
  for (let i = 0; i < sweep.order.length; i++) {
    const v = sweep.order[i];
    const count = reads.collect(v);
    for (let k = 0; k < count; k++) rows.push(Event.read, v, -1, reads.nodes[k]);
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const from = flat.edgeFrom[e];
      const none = sweep.arrays?.none.has(e) === true;
      rows.push(Event.contribute, from, e, none ? -1 : contributionRow + e);
      if (--pending[from] === 0) rows.push(Event.final, from, -1, cotangentRow + from);
    }
    for (let k = 0; k < count; k++) {
      const node = reads.nodes[k];
      if (--readers[node] === 0) rows.push(Event.free, node, -1, node);
    }
  }
}

/** Event columns while they are being filled. */
class Rows {
  private readonly kind: Uint8Array;
  private readonly node: Int32Array;
  private readonly edge: Int32Array;
  private readonly value: Int32Array;
  private count = 0;

  constructor(length: number) {
    this.kind = new Uint8Array(length);
    this.node = new Int32Array(length);
    this.edge = new Int32Array(length);
    this.value = new Int32Array(length);
  }

  push(kind: number, node: number, edge: number, value: number): void {
    const i = this.count++;
    this.kind[i] = kind;
    this.node[i] = node;
    this.edge[i] = edge;
    this.value[i] = value;
  }

  table(): EventsTable {
    const { kind, node, edge, value } = this;
    if (this.count !== kind.length)
      throw new Error(`${this.count} event rows were written, ${kind.length} counted`);
    return { n: this.count, kind, node, edge, value };
  }
}

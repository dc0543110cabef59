/**
 * The event sequence of a store-all sweep: evaluations in recording order with the storing of values that a reverse rule
 * will read; the seeds; then node by node the contributions, each node's finality with its last one, and the freeing of
 * values that no remaining rule reads.
 */
import { primitives } from "../ops/table.js";
import type { Seed, SweepResult } from "../sweep/reverse.js";
import type { FlatTape } from "../sweep/flat.js";
import { useCounts } from "../sweep/order.js";
import { OP_CUSTOM, OP_CUT, OP_INPUT } from "../tape/tape.js";
import { Event } from "../trace/events.js";
import type { EventsTable } from "../trace/trace.js";

/** Calls `visit` for every node whose primal the reverse rules of `v` read; a node may come more than once. */
export function forEachRead(flat: FlatTape, v: number, visit: (node: number) => void): void {
  const op = flat.op[v];
  const at = flat.operandStart[v];
  if (op === OP_CUSTOM) {
    // a user's rule is handed all operands and the output
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) visit(flat.edgeFrom[e]);
    visit(v);
    return;
  }
  if (op >= OP_CUT) return;
  const { saves } = primitives[op];
  for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
    for (const saved of saves[flat.edgeSlot[e]]) {
      if (saved === "output") visit(v);
      else if (flat.operand[at + saved] >= 0) visit(flat.operand[at + saved]);
    }
  }
}

/** Visits every (reader, read node) pair of a node once. */
class Reads {
  private readonly lastReader: Int32Array;

  constructor(private readonly flat: FlatTape) {
    this.lastReader = new Int32Array(flat.n).fill(-1);
  }

  of(v: number, visit: (node: number) => void): void {
    forEachRead(this.flat, v, (node) => {
      if (this.lastReader[node] === v) return;
      this.lastReader[node] = v;
      visit(node);
    });
  }
}

/** Number of active nodes whose reverse rule reads each node's primal. */
function readerCounts(flat: FlatTape, active: Uint8Array): Int32Array {
  const readers = new Int32Array(flat.n);
  const reads = new Reads(flat);
  for (let v = 0; v < flat.n; v++) if (active[v] === 1) reads.of(v, (node) => readers[node]++);
  return readers;
}

export function buildEvents(
  flat: FlatTape,
  sweep: SweepResult | null,
  active: Uint8Array,
  seeds: readonly Seed[],
): EventsTable {
  const { n } = flat;
  const readers = sweep === null ? new Int32Array(n) : readerCounts(flat, active);
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
  if (sweep !== null) reverseRows(flat, sweep, active, seeds, readers, rows);
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
  const reads = new Reads(flat);
  for (const v of sweep.order) {
    const done: number[] = [];
    reads.of(v, (node) => {
      rows.push(Event.read, v, -1, node);
      if (--readers[node] === 0) done.push(node);
    });
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const from = flat.edgeFrom[e];
      rows.push(Event.contribute, from, e, contributionRow + e);
      if (--pending[from] === 0) rows.push(Event.final, from, -1, cotangentRow + from);
    }
    for (const node of done) rows.push(Event.free, node, -1, node);
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

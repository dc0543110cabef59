/**
 * The event sequence of a sweep under a schedule, from what the executor logged. Forward: evaluations step by step, with
 * the rows that say how the step ran before them; what the schedule put where; the seeds; then for each step of the
 * reverse sweep the replays that bring its primals back, its contributions, and what is let go.
 */
import { Did, type StorageLog } from "../checkpoint/execute/log.js";
import type { FlatTape } from "../sweep/flat.js";
import { rangeOf, useCounts } from "../sweep/order.js";
import { readerCounts, Reads } from "../sweep/reads.js";
import type { Seed, SweepResult } from "../sweep/reverse.js";
import { Bytes, Ints } from "../tape/growable.js";
import { OP_INPUT } from "../tape/tape.js";
import { Event } from "../trace/events.js";
import type { EventsTable, SlotsTable } from "../trace/trace.js";
import type { Segments } from "./segments.js";

export function buildStorageEvents(
  flat: FlatTape,
  sweep: SweepResult,
  active: Uint8Array,
  seeds: readonly Seed[],
  segments: Segments,
  log: StorageLog,
): { readonly events: EventsTable; readonly slots: SlotsTable } {
  const builder = new Builder(flat, sweep, active, seeds, segments);
  return { events: builder.build(log), slots: builder.slotsTable() };
}

class Builder {
  private readonly kind = new Bytes();
  private readonly node = new Ints();
  private readonly edge = new Ints();
  private readonly value = new Ints();
  private readonly a = new Ints();
  private readonly b = new Ints();
  private readonly reads: Reads;
  /** reverse rules still to come that read each node */
  private readonly readers: Int32Array;
  private readonly pending: Int32Array;
  /** 1 where views have been told that the primal is retained */
  private readonly retained: Uint8Array;
  /** regions of which something was dropped or stored */
  private readonly scheduled = new Set<number>();
  private readonly slotRows = new Map<string, number>();
  private readonly slots: { readonly region: number; readonly number: number; readonly disk: number }[] = [];
  /** nodes evaluated so far */
  private evaluated = 0;
  private readonly contributionRow: number;
  private readonly cotangentRow: number;

  constructor(
    private readonly flat: FlatTape,
    private readonly sweep: SweepResult,
    active: Uint8Array,
    private readonly seeds: readonly Seed[],
    private readonly segments: Segments,
  ) {
    this.reads = new Reads(flat);
    this.readers = readerCounts(flat, active, this.reads);
    this.pending = useCounts(flat, active);
    this.retained = new Uint8Array(flat.n);
    this.contributionRow = flat.n + flat.edgeFrom.length;
    this.cotangentRow = this.contributionRow + flat.edgeFrom.length;
  }

  private push(kind: number, node: number, edge = -1, value = -1, a = -1, b = -1): void {
    this.kind.push(kind);
    this.node.push(node);
    this.edge.push(edge);
    this.value.push(value);
    this.a.push(a);
    this.b.push(b);
  }

  build(log: StorageLog): EventsTable {
    const { flat } = this;
    while (this.evaluated < flat.n && flat.op[this.evaluated] === OP_INPUT) this.first(this.evaluated++);
    for (let i = 0; i < log.length; i++) this.entry(log.kind.at(i), log.a.at(i), log.b.at(i), log.c.at(i));
    this.evaluateTo(this.flat.n);
    const { kind, node, edge, value, a, b } = this;
    return {
      n: kind.length,
      kind: kind.flat(),
      node: node.flat(),
      edge: edge.flat(),
      value: value.flat(),
      a: a.flat(),
      b: b.flat(),
    };
  }

  /** A node's first evaluation outside a region: what a rule will read is retained from here on. */
  private first(v: number): void {
    if (this.flat.op[v] !== OP_INPUT) this.push(Event.eval, v, -1, v);
    if (this.readers[v] > 0) this.retain(v);
  }

  private retain(v: number): void {
    if (this.retained[v] === 1) return;
    this.retained[v] = 1;
    this.push(Event.store, v, -1, v);
  }

  private letGo(v: number): void {
    const needed = this.readers[v] > 0;
    if (this.retained[v] === 0 && !needed) return;
    // a value that no rule reads any more is freed; one that will be replayed is dropped
    if (this.retained[v] === 1 || needed) this.push(needed ? Event.drop : Event.free, v, -1, v);
    this.retained[v] = 0;
  }

  /** Evaluations outside regions up to node `end`. */
  private evaluateTo(end: number): void {
    for (; this.evaluated < end; this.evaluated++) this.first(this.evaluated);
  }

  private entry(kind: number, a: number, b: number, c: number): void {
    switch (kind) {
      case Did.advance:
      case Did.record:
        this.scheduled.add(a);
        this.ran(kind === Did.record, this.segments.firstRow[a] + b, c === 1);
        break;
      case Did.reverse:
        this.push(Event.reverse, -1, -1, -1, this.segments.firstRow[a] + b);
        break;
      case Did.uncompute:
        this.uncomputed(a, this.segments.firstRow[a] + b, c);
        break;
      case Did.snapshot:
      case Did.snapshotTape:
        this.slot(Event.snapshot, a, b, c, kind === Did.snapshotTape);
        break;
      case Did.restore:
      case Did.restoreTape:
        this.slot(Event.restore, a, b, c, kind === Did.restoreTape);
        break;
      case Did.free:
      case Did.freeTape:
        this.slot(Event.free, a, b, c, kind === Did.freeTape);
        break;
      case Did.store:
        // a tape retains what rules will read, a slot the whole state
        if (b === 1 || this.readers[a] > 0) this.retain(a);
        break;
      case Did.drop:
        this.letGo(a);
        break;
      case Did.seed:
        this.seed();
        break;
      case Did.sweep:
        this.swept(a, b);
        break;
      case Did.reach:
        this.evaluateTo(a);
        break;
      case Did.replay:
        this.push(Event.replay, a, -1, a);
        if (this.readers[a] > 0) this.retain(a);
        break;
    }
  }

  private slot(kind: number, region: number, state: number, slot: number, tape: boolean): void {
    // what stands before the region has run before its first snapshot is made
    this.scheduled.add(region);
    this.evaluateTo(this.segments.first[this.segments.firstRow[region]]);
    this.push(kind, tape ? -2 : -1, -1, -1, state, this.slotRow(region, slot));
  }

  /** The row of a region's slot, a new one when it is used for the first time. */
  private slotRow(region: number, code: number): number {
    const key = `${region}/${code}`;
    let row = this.slotRows.get(key);
    if (row === undefined) {
      row = this.slots.length;
      this.slotRows.set(key, row);
      this.slots.push({ region, number: code >= 0 ? code : -2 - code, disk: code >= 0 ? 0 : 1 });
    }
    return row;
  }

  slotsTable(): SlotsTable {
    const { slots } = this;
    return {
      n: slots.length,
      region: Int32Array.from(slots, ({ region }) => region),
      number: Int32Array.from(slots, ({ number }) => number),
      disk: Uint8Array.from(slots, ({ disk }) => disk),
    };
  }

  /** @param slot the code of the slot it empties, -1 for the inverse of a layer */
  private uncomputed(region: number, row: number, slot: number): void {
    this.push(Event.uncompute, -1, -1, -1, row, slot === -1 ? -1 : this.slotRow(region, slot));
    if (slot !== -1) return;
    // the inverse evaluates what is not the state behind the layer
    for (let v = this.segments.first[row]; v < this.segments.end[row]; v++)
      if (this.retained[v] === 0) this.push(Event.replay, v, -1, v);
  }

  private ran(record: boolean, row: number, first: boolean): void {
    const start = this.segments.first[row];
    const end = this.segments.end[row];
    if (first) this.evaluateTo(start);
    this.push(record ? Event.record : Event.advance, -1, -1, -1, row);
    if (first) {
      for (let v = start; v < end; v++) this.push(Event.eval, v, -1, v);
      this.evaluated = end;
    } else if (record) {
      for (let v = start; v < end; v++) this.push(Event.replay, v, -1, v);
    }
  }

  private seed(): void {
    this.evaluateTo(this.flat.n);
    const row = this.cotangentRow;
    this.seeds.forEach((seed, i) => this.push(Event.seed, seed.node, -1, row + this.flat.n + i));
    for (const { node } of this.seeds)
      if (this.pending[node] === 0) this.push(Event.final, node, -1, row + node);
  }

  /** The contributions of part of the order, node by node; what no rule reads any more is freed at once outside regions. */
  private swept(start: number, end: number): void {
    const { flat, sweep, reads, readers, pending } = this;
    for (let i = start; i < end; i++) {
      const v = sweep.order[i];
      const count = reads.collect(v);
      for (let k = 0; k < count; k++) this.push(Event.read, v, -1, reads.nodes[k]);
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
        const from = flat.edgeFrom[e];
        const none = sweep.arrays?.none.has(e) === true;
        this.push(Event.contribute, from, e, none ? -1 : this.contributionRow + e);
        if (--pending[from] === 0) this.push(Event.final, from, -1, this.cotangentRow + from);
      }
      for (let k = 0; k < count; k++) {
        const node = reads.nodes[k];
        readers[node]--;
        if (readers[node] === 0 && this.neverDropped(node)) this.letGo(node);
      }
    }
  }

  /** Outside regions, and in regions of which everything is kept, a value goes with its last reader. */
  private neverDropped(node: number): boolean {
    const region = this.segments.region[rangeOf(this.segments, node)];
    return region < 0 || !this.scheduled.has(region);
  }
}

/** Which primals the reverse rule of a node reads: the operands and outputs that the table says its slots save. */
import { primitives } from "../ops/table.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT } from "../tape/tape.js";
import type { FlatTape } from "./flat.js";

export class Reads {
  /** the nodes read, each once: entries 0 .. the count `collect` returned */
  nodes = new Int32Array(8);
  private readonly seenBy: Int32Array;
  private count = 0;

  constructor(private readonly flat: FlatTape) {
    this.seenBy = new Int32Array(flat.n).fill(-1);
  }

  /** Collects the nodes that the reverse rule of `v` reads; returns how many there are. */
  collect(v: number): number {
    const { flat } = this;
    const op = flat.op[v];
    const end = flat.edgeStart[v + 1];
    this.count = 0;
    if (op === OP_CUSTOM) {
      // a user's rule is handed all operands and the output
      for (let e = flat.edgeStart[v]; e < end; e++) this.add(v, flat.edgeFrom[e]);
      this.add(v, v);
      return this.count;
    }
    const at = flat.operandStart[v];
    if (op === OP_ARRAY) {
      const row = arrayPrimitive(flat.arrays!.get(v)!.op!);
      const operands = flat.operandStart[v + 1] - at;
      for (let e = flat.edgeStart[v]; e < end; e++) {
        for (const saved of row.saves(flat.edgeSlot[e], operands)) {
          const node = saved === "output" ? v : flat.operand[at + saved];
          if (node >= 0) this.add(v, node);
        }
      }
      return this.count;
    }
    if (op >= OP_CUT) return 0;
    const { saves } = primitives[op];
    for (let e = flat.edgeStart[v]; e < end; e++) {
      const slot = saves[flat.edgeSlot[e]];
      for (let i = 0; i < slot.length; i++) {
        const saved = slot[i];
        const node = saved === "output" ? v : flat.operand[at + saved];
        if (node >= 0) this.add(v, node);
      }
    }
    return this.count;
  }

  private add(reader: number, node: number): void {
    if (this.seenBy[node] === reader) return;
    this.seenBy[node] = reader;
    if (this.count === this.nodes.length) {
      const wider = new Int32Array(2 * this.count);
      wider.set(this.nodes);
      this.nodes = wider;
    }
    this.nodes[this.count++] = node;
  }

  /** Forgets who was collected last, so that the nodes can be gone through again. */
  restart(): void {
    this.seenBy.fill(-1);
  }
}

/** Number of active nodes whose reverse rule reads each node's primal. */
export function readerCounts(flat: FlatTape, active: Uint8Array, reads: Reads): Int32Array {
  const readers = new Int32Array(flat.n);
  for (let v = 0; v < flat.n; v++) {
    if (active[v] === 0) continue;
    const count = reads.collect(v);
    for (let i = 0; i < count; i++) readers[reads.nodes[i]]++;
  }
  reads.restart();
  return readers;
}

/**
 * Who still needs the primal of a node: states in slots, the working state, tapes of steps. A primal that nobody needs is
 * let go: its elements are given to the garbage collector, and a number's place on the tape reads NaN from then on, so
 * that a value that was dropped and not replayed cannot pass for one that is there.
 */
import type { Tape } from "../../tape/tape.js";
import { SEGMENT_BITS, SEGMENT_MASK } from "../../tape/tape.js";

const NUMBER_BYTES = 8;

export class Primals {
  /** holders by node */
  private holders = new Uint32Array(1 << 10);
  /** bytes of the primals held, and the most there were at once, a step that was running included */
  bytes = 0;
  peakBytes = 0;
  /** the sweep's own column of primals, once there is one */
  private column: Float64Array | null = null;

  /**
   * @param dropped told of each node whose primal is let go
   * @param letGo told when elements were let go
   */
  constructor(
    readonly tape: Tape,
    private readonly dropped: ((node: number) => void) | null,
    private readonly letGo: (() => void) | null = null,
  ) {}

  /** From now on the sweep reads `column`, which is kept as the tape is. */
  mirror(column: Float64Array): void {
    this.column = column;
  }

  private reserve(length: number): void {
    if (length <= this.holders.length) return;
    const wider = new Uint32Array(Math.max(length, 2 * this.holders.length));
    wider.set(this.holders);
    this.holders = wider;
  }

  /** Bytes the primal of a node takes: 8 for a number, the elements of an array. */
  size(node: number): number {
    return this.tape.arrays.valueOf(node)?.data.byteLength ?? NUMBER_BYTES;
  }

  isHeld(node: number): boolean {
    return node < this.holders.length && this.holders[node] > 0;
  }

  /** One more needs it. The primal must be there. */
  hold(node: number): void {
    this.reserve(node + 1);
    if (this.holders[node]++ === 0) this.bytes += this.size(node);
  }

  /** One less needs it; the last one lets it go. */
  release(node: number): void {
    if (--this.holders[node] > 0) return;
    this.bytes -= this.size(node);
    this.drop(node);
  }

  /**
   * A step has run over nodes first .. end-1 again: what was held of them is replaced by the same value.
   * Before it runs, so that elements are not counted twice.
   *
   * @param stays true for nodes whose primals the step does not compute again
   */
  begin(first: number, end: number, stays?: (node: number) => boolean): void {
    this.reserve(end);
    for (let v = first; v < end; v++) {
      if (this.holders[v] > 0) this.bytes -= this.size(v);
      if (stays?.(v) !== true && this.tape.arrays.drop(v)) this.letGo?.();
    }
  }

  /** The step has run: nodes first .. end-1 have their primals. `again`: they were counted before `begin`. */
  end(first: number, end: number, again: boolean): void {
    this.reserve(end);
    let running = 0;
    for (let v = first; v < end; v++) {
      const bytes = this.size(v);
      if (again && this.holders[v] > 0) this.bytes += bytes;
      else running += bytes;
    }
    this.peakBytes = Math.max(this.peakBytes, this.bytes + running);
    if (this.column !== null) this.show(first, end);
  }

  /** A step ran backwards: its nodes and the state before it have their primals. */
  inverted(first: number, end: number, before: Int32Array): void {
    this.reserve(end);
    let running = 0;
    const count = (v: number): void => {
      if (this.holders[v] === 0) running += this.size(v);
      if (this.column !== null) this.show(v, v + 1);
    };
    for (let v = first; v < end; v++) count(v);
    before.forEach(count);
    this.peakBytes = Math.max(this.peakBytes, this.bytes + running);
  }

  /** Takes notice of how much is held now. */
  note(): void {
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
  }

  /** Lets go what nobody needs of nodes first .. end-1. */
  settle(first: number, end: number): void {
    for (let v = first; v < end; v++) if (this.holders[v] === 0) this.drop(v);
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
  }

  /** Copies the tape's numbers to the sweep's column. */
  private show(first: number, end: number): void {
    for (let v = first; v < end; v++)
      this.column![v] = this.tape.segments[v >>> SEGMENT_BITS].value[v & SEGMENT_MASK];
  }

  private drop(node: number): void {
    const elements = this.tape.arrays.drop(node);
    this.tape.segments[node >>> SEGMENT_BITS].value[node & SEGMENT_MASK] = NaN;
    if (this.column !== null) this.column[node] = NaN;
    this.dropped?.(node);
    if (elements) this.letGo?.();
  }
}

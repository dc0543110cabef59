/**
 * What a recording holds: nodes and constants in columns, inputs, and the way from and to a tape of the ordinary engine.
 */
import { primitives } from "../ops/table.js";
import { Doubles, Ints } from "../tape/growable.js";
import { NO_OPERAND, OP_CUT, OP_INPUT, SEGMENT, Tape } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import type { Columns } from "./columns.js";

/** A node (>= 0) or a constant (< 0) of one recording. */
export type Handle = number;

export abstract class RecordingStore {
  /** operands of primitives of three, and what they were handed */
  protected readonly args = new Ints();
  protected readonly argContribution = new Doubles();
  /** runs of inputs: the first node of each, and how many there are */
  protected readonly firsts: number[] = [];
  protected readonly counts: number[] = [];
  /** why nothing may be read any more, null while all is well */
  protected broken: string | null = null;

  /** @param limit the most nodes it may hold */
  constructor(readonly limit: number) {}

  /** Nodes recorded. */
  abstract get length(): number;
  /** Site that nodes from now on are given (`registerModule`), -1 unknown. */
  abstract at(site: number): void;
  protected abstract columns(): Columns;
  protected abstract constantCount(): number;
  /** Makes room for more nodes. */
  protected abstract grow(): void;
  /** Records a primitive of which operands and value are known to be right: nothing is looked at but the room there is. */
  abstract append(op: number, a: number, b: number, value: number, site: number): Handle;
  /** The same where there is known to be room, and all nodes before it have their sites: they were recorded this way, or are inputs. */
  abstract put(op: number, a: number, b: number, value: number, site: number): Handle;
  /** True if there may be too little room left for one more operation and its constants. */
  abstract get crowded(): boolean;
  /** Takes no more than `most` nodes and constants, until the next reset or growth. */
  abstract confine(most: number): void;
  /** Brings the column of sites up to date: operations do not write it. */
  protected abstract writeSites(): void;
  /** Says that the columns have been written from outside, sites too. */
  protected abstract filled(n: number): void;
  protected abstract siteNow(): number;
  /** A constant operand: no node, so no derivative. */
  abstract constant(value: number): Handle;
  /** The primal of the newest node. */
  abstract newest(): number;
  /** Forgets everything, keeps the memory: the next evaluation records from 0 on. */
  abstract reset(): void;
  /** Lets go of memory of its own, with all that is in it; nothing may be read any more. */
  abstract drop(): void;

  /** Bytes of the nodes recorded, with cotangents and contributions. */
  get bytes(): number {
    return this.length * 45 + this.args.bytes + this.argContribution.bytes;
  }

  /**
   * Makes more room; false where that would be for more than `most` nodes and constants, or cannot be had.
   */
  widen(most: number): boolean {
    if (2 * (this.columns().mask + 1) > Math.min(most, this.limit)) return false;
    try {
      this.grow();
    } catch (error) {
      if (error instanceof BacksweepError && error.kind === "memory") return false;
      throw error;
    }
    return true;
  }

  /** An input: a node that the gradient is asked for. */
  input(value: number): Handle {
    if (typeof value !== "number") throw this.wrong(`input: ${String(value)} is no number`);
    const id = this.append(OP_INPUT, NO_OPERAND, NO_OPERAND, value, this.siteNow());
    this.counted(id, 1);
    return id;
  }

  /** Inputs in a row; the handle of the i-th is the answer plus i. */
  inputs(values: ArrayLike<number>): Handle {
    const first = this.length;
    const count = values.length;
    if (!(values instanceof Float64Array)) {
      for (let i = 0; i < count; i++)
        if (typeof values[i] !== "number") throw this.wrong(`inputs: ${String(values[i])} is no number`);
    }
    while (first + count + this.constantCount() > this.columns().mask + 1) this.grow();
    this.writeSites();
    const { op, value, site } = this.columns();
    op.fill(OP_INPUT, first, first + count);
    value.set(values, first);
    site.fill(this.siteNow(), first, first + count);
    this.filled(first + count);
    this.counted(first, count);
    return first;
  }

  private counted(first: Handle, count: number): void {
    const last = this.firsts.length - 1;
    if (last >= 0 && this.firsts[last] + this.counts[last] === first) this.counts[last] += count;
    else {
      this.firsts.push(first);
      this.counts.push(count);
    }
  }

  /** Inputs so far. */
  get inputCount(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** The primal of a node or constant. */
  abstract value(x: Handle): number;

  protected noConstant(x: unknown): never {
    throw this.wrong(`constant: ${String(x)} is no number`);
  }

  protected noValue(x: Handle): never {
    this.intact();
    this.known(x, "value");
    throw this.wrong(`value: no value at ${x}`);
  }

  /** The operands of a node, by slot. */
  operands(v: Handle): Handle[] {
    this.known(v, "operands");
    const { op, a, b } = this.columns();
    if (v < 0 || op[v] >= OP_CUT) return [];
    const { arity } = primitives[op[v]];
    if (arity === 3) return [0, 1, 2].map((slot) => this.args.at(a[v] + slot));
    return arity === 2 ? [a[v], b[v]] : [a[v]];
  }

  /**
   * Takes over a tape of the ordinary engine: primitives of the scalar table, inputs and cuts. Node ids stay.
   *
   * @throws BacksweepError `no-rule` for any other node
   */
  load(tape: Tape): void {
    this.reset();
    const n = tape.length;
    const held = tape.constants.length;
    while (n + held > this.columns().mask) this.grow();
    const { op, a, b, value, site } = this.columns();
    tape.segments.forEach((segment, s) => {
      const start = s * SEGMENT;
      const length = Math.min(SEGMENT, n - start);
      if (length <= 0) return;
      for (let i = 0; i < length; i++) {
        if (segment.op[i] > OP_CUT && segment.op[i] !== OP_INPUT)
          throw new BacksweepError("no-rule", "only scalar operations of the table can be taken over");
      }
      op.set(length === SEGMENT ? segment.op : segment.op.subarray(0, length), start);
      a.set(length === SEGMENT ? segment.a : segment.a.subarray(0, length), start);
      b.set(length === SEGMENT ? segment.b : segment.b.subarray(0, length), start);
      value.set(length === SEGMENT ? segment.value : segment.value.subarray(0, length), start);
      site.set(length === SEGMENT ? segment.site : segment.site.subarray(0, length), start);
    });
    for (let k = 0; k < held; k++) this.constant(tape.constants.at(k));
    for (let k = 0; k < tape.args.length; k++) {
      this.args.push(tape.args.at(k));
      this.argContribution.push(0);
    }
    this.filled(n);
  }

  /** The recording as a tape of the ordinary engine, a copy. */
  get tape(): Tape {
    const tape = new Tape();
    this.writeTo(tape);
    return tape;
  }

  /** Appends constants and nodes to an empty tape, which gives them the same numbers. */
  writeTo(tape: Tape): void {
    this.intact();
    this.writeSites();
    const { op, a, b, value, site } = this.columns();
    for (let k = 0; k < this.constantCount(); k++) tape.constant(this.value(~k));
    for (let k = 0; k < this.args.length; k++) tape.operandList([this.args.at(k)]);
    for (let v = 0; v < this.length; v++) {
      const one = op[v] < OP_CUT && primitives[op[v]].arity === 1;
      tape.push(op[v], a[v], one ? NO_OPERAND : b[v], value[v], site[v], 0);
    }
  }

  protected known(x: Handle, what: string): void {
    if (Number.isInteger(x) && x < this.length && x >= -this.constantCount()) return;
    const why = typeof x === "number" ? `there is no node ${x}` : `${String(x)} is no handle`;
    throw this.wrong(
      `${what}: ${why}; handles are what input, constant and the operations of this recording gave`,
    );
  }

  protected intact(): void {
    if (this.broken !== null) throw this.wrong(this.broken);
  }

  protected wrong(message: string): BacksweepError {
    return new BacksweepError("definition", message);
  }
}

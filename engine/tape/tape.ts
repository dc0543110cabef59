/**
 * The tape: what the forward pass recorded, as columns in fixed-capacity typed-array segments. 25 bytes a node with its
 * site and scope (opcode 1, operands 8, value 8, site 4, scope 4); the sweep adds 8 for the cotangent and 8 an operand
 * slot for the contribution.
 *
 * An operand is a node id (>= 0) or `~k`, the k-th constant. A primitive of more than two operands, a user's own one, and
 * a node given with its local derivatives keep their operands in the side table `args`: there `a` is the first index and
 * `b` the count.
 */
import { BacksweepError } from "../trace/failure.js";
import { ArrayStore } from "./arrays.js";
import { Doubles, Ints } from "./growable.js";

export const SEGMENT_BITS = 16;
export const SEGMENT = 1 << SEGMENT_BITS;
export const SEGMENT_MASK = SEGMENT - 1;

/** Marks an absent second operand. */
export const NO_OPERAND = -0x80000000;

/** Opcodes that stand beside the primitive table. */
export const OP_INPUT = 255;
export const OP_CUSTOM = 254;
/** A node given with its parents and local derivatives, as in `tape([...])`. */
export const OP_GIVEN = 253;
/** An operation of the array table; which one stands in the side store. */
export const OP_ARRAY = 252;
/** A value whose gradient path was cut on purpose (`stopGradient`). From here on opcodes are not of the scalar table. */
export const OP_CUT = 251;

export interface Segment {
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly value: Float64Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
}

export const BYTES_A_NODE = 25;
const SEGMENT_BYTES = SEGMENT * BYTES_A_NODE;

function newSegment(): Segment {
  return {
    op: new Uint8Array(SEGMENT),
    a: new Int32Array(SEGMENT),
    b: new Int32Array(SEGMENT),
    value: new Float64Array(SEGMENT),
    site: new Int32Array(SEGMENT),
    scope: new Int32Array(SEGMENT),
  };
}

export class Tape {
  readonly segments: Segment[] = [];
  readonly constants = new Doubles();
  /** operands of nodes with a side table: node ids or `~constant` */
  readonly args = new Ints();
  /** local derivatives beside `args`, for `OP_GIVEN` nodes (other rows hold 0) */
  readonly argLocals = new Doubles();
  /** what array nodes and array constants are; empty for a tape of scalars */
  readonly arrays = new ArrayStore();
  /** the memory of its arrays was given back: none of them may be read any more */
  released = false;
  private current: Segment | null = null;
  private count = 0;

  /**
   * @param limitBytes the most the columns may take, Infinity for no limit
   * @param spare segments of a tape that is done with, used before new ones are made: to make one takes a millisecond
   * @param arraysLimitBytes the most the columns and the elements of arrays may take together
   */
  constructor(
    readonly limitBytes = Infinity,
    private readonly spare: Segment[] = [],
    readonly arraysLimitBytes = limitBytes,
  ) {}

  get length(): number {
    return this.count;
  }

  /** Bytes allocated for columns. */
  get bytes(): number {
    return (
      this.segments.length * SEGMENT_BYTES + this.constants.bytes + this.args.bytes + this.argLocals.bytes
    );
  }

  /** Appends a node and returns its id. Throws a `memory` error when the limit would be passed. */
  push(op: number, a: number, b: number, value: number, site: number, scope: number): number {
    const id = this.count;
    const offset = id & SEGMENT_MASK;
    if (offset === 0) this.grow(site);
    const segment = this.current!;
    segment.op[offset] = op;
    segment.a[offset] = a;
    segment.b[offset] = b;
    segment.value[offset] = value;
    segment.site[offset] = site;
    segment.scope[offset] = scope;
    this.count = id + 1;
    return id;
  }

  /** Stores a constant operand and returns its reference (`~k`). */
  constant(value: number): number {
    return ~this.constants.push(value);
  }

  /** Stores an operand list in the side table; returns the index of its first entry. */
  operandList(operands: ArrayLike<number>, locals?: ArrayLike<number>): number {
    const first = this.args.length;
    for (let i = 0; i < operands.length; i++) {
      this.args.push(operands[i]);
      this.argLocals.push(locals === undefined ? 0 : locals[i]);
    }
    return first;
  }

  /**
   * Goes to row `to`: what is pushed from there on writes over the rows that are there. A step that runs again so gives its
   * nodes the ids they have, and handles of one run are good in the next.
   */
  seek(to: number): void {
    this.count = to;
    this.current = this.segments[to >>> SEGMENT_BITS] ?? null;
  }

  /** The operand count a sweep will need beside the tape is not known here, so the limit is checked per segment. */
  private grow(site: number): void {
    const known = this.segments[this.count >>> SEGMENT_BITS];
    if (known !== undefined) {
      this.current = known;
      return;
    }
    const next = this.bytes + SEGMENT_BYTES;
    if (next > this.limitBytes) {
      throw new BacksweepError(
        "memory",
        `out of memory: the tape of ${this.count.toLocaleString("en-US")} operations and its sweep would pass the limit; raise it with --memory or the setting backsweep.run.memory`,
        site,
      );
    }
    this.current = this.spare.pop() ?? newSegment();
    this.segments.push(this.current);
  }

  opAt(id: number): number {
    return this.segments[id >>> SEGMENT_BITS].op[id & SEGMENT_MASK];
  }

  valueAt(id: number): number {
    return this.segments[id >>> SEGMENT_BITS].value[id & SEGMENT_MASK];
  }

  siteAt(id: number): number {
    return this.segments[id >>> SEGMENT_BITS].site[id & SEGMENT_MASK];
  }
}

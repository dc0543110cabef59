/**
 * What a recorder writes to when only numbers are asked for: the fast memory of a recording over integer handles instead of
 * the tape. Operands are handles: nodes from 0 on, constants below. Anything that this cannot hold (arrays, a user's own
 * operation, another number format) makes the recorder settle: what is recorded so far moves to the tape.
 */
import type { Tape } from "../tape/tape.js";
import type { Operations } from "./record.js";

export interface Lean extends Operations {
  /** nodes recorded */
  readonly length: number;
  /** site that nodes from now on are given */
  at(site: number): void;
  constant(value: number): number;
  /** inputs in a row; the first node */
  inputs(values: ArrayLike<number>): number;
  /** the primal of a node or constant */
  value(x: number): number;
  /** the primal of the newest node */
  newest(): number;
  apply(name: string, ...operands: readonly number[]): number;
  /**
   * Records an opcode whose operands are handles of this memory and whose value is computed already, at a site. There must
   * be room: whoever records looks at `crowded` afterwards. All nodes are recorded this way, except inputs and those of
   * `apply`, which give sites to what they record at once.
   */
  put(op: number, a: number, b: number, value: number, site: number): number;
  /** True if there may be too little room left for one more operation and its constants. */
  readonly crowded: boolean;
  /** Makes more room; false where that would be for more than `most` nodes and constants, or cannot be had. */
  widen(most: number): boolean;
  /** Lets go of memory of its own, with all that is in it; nothing may be read any more. */
  drop(): void;
  /** Appends constants and nodes to an empty tape, which gives them the same numbers. */
  writeTo(tape: Tape): void;
}

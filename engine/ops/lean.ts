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
  input(value: number): number;
  /** inputs in a row; the first node */
  inputs(values: ArrayLike<number>): number;
  /** the primal of a node or constant */
  value(x: number): number;
  /** the primal of the newest node */
  newest(): number;
  apply(name: string, ...operands: readonly number[]): number;
  /** Records an opcode whose operands are handles of this memory and whose value is computed already, at a site. */
  append(op: number, a: number, b: number, value: number, site: number): number;
  /** Appends constants and nodes to an empty tape, which gives them the same numbers. */
  writeTo(tape: Tape): void;
}

/** The node at which a recorder settles: constants have as much room, so the memory can hold what came before. */
export const LEAN_MOST = 1 << 21;

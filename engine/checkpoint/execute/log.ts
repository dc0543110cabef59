/**
 * What the executor did, in true order, as three columns: from it the events of the trace are made when the recording has
 * ended and the segments have their rows.
 */
import { Bytes, Ints } from "../../tape/growable.js";

export const Did = {
  /** a step ran and nothing was kept; a = region, b = step, c = 1 the first time */
  advance: 0,
  /** a step ran and its tape is held; likewise */
  record: 1,
  /** a step's tape was used; a = region, b = step */
  reverse: 2,
  /** a = region, b = state, c = slot */
  snapshot: 3,
  restore: 4,
  free: 5,
  /** the same for the tape of step b */
  snapshotTape: 6,
  restoreTape: 7,
  freeTape: 8,
  /** a reversible move; a = region, b = step */
  uncompute: 9,
  /** the primal of node a is retained from here on; b = 1: by a slot, 0: by a tape */
  store: 10,
  /** the primal of node a was let go */
  drop: 11,
  /** the reverse sweep went over entries a to b - 1 of its order */
  sweep: 12,
  /** recording has ended and the outputs are seeded */
  seed: 13,
  /** the first evaluation has come to node a */
  reach: 14,
  /** node a was computed again by itself */
  replay: 15,
} as const;

export class StorageLog {
  readonly kind = new Bytes();
  readonly a = new Ints();
  readonly b = new Ints();
  readonly c = new Ints();

  get length(): number {
    return this.kind.length;
  }

  push(kind: number, a: number, b = -1, c = -1): void {
    this.kind.push(kind);
    this.a.push(a);
    this.b.push(b);
    this.c.push(c);
  }
}

/** A slot as the `b` column of a trace's events has it: the number, or -2 minus the number on disk. */
export function slotCode(slot: number, disk: boolean): number {
  return disk ? -2 - slot : slot;
}

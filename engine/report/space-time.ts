/**
 * The space-time diagram of a checkpoint schedule: states to the right, time down. One table for a planned schedule and for
 * an executed one; a row of time is one action that evaluates or reverses. Storing, restoring and freeing take no time.
 */

export const MarkKind = {
  advance: 0,
  record: 1,
  reverse: 2,
  recordAndReverse: 3,
  uncompute: 4,
  restore: 5,
} as const;
export type MarkKind = (typeof MarkKind)[keyof typeof MarkKind];

export interface SpaceTime {
  /** states are 0..steps */
  readonly steps: number;
  /** rows of time drawn */
  readonly rows: number;
  /** there is more than is drawn here */
  readonly cut: boolean;
  /** what runs: a mark lies in row `row`, from state `from` to state `to`; a restore lies at the edge above its row */
  readonly marks: {
    readonly n: number;
    readonly kind: Uint8Array;
    readonly row: Int32Array;
    readonly from: Int32Array;
    readonly to: Int32Array;
    /** position of the timeline at which it begins, -1 where nothing was executed */
    readonly position: Int32Array;
  };
  /** what is held: from the edge above row `since` to the edge above row `until` */
  readonly holds: {
    readonly n: number;
    readonly state: Int32Array;
    readonly slot: Int32Array;
    readonly since: Int32Array;
    readonly until: Int32Array;
    /** bits: 1 a tape, 2 on disk, 4 of an open block, 8 taken away by running the step again */
    readonly flags: Uint8Array;
  };
}

export const HoldFlag = { tape: 1, disk: 2, open: 4, uncomputed: 8 } as const;

/** Marks above this number are not drawn: they would be less than a pixel high. */
const MOST_MARKS = 3000;

type Mark = [kind: MarkKind, row: number, from: number, to: number, position: number];
type Hold = [state: number, slot: number, since: number, until: number, flags: number];

/** Takes actions in order; slots are any numbers that tell them apart. */
export class SpaceTimeBuilder {
  private readonly marks: Mark[] = [];
  private readonly holds: Hold[] = [];
  /** index in `holds` by slot */
  private readonly held = new Map<number, number>();
  private row = 0;
  private cut = false;

  constructor(private readonly steps: number) {}

  /** No more is drawn. */
  get full(): boolean {
    return this.cut;
  }

  /** Advances that follow one another are one arrow. */
  advance(from: number, to: number, position = -1): void {
    const last = this.marks[this.marks.length - 1];
    if (last !== undefined && last[0] === MarkKind.advance && last[3] === from && !this.between(last[1])) {
      last[3] = to;
      return;
    }
    this.mark(MarkKind.advance, from, to, position);
  }

  record(step: number, position = -1): void {
    this.mark(MarkKind.record, step, step + 1, position);
  }

  /** A reversal right behind the recording of its step shares the row. */
  reverse(step: number, position = -1): void {
    const last = this.marks[this.marks.length - 1];
    if (last !== undefined && last[0] === MarkKind.record && last[2] === step && last[1] === this.row - 1)
      last[0] = MarkKind.recordAndReverse;
    else this.mark(MarkKind.reverse, step, step + 1, position);
  }

  /** State step + 1 is taken away: from `slot`, or the working state itself (slot -1). */
  uncompute(step: number, slot: number, position = -1): void {
    this.mark(MarkKind.uncompute, step + 1, step, position);
    if (slot >= 0) this.free(slot, HoldFlag.uncomputed);
  }

  restore(state: number, position = -1): void {
    if (this.cut) return;
    this.marks.push([MarkKind.restore, this.row, state, state, position]);
  }

  store(state: number, slot: number, flags = 0): void {
    if (this.cut) return;
    this.free(slot);
    this.held.set(slot, this.holds.push([state, slot, this.row, -1, flags]) - 1);
  }

  free(slot: number, flag = 0): void {
    const hold = this.held.get(slot);
    if (hold === undefined || this.cut) return;
    this.holds[hold][3] = this.row;
    this.holds[hold][4] |= flag;
    this.held.delete(slot);
  }

  finish(): SpaceTime {
    for (const hold of this.holds) if (hold[3] < 0) hold[3] = this.row;
    const mark = (i: number): Int32Array => Int32Array.from(this.marks, (m) => m[i]);
    const hold = (i: number): Int32Array => Int32Array.from(this.holds, (m) => m[i]);
    return {
      steps: this.steps,
      rows: this.row,
      cut: this.cut,
      marks: {
        n: this.marks.length,
        kind: Uint8Array.from(this.marks, ([kind]) => kind),
        row: mark(1),
        from: mark(2),
        to: mark(3),
        position: mark(4),
      },
      holds: {
        n: this.holds.length,
        state: hold(0),
        slot: hold(1),
        since: hold(2),
        until: hold(3),
        flags: Uint8Array.from(this.holds, (h) => h[4]),
      },
    };
  }

  /** Something was stored or freed since the row began: an arrow ends where a snapshot stands. */
  private between(row: number): boolean {
    if (this.row - 1 !== row) return true;
    const last = this.holds[this.holds.length - 1];
    return last !== undefined && last[2] === this.row;
  }

  private mark(kind: MarkKind, from: number, to: number, position: number): void {
    if (this.marks.length >= MOST_MARKS) {
      this.cut = true;
      return;
    }
    this.marks.push([kind, this.row, from, to, position]);
    this.row++;
  }
}

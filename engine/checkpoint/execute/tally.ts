/**
 * What the executor really did and held, counted as it happens; the names are those of `plan --json`. Independent of the
 * counting of a stream in `count.ts`, which a test holds against it.
 */
import type { Counts } from "../actions.js";

/** Counts of an execution. */
export type Executed = Counts;

export class Tally {
  private advances = 0;
  private replays = 0;
  private records = 0;
  private uncomputes = 0;
  private untaped = 0;
  private reads = 0;
  private writes = 0;
  private diskReads = 0;
  private diskWrites = 0;
  private states = 0;
  private diskSlots = 0;
  private peakStates = 0;
  private peakTapes = 0;
  private peakSlots = 0;
  private peakDiskSlots = 0;
  /** slots that are snapshots, not states of an open block, by their code */
  private readonly snapshots = new Set<number>();

  /** @param again the step had run before */
  advance(again: boolean): void {
    this.advances++;
    if (again) this.replays++;
  }

  record(): void {
    this.records++;
  }

  /** A pebble was taken away: its slot is empty. */
  uncompute(slot: number): void {
    this.uncomputes++;
    this.untaped++;
    this.empty(slot, false);
  }

  invert(tape: boolean): void {
    this.uncomputes++;
    if (tape) this.records++;
    else this.untaped++;
  }

  /** The number of distinct tapes held or in slots. */
  tapes(now: number): void {
    this.peakTapes = Math.max(this.peakTapes, now);
  }

  store(key: number, tape: boolean, open: boolean): void {
    this.writes++;
    if (!open) this.snapshots.add(key);
    this.peakSlots = Math.max(this.peakSlots, this.snapshots.size);
    if (!tape) this.peakStates = Math.max(this.peakStates, ++this.states);
    if (key < -1) {
      this.diskWrites++;
      this.peakDiskSlots = Math.max(this.peakDiskSlots, ++this.diskSlots);
    }
  }

  restore(key: number): void {
    this.reads++;
    if (key < -1) this.diskReads++;
  }

  free(key: number, tape: boolean): void {
    this.empty(key, tape);
  }

  private empty(key: number, tape: boolean): void {
    this.snapshots.delete(key);
    if (!tape) this.states--;
    if (key < -1) this.diskSlots--;
  }

  counts(steps: number): Executed {
    const { advances, records, uncomputes, reads, writes, diskReads, diskWrites } = this;
    const { peakStates, peakTapes, peakSlots, peakDiskSlots } = this;
    const totalForwards = advances + records + this.untaped;
    return {
      peakStates,
      peakTapes,
      peakSlots,
      advances,
      records,
      uncomputes,
      totalForwards,
      extraForwards: totalForwards - steps,
      replays: this.replays,
      reads,
      writes,
      diskReads,
      diskWrites,
      peakDiskSlots,
    };
  }
}

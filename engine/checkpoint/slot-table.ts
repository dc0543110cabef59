/** The slots of two levels, what lies in them, and how many were in use at once. */
import type { Level } from "./actions.js";

export class SlotTable {
  private readonly levels: Record<Level, Slots> = { ram: new Slots(), disk: new Slots() };
  /** Steps whose tapes lie in slots; of states only the number is kept. */
  private readonly tapes = new Set<number>();
  private states = 0;
  private snapshots = 0;
  private onDisk = 0;
  peakStates = 0;
  peakSlots = 0;
  peakDiskSlots = 0;

  /** Slots in use. */
  get inUse(): number {
    return this.states + this.tapes.size;
  }

  /** The state, or the step whose tape it is; -1 for an empty slot. */
  at(slot: number, level: Level): number {
    const { of } = this.levels[level];
    return slot < of.length ? of[slot] : -1;
  }

  holdsTape(slot: number, level: Level): boolean {
    return this.levels[level].tape[slot];
  }

  /** @param open a state of an open block: held, but no snapshot */
  put(slot: number, level: Level, of: number, tape: boolean, open: boolean): void {
    this.levels[level].put(slot, of, tape, open);
    if (tape) this.tapes.add(of);
    else if (++this.states > this.peakStates) this.peakStates = this.states;
    if (!open && ++this.snapshots > this.peakSlots) this.peakSlots = this.snapshots;
    if (level === "disk" && ++this.onDisk > this.peakDiskSlots) this.peakDiskSlots = this.onDisk;
  }

  /** Empties a slot that holds something. */
  clear(slot: number, level: Level): void {
    const slots = this.levels[level];
    if (slots.tape[slot]) this.tapes.delete(slots.of[slot]);
    else this.states--;
    if (!slots.open[slot]) this.snapshots--;
    if (level === "disk") this.onDisk--;
    slots.of[slot] = -1;
  }

  /** Tapes in slots that are not among `held`: a tape that was restored is in the slot and held, and one tape. */
  tapesBeside(held: ReadonlySet<number>): number {
    let n = this.tapes.size;
    if (n === 0 || held.size === 0) return n;
    const [fewer, other] = held.size < n ? [held, this.tapes] : [this.tapes, held];
    for (const step of fewer) if (other.has(step)) n--;
    return n;
  }
}

/** Columns over the slots of one level. */
class Slots {
  readonly of: number[] = [];
  readonly tape: boolean[] = [];
  readonly open: boolean[] = [];

  put(slot: number, of: number, tape: boolean, open: boolean): void {
    while (this.of.length < slot) {
      this.of.push(-1);
      this.tape.push(false);
      this.open.push(false);
    }
    this.of[slot] = of;
    this.tape[slot] = tape;
    this.open[slot] = open;
  }
}

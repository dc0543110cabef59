/** The action stream that reverses one segment of a chain with a given set of slots, binomially. */
import type { Action, Level } from "./actions.js";
import { beta, EXACT_LENGTH, repetitions } from "./binomial.js";
import { divide, divideExactly, lower, type Repetition } from "./split.js";

export interface SlotPlace {
  readonly slot: number;
  readonly level: Level;
}

/** How a segment is found: is its start in the first slot already, and is it the working state. One of them must hold. */
export interface SegmentStart {
  readonly stored: boolean;
  readonly working: boolean;
}

const fresh: SegmentStart = { stored: false, working: true };

/**
 * Reverses steps from..to-1 with the least number of advances that `slotCount` slots allow, the start of the segment taking the
 * first of them; slots deeper in the list lie nearer to the end of the chain. All slots are empty afterwards. Memory is one frame
 * a slot in use.
 *
 * @param place where the slot of a depth lies, depths from 0
 * @param slotCount at least one for a segment of two steps or more
 */
export function reverseSegment(
  from: number,
  to: number,
  place: (depth: number) => SlotPlace,
  slotCount: number,
  found: SegmentStart = fresh,
): IterableIterator<Action> {
  return new SegmentReversal(from, to, place, slotCount, found);
}

/** A part of the chain whose start lies in the slot of its depth and whose steps start..end-1 are still to be reversed. */
interface Frame extends Repetition {
  readonly start: number;
  readonly place: SlotPlace;
  end: number;
}

/** What comes next: at the top frame, or behind the action before. */
enum Phase {
  begin,
  top,
  free,
  advance,
  arrived,
  recordLast,
  reverseLast,
  recordStart,
  reverseStart,
  recordOnly,
  reverseOnly,
}

/**
 * An iterator by hand and no generator: it is asked millions of times, and a generator takes about twice as long.
 * `top`: restore the start of the top frame where it is not the working state; then reverse its one step, or advance and divide.
 */
class SegmentReversal implements IterableIterator<Action> {
  private readonly frames: Frame[] = [];
  private phase = Phase.begin;
  private working: number;
  private readonly slots: number;
  private middle = 0;

  constructor(
    private readonly from: number,
    private readonly to: number,
    private readonly place: (depth: number) => SlotPlace,
    slotCount: number,
    private readonly found: SegmentStart,
  ) {
    this.working = found.working ? from : -1;
    // more slots than inner states are never used
    this.slots = Math.max(1, Math.min(slotCount, to - from - 1));
  }

  [Symbol.iterator](): IterableIterator<Action> {
    return this;
  }

  next(): IteratorResult<Action, undefined> {
    const action = this.step();
    if (action === null) return { done: true, value: undefined };
    return { done: false, value: action };
  }

  private step(): Action | null {
    const { frames } = this;
    switch (this.phase) {
      case Phase.begin:
        return this.begin();
      case Phase.top: {
        if (frames.length === 0) return null;
        const frame = frames[frames.length - 1];
        this.phase = frame.end - frame.start === 1 ? Phase.free : Phase.advance;
        if (this.working === frame.start) return this.step();
        this.working = frame.start;
        return { kind: "restore", slot: frame.place.slot, level: frame.place.level };
      }
      case Phase.free: {
        const { slot, level } = frames[frames.length - 1].place;
        this.phase = Phase.recordStart;
        return { kind: "free", slot, level };
      }
      case Phase.recordStart:
        this.phase = Phase.reverseStart;
        return { kind: "record", step: frames[frames.length - 1].start };
      case Phase.reverseStart: {
        const { start } = frames.pop()!;
        this.working = start + 1;
        if (frames.length > 0) frames[frames.length - 1].end = start;
        this.phase = Phase.top;
        return { kind: "reverse", step: start };
      }
      case Phase.advance: {
        const frame = frames[frames.length - 1];
        const { start, end } = frame;
        this.middle = start + leftLength(frame, end - start, this.slots - frames.length + 1);
        this.working = this.middle;
        this.phase = end - this.middle === 1 ? Phase.recordLast : Phase.arrived;
        return { kind: "advance", from: start, to: this.middle };
      }
      case Phase.arrived: {
        const depth = frames.length;
        const frame = frames[depth - 1];
        const place = this.place(depth);
        const reach = reachRight(frame, this.slots - depth + 1);
        frames.push({ start: this.middle, end: frame.end, place, r: frame.r, reach });
        this.phase = Phase.advance;
        return { kind: "store", state: this.middle, slot: place.slot, level: place.level };
      }
      case Phase.recordLast:
        this.phase = Phase.reverseLast;
        return { kind: "record", step: this.middle };
      case Phase.reverseLast:
        this.working = this.middle + 1;
        frames[frames.length - 1].end = this.middle;
        this.phase = Phase.top;
        return { kind: "reverse", step: this.middle };
      case Phase.recordOnly:
        this.phase = Phase.reverseOnly;
        return { kind: "record", step: this.from };
      case Phase.reverseOnly:
        this.phase = Phase.top;
        return { kind: "reverse", step: this.from };
    }
  }

  private begin(): Action | null {
    const { from, to, found } = this;
    if (to - from === 1 && !found.stored) {
      this.phase = Phase.recordOnly;
      return this.step();
    }
    const place = this.place(0);
    this.frames.push({ start: from, end: to, place, r: -1, reach: 0 });
    this.phase = Phase.top;
    if (found.stored) return this.step();
    return { kind: "store", state: from, slot: place.slot, level: place.level };
  }
}

/** The length of the left part; r = -1 stands for a frame whose repetition number is not carried (too long for doubles). */
function leftLength(frame: Frame, length: number, s: number): number {
  if (length > EXACT_LENGTH) return Number(divideExactly(BigInt(length), BigInt(s)));
  if (frame.r < 0) {
    frame.r = repetitions(length, s);
    frame.reach = beta(s, frame.r);
  } else lower(frame, length, s);
  return divide(length, s, frame);
}

/** beta(s - 1, r), from beta(s, r) = beta(s - 1, r) + beta(s, r - 1). */
function reachRight({ r, reach }: Frame, s: number): number {
  return r < 0 ? 0 : reach - (reach * r) / (s + r);
}

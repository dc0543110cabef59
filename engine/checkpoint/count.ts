/** Counts a stream by running it against a checker: what `plan --json` calls `executed`. */
import { BacksweepError } from "../trace/failure.js";
import type { Action, Counts, Level } from "./actions.js";
import { SlotTable } from "./slot-table.js";

/**
 * Runs the actions of a schedule on states that are only numbers. Every action is checked: the working state is the one it needs,
 * a slot that is read holds something, a slot that is written is empty, steps are reversed once each from the last to the first
 * with a tape that is there. Memory: the slots in use and the tapes held.
 */
export class StreamCounter {
  /** Steps whose reversal is still to come: 0..remaining-1. */
  private remaining: number;
  /** Steps 0..furthest-1 have been evaluated at least once. */
  private furthest = 0;
  private working = 0;
  /** Steps whose tapes are held. One tape, the common case, needs no set: then it is `newest`, and the set is empty. */
  private readonly held = new Set<number>();
  private newest = -1;
  private readonly slots = new SlotTable();
  private index = 0;
  private advances = 0;
  private records = 0;
  private uncomputes = 0;
  private plainUncomputes = 0;
  private replays = 0;
  private reads = 0;
  private writes = 0;
  private diskReads = 0;
  private diskWrites = 0;
  private peakTapes = 0;

  /** @param name of the schedule, for messages */
  constructor(
    private readonly name: string,
    private readonly steps: number,
  ) {
    this.remaining = steps;
  }

  /** Slots in use now, all levels: what a test of O(slots) memory looks at. */
  get slotsInUse(): number {
    return this.slots.inUse;
  }

  /**
   * Takes the next action.
   *
   * @throws BacksweepError `internal`, naming schedule, action and reason, when the action is not possible here
   */
  take(action: Action): void {
    this.index++;
    switch (action.kind) {
      case "advance":
        this.advance(action.from, action.to, action);
        return;
      case "record":
        this.needWorking(action.step, action);
        this.needStep(action.step, action);
        this.holdTape(action.step, action);
        this.records++;
        this.furthest = Math.max(this.furthest, action.step + 1);
        this.working = action.step + 1;
        return;
      case "reverse":
        if (action.step !== this.remaining - 1)
          this.fail(action, `the next step to reverse is ${this.remaining - 1}`);
        this.dropTape(action.step, action);
        this.remaining--;
        return;
      case "store":
        this.store(action);
        return;
      case "restore":
        this.restore(action.slot, action.level ?? "ram", action);
        return;
      case "free":
        if (this.slots.at(action.slot, action.level ?? "ram") < 0) this.fail(action, "the slot is empty");
        this.slots.clear(action.slot, action.level ?? "ram");
        return;
      case "uncompute":
        this.uncompute(action.step, action.slot, action.tape === true, action);
        return;
    }
  }

  /**
   * The counts, after the last action.
   *
   * @throws BacksweepError `internal` when steps are left over
   */
  finish(): Counts {
    if (this.remaining > 0)
      throw new BacksweepError(
        "internal",
        `schedule ${this.name}: the stream ends with steps 0 to ${this.remaining - 1} not reversed`,
      );
    const totalForwards = this.advances + this.records + this.plainUncomputes;
    return {
      peakStates: this.slots.peakStates,
      peakTapes: this.peakTapes,
      peakSlots: this.slots.peakSlots,
      advances: this.advances,
      records: this.records,
      uncomputes: this.uncomputes,
      totalForwards,
      extraForwards: totalForwards - this.steps,
      replays: this.replays,
      reads: this.reads,
      writes: this.writes,
      diskReads: this.diskReads,
      diskWrites: this.diskWrites,
      peakDiskSlots: this.slots.peakDiskSlots,
    };
  }

  private advance(from: number, to: number, action: Action): void {
    this.needWorking(from, action);
    if (to <= from || to > this.steps) this.fail(action, `steps go from 0 to ${this.steps - 1}`);
    this.advances += to - from;
    this.replays += Math.max(0, Math.min(to, this.furthest) - from);
    this.furthest = Math.max(this.furthest, to);
    this.working = to;
  }

  private store(action: Action & { kind: "store" }): void {
    const level = action.level ?? "ram";
    const tape = action.what === "tape";
    if (this.slots.at(action.slot, level) >= 0) this.fail(action, "the slot is taken");
    if (tape) this.dropTape(action.state, action);
    else this.needWorking(action.state, action);
    this.slots.put(action.slot, level, action.state, tape, action.open === true);
    this.writes++;
    if (level === "disk") this.diskWrites++;
  }

  private restore(slot: number, level: Level, action: Action): void {
    const of = this.slots.at(slot, level);
    if (of < 0) this.fail(action, "the slot is empty");
    if (this.slots.holdsTape(slot, level)) this.holdTape(of, action);
    else this.working = of;
    this.reads++;
    if (level === "disk") this.diskReads++;
  }

  private uncompute(step: number, slot: number | undefined, tape: boolean, action: Action): void {
    this.needStep(step, action);
    if (slot === undefined) {
      this.needWorking(step + 1, action);
      this.working = step;
    } else {
      this.needWorking(step, action);
      if (this.slots.at(slot, "ram") !== step + 1 || this.slots.holdsTape(slot, "ram"))
        this.fail(action, `the slot does not hold state ${step + 1}`);
      this.slots.clear(slot, "ram");
    }
    this.uncomputes++;
    if (!tape) {
      this.plainUncomputes++;
      return;
    }
    this.holdTape(step, action);
    this.records++;
  }

  private holdTape(step: number, action: Action): void {
    if (this.newest < 0 && this.held.size === 0 && this.slots.tapesBeside(this.held) === 0) {
      this.newest = step;
      if (this.peakTapes < 1) this.peakTapes = 1;
      return;
    }
    if (this.newest >= 0) this.held.add(this.newest);
    this.newest = -1;
    if (this.held.has(step)) this.fail(action, `a tape of step ${step} is held already`);
    this.held.add(step);
    const tapes = this.held.size + this.slots.tapesBeside(this.held);
    if (tapes > this.peakTapes) this.peakTapes = tapes;
  }

  private dropTape(step: number, action: Action): void {
    if (this.newest === step) this.newest = -1;
    else if (!this.held.delete(step)) this.fail(action, `no tape of step ${step} is held`);
  }

  private needWorking(state: number, action: Action): void {
    if (this.working !== state) this.fail(action, `the working state is state ${this.working}`);
  }

  private needStep(step: number, action: Action): void {
    if (!(step >= 0 && step < this.steps)) this.fail(action, `steps go from 0 to ${this.steps - 1}`);
  }

  private fail(action: Action, why: string): never {
    throw new BacksweepError(
      "internal",
      `schedule ${this.name} of ${this.steps} steps: action ${this.index} (${describeAction(action)}) is not possible: ${why}`,
    );
  }
}

/** An action in words: "advance 3 to 7", "store state 3 in slot 1", "restore disk slot 0". */
export function describeAction(action: Action): string {
  const place = (slot: number, level?: Level): string => `${level === "disk" ? "disk " : ""}slot ${slot}`;
  switch (action.kind) {
    case "advance":
      return `advance ${action.from} to ${action.to}`;
    case "record":
    case "reverse":
      return `${action.kind} step ${action.step}`;
    case "store":
      return `store ${action.what === "tape" ? `tape of step ${action.state}` : `state ${action.state}`} in ${place(action.slot, action.level)}`;
    case "restore":
    case "free":
      return `${action.kind} ${place(action.slot, action.level)}`;
    case "uncompute":
      return action.slot === undefined
        ? `uncompute step ${action.step}${action.tape === true ? ", keeping its tape" : ""}`
        : `uncompute state ${action.step + 1} in slot ${action.slot}`;
  }
}

/** Runs a stream to its end and counts it. Throws BacksweepError `internal` for an invalid stream, naming the action. */
export function countStream(name: string, steps: number, actions: Iterable<Action>): Counts {
  const counter = new StreamCounter(name, steps);
  for (const action of actions) counter.take(action);
  return counter.finish();
}

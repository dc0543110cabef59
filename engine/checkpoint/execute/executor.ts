/**
 * Runs a schedule's actions on a real chain of steps. Primals are dropped and replayed through `Primals`; what a step is
 * and how it runs is the business of whoever made the region (user code run again, or instructions evaluated again).
 *
 * The stream is read in two parts. `forward` takes actions until every step has run once, which is where the first sweep
 * ends and the rest of the program goes on. `backTo(step)` takes actions until that step's `reverse`: then its tape is there,
 * the caller sweeps over its nodes, and calls `reversed`.
 */
import type { Action, Level, Schedule } from "../actions.js";
import { Holders } from "./holders.js";
import { Did, slotCode, type StorageLog } from "./log.js";
import type { Primals } from "./primals.js";
import type { Steps } from "./steps.js";
import { Tally, type Executed } from "./tally.js";

interface Held {
  readonly tape: boolean;
  /** the state, or the step whose tape it is */
  readonly index: number;
}

/** A schedule asked for what it may not: a fault in the schedule, not in the user's program. */
export class ScheduleError extends Error {}

export class Executor {
  readonly tally = new Tally();
  private readonly stream: Iterator<Action>;
  /** an action that was read and not carried out yet: always a `reverse` */
  private pending: number | null = null;
  private working = 0;
  private ended = false;
  private readonly slots = new Map<number, Held>();
  /** tapes that are held, not those that lie in slots alone */
  private readonly tapes = new Set<number>();
  private readonly holders: Holders;
  /** steps that have run once are below this */
  private ran = 0;
  private final = false;

  constructor(
    readonly schedule: Schedule,
    private readonly region: number,
    private readonly steps: Steps,
    private readonly primals: Primals,
    private readonly log: StorageLog | null,
  ) {
    this.holders = new Holders(steps, primals, log, this.tally);
    this.stream = schedule.actions(steps.count)[Symbol.iterator]();
    this.holders.holdState(0);
  }

  get executed(): Executed {
    return this.tally.counts(this.steps.count);
  }

  /** The first sweep: until every step has run. The final state stays until the sweep comes back to this region. */
  forward(): void {
    while (this.ran < this.steps.count) {
      if (this.pending !== null)
        throw new ScheduleError(
          `${this.schedule.name}: step ${this.ran} did not run before the first is reversed`,
        );
      this.next();
    }
    this.holders.holdState(this.steps.count);
    this.final = true;
  }

  /** Until step `step` is to be reversed: its tape is there. */
  backTo(step: number): void {
    if (this.final) {
      this.final = false;
      this.holders.releaseState(this.steps.count);
    }
    this.until();
    if (this.pending !== step)
      throw new ScheduleError(
        `${this.schedule.name}: step ${String(this.pending)} is reversed where ${step} is due`,
      );
    if (!this.tapes.has(step)) throw new ScheduleError(`${this.schedule.name}: no tape of step ${step}`);
    this.log?.push(Did.reverse, this.region, step);
  }

  /** The caller has swept over the nodes of the step announced last. */
  reversed(): void {
    const step = this.pending!;
    this.pending = null;
    this.tapes.delete(step);
    this.holders.releaseTape(step);
    // behind a step that is reversed no state is of any use
    if (this.working > step && !this.ended) {
      this.holders.releaseState(this.working);
      this.ended = true;
    }
  }

  /** Nothing more is to be reversed: what a schedule still holds is let go. */
  finish(): void {
    for (let next = this.stream.next(); next.done !== true; next = this.stream.next()) this.act(next.value);
    for (const { tape, index } of this.slots.values()) {
      if (tape) this.holders.releaseTape(index);
      else this.holders.releaseState(index);
    }
    this.slots.clear();
    if (!this.ended) this.holders.releaseState(this.working);
    this.ended = true;
  }

  private until(): void {
    while (this.pending === null) this.next();
  }

  private next(): void {
    const next = this.stream.next();
    if (next.done === true)
      throw new ScheduleError(`${this.schedule.name}: the schedule ends before every step is reversed`);
    this.act(next.value);
  }

  private act(action: Action): void {
    switch (action.kind) {
      case "advance":
        for (let step = action.from; step < action.to; step++) this.advance(step);
        break;
      case "record":
        this.record(action.step);
        break;
      case "reverse":
        this.pending = action.step;
        break;
      case "store":
        this.store(action.state, action.slot, action.level, action.what === "tape", action.open === true);
        break;
      case "restore":
        this.restore(action.slot, action.level);
        break;
      case "free":
        this.free(action.slot, action.level);
        break;
      case "uncompute":
        if (action.slot === undefined) this.invert(action.step, action.tape === true);
        else this.takeAway(action.step, action.slot);
        break;
    }
  }

  private at(state: number): void {
    if (this.ended || this.working !== state) {
      const where = this.ended ? "gone" : `state ${this.working}`;
      throw new ScheduleError(
        `${this.schedule.name}: state ${state} is wanted, the working state is ${where}`,
      );
    }
  }

  /** Runs a step from the working state; true if it had run before. */
  private run(step: number): boolean {
    const { steps, primals } = this;
    const again = step < this.ran;
    if (again) primals.begin(steps.first(step), steps.end(step), steps.stays?.bind(steps));
    steps.run(step, again);
    primals.end(steps.first(step), steps.end(step), again);
    if (!again) this.ran = step + 1;
    return again;
  }

  private advance(step: number): void {
    this.at(step);
    const again = this.run(step);
    this.tally.advance(again);
    this.log?.push(Did.advance, this.region, step, again ? 0 : 1);
    this.move(step);
    if (!this.holders.hasTape(step)) this.steps.dropTape?.(step);
  }

  private record(step: number): void {
    this.at(step);
    const again = this.run(step);
    this.tally.record();
    this.log?.push(Did.record, this.region, step, again ? 0 : 1);
    this.holdTape(step);
    this.move(step);
  }

  /** The working state moves from before the step to behind it. */
  private move(step: number): void {
    const { steps, primals } = this;
    this.holders.holdState(step + 1);
    primals.settle(steps.first(step), steps.end(step));
    this.holders.releaseState(step);
    this.working = step + 1;
  }

  private store(state: number, slot: number, level: Level | undefined, tape: boolean, open: boolean): void {
    const key = slotCode(slot, level === "disk");
    if (this.slots.has(key)) throw new ScheduleError(`${this.schedule.name}: slot ${slot} is full`);
    if (tape) {
      if (!this.tapes.has(state))
        throw new ScheduleError(`${this.schedule.name}: no tape of step ${state} to be stored`);
    } else this.at(state);
    this.slots.set(key, { tape, index: state });
    this.tally.store(key, tape, open);
    // a tape moves into its slot: the hold goes with it
    if (tape) this.tapes.delete(state);
    else this.holders.holdState(state);
    this.log?.push(tape ? Did.snapshotTape : Did.snapshot, this.region, state, key);
    if (!tape) this.holders.retained(state, true);
  }

  private restore(slot: number, level: Level | undefined): void {
    const key = slotCode(slot, level === "disk");
    const held = this.held(key);
    this.tally.restore(key);
    this.log?.push(held.tape ? Did.restoreTape : Did.restore, this.region, held.index, key);
    if (held.tape) {
      this.holdTape(held.index);
      return;
    }
    this.holders.holdState(held.index);
    if (!this.ended) this.holders.releaseState(this.working);
    this.working = held.index;
    this.ended = false;
  }

  private free(slot: number, level: Level | undefined): void {
    const key = slotCode(slot, level === "disk");
    const held = this.held(key);
    this.slots.delete(key);
    this.tally.free(key, held.tape);
    this.log?.push(held.tape ? Did.freeTape : Did.free, this.region, held.index, key);
    if (held.tape) this.holders.releaseTape(held.index);
    else this.holders.releaseState(held.index);
  }

  private held(key: number): Held {
    const held = this.slots.get(key);
    if (held === undefined) throw new ScheduleError(`${this.schedule.name}: slot ${key} is empty`);
    return held;
  }

  /** A pebble is taken away: the step behind it runs once more, backwards as a reversible machine would. */
  private takeAway(step: number, slot: number): void {
    this.at(step);
    const held = this.held(slot);
    if (held.tape || held.index !== step + 1)
      throw new ScheduleError(`${this.schedule.name}: slot ${slot} does not hold state ${step + 1}`);
    this.run(step);
    this.tally.uncompute(slot);
    this.slots.delete(slot);
    this.log?.push(Did.uncompute, this.region, step, slot);
    this.primals.settle(this.steps.first(step), this.steps.end(step));
    if (!this.holders.hasTape(step)) this.steps.dropTape?.(step);
    this.holders.releaseState(step + 1);
  }

  /** The state before a step from the state behind it. */
  private invert(step: number, tape: boolean): void {
    const { steps, primals } = this;
    this.at(step + 1);
    if (steps.invert === undefined)
      throw new ScheduleError(`${this.schedule.name}: a step of this kind has no inverse`);
    steps.invert(step);
    primals.inverted(steps.first(step), steps.end(step), steps.leaves(step));
    this.tally.invert(tape);
    this.log?.push(Did.uncompute, this.region, step);
    this.holders.holdState(step);
    if (tape) this.holdTape(step);
    primals.settle(steps.first(step), steps.end(step));
    this.holders.releaseState(step + 1);
    this.working = step;
  }

  private holdTape(step: number): void {
    if (this.tapes.has(step))
      throw new ScheduleError(`${this.schedule.name}: the tape of step ${step} is held already`);
    this.tapes.add(step);
    this.holders.holdTape(step);
  }
}

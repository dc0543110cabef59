/**
 * Runs a schedule's actions on a real chain of steps. Primals are dropped and replayed through `Primals`; what a step is
 * and how it runs is the business of whoever made the region (user code run again, or instructions evaluated again).
 *
 * The stream is read in two parts. `forward` takes actions until every step has run once, which is where the first sweep
 * ends and the rest of the program goes on. `backTo(step)` takes actions until that step's `reverse`: then its tape is there,
 * the caller sweeps over its nodes, and calls `reversed`.
 */
import type { Action, Level, Schedule } from "../actions.js";
import { Did, slotCode, type StorageLog } from "./log.js";
import type { Primals } from "./primals.js";
import { Tally, type Executed } from "./tally.js";

/** A chain of steps over nodes of one tape. */
export interface Steps {
  /** number of steps, at least 1 */
  readonly count: number;
  /** nodes of a step that has run: [first, end) */
  first(step: number): number;
  end(step: number): number;
  /** nodes of a state that can be dropped; known once the step before has run */
  leaves(state: number): Int32Array;
  /** Runs a step from the state before it, whose primals are there; `again`: its nodes have run before. */
  run(step: number, again: boolean): void;
  /** Makes the state before the step from the state behind it; with `tape`, the primals of the step's nodes as well. */
  invert?(step: number, tape: boolean): void;
  /** nodes of a step whose primals it does not compute again: they are held by whoever made the region */
  stays?(node: number): boolean;
  /** a state nobody holds any more */
  forget?(state: number): void;
  /** a step whose tape nobody holds: what is no primal goes here */
  dropTape?(step: number): void;
}

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
  /** how many hold each tape: it may be held and lie in a slot */
  private readonly tapeHolders = new Map<number, number>();
  private readonly stateHolders = new Map<number, number>();
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
    this.stream = schedule.actions(steps.count)[Symbol.iterator]();
    this.holdState(0);
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
    this.holdState(this.steps.count);
    this.final = true;
  }

  /** Until step `step` is to be reversed: its tape is there. */
  backTo(step: number): void {
    if (this.final) {
      this.final = false;
      this.releaseState(this.steps.count);
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
    this.releaseTape(step);
    // behind a step that is reversed no state is of any use
    if (this.working > step && !this.ended) {
      this.releaseState(this.working);
      this.ended = true;
    }
  }

  /** Nothing more is to be reversed: what a schedule still holds is let go. */
  finish(): void {
    for (let next = this.stream.next(); next.done !== true; next = this.stream.next()) this.act(next.value);
    for (const { tape, index } of this.slots.values()) {
      if (tape) this.releaseTape(index);
      else this.releaseState(index);
    }
    this.slots.clear();
    if (!this.ended) this.releaseState(this.working);
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
    if (!this.tapeHolders.has(step)) this.steps.dropTape?.(step);
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
    this.holdState(step + 1);
    primals.settle(steps.first(step), steps.end(step));
    this.releaseState(step);
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
    else this.holdState(state);
    this.log?.push(tape ? Did.snapshotTape : Did.snapshot, this.region, state, key);
    if (!tape) this.retained(state, true);
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
    this.holdState(held.index);
    if (!this.ended) this.releaseState(this.working);
    this.working = held.index;
    this.ended = false;
  }

  private free(slot: number, level: Level | undefined): void {
    const key = slotCode(slot, level === "disk");
    const held = this.held(key);
    this.slots.delete(key);
    this.tally.free(key, held.tape);
    this.log?.push(held.tape ? Did.freeTape : Did.free, this.region, held.index, key);
    if (held.tape) this.releaseTape(held.index);
    else this.releaseState(held.index);
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
    if (!this.tapeHolders.has(step)) this.steps.dropTape?.(step);
    this.releaseState(step + 1);
  }

  /** The state before a step from the state behind it. */
  private invert(step: number, tape: boolean): void {
    const { steps, primals } = this;
    this.at(step + 1);
    if (steps.invert === undefined)
      throw new ScheduleError(`${this.schedule.name}: a step of this kind has no inverse`);
    steps.invert(step, tape);
    primals.end(steps.first(step), steps.end(step), false);
    this.tally.invert(tape);
    this.log?.push(Did.uncompute, this.region, step);
    this.holdState(step);
    if (tape) this.holdTape(step);
    primals.settle(steps.first(step), steps.end(step));
    this.releaseState(step + 1);
    this.working = step;
  }

  private holdState(state: number): void {
    this.stateHolders.set(state, (this.stateHolders.get(state) ?? 0) + 1);
    for (const node of this.steps.leaves(state)) this.primals.hold(node);
  }

  private releaseState(state: number): void {
    const left = this.stateHolders.get(state)! - 1;
    for (const node of this.steps.leaves(state)) this.primals.release(node);
    if (left > 0) this.stateHolders.set(state, left);
    else {
      this.stateHolders.delete(state);
      this.steps.forget?.(state);
    }
  }

  /** Says which nodes a slot or a tape retains. */
  private retained(state: number, slot: boolean): void {
    if (this.log === null) return;
    for (const node of this.steps.leaves(state)) this.log.push(Did.store, node, slot ? 1 : 0);
  }

  private holdTape(step: number): void {
    const { steps, primals, log } = this;
    if (this.tapes.has(step))
      throw new ScheduleError(`${this.schedule.name}: the tape of step ${step} is held already`);
    this.tapes.add(step);
    this.tapeHolders.set(step, (this.tapeHolders.get(step) ?? 0) + 1);
    this.holdState(step);
    this.retained(step, false);
    for (let node = steps.first(step); node < steps.end(step); node++) {
      primals.hold(node);
      log?.push(Did.store, node, 0);
    }
    this.tally.tapes(this.tapeHolders.size);
  }

  private releaseTape(step: number): void {
    const { steps, primals } = this;
    const left = this.tapeHolders.get(step)! - 1;
    if (left > 0) this.tapeHolders.set(step, left);
    else this.tapeHolders.delete(step);
    this.tally.tapes(this.tapeHolders.size);
    if (left === 0) this.steps.dropTape?.(step);
    for (let node = steps.first(step); node < steps.end(step); node++) primals.release(node);
    this.releaseState(step);
  }
}

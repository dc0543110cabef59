/**
 * The parts of a recording that a schedule may drop and replay: one region a `chain`, a call of a `checkpoint` segment or a
 * stack of coupling layers. Recording is sequential, so each step is a range of nodes. Of regions within regions the
 * outermost is scheduled, and what lies inside is part of its steps.
 */
import type { Schedule } from "../checkpoint/actions.js";
import { Executor } from "../checkpoint/execute/executor.js";
import type { StorageLog } from "../checkpoint/execute/log.js";
import type { Primals } from "../checkpoint/execute/primals.js";
import type { Steps } from "../checkpoint/execute/steps.js";
import type { Rounder } from "../ops/dtype.js";
import type { Recorder } from "../ops/recorder.js";
import { Ints } from "../tape/growable.js";
import { BacksweepError } from "../trace/failure.js";
import type { SegmentKind } from "../trace/trace.js";
import { invertLayer } from "./invert.js";
import type { LayerRows } from "./layer-rows.js";
import type { StepObserver } from "./replay-observer.js";
import { replayStep } from "./replay-step.js";
import { leavesOf, sameConstant, valueOf, type Form, type Leaves } from "./state.js";
import type { StreamKey } from "./stream.js";

/** How replays are made other than the first run was, on purpose. */
export interface ReplayMode {
  /** rounding of primals; undefined: that of the first run */
  readonly round?: Rounder | null | undefined;
  /** every replay draws from a stream of its own */
  readonly unmatched?: boolean;
  /** a constant that is another in the replay is taken over, instead of ending the run */
  readonly goOn?: boolean;
}

/** What a region runs. */
export interface Body {
  readonly kind: SegmentKind;
  readonly name: string;
  /** site of the call, for messages and for what the replay records before it makes a call of its own */
  readonly site: number;
  readonly count: number;
  /** key of the random stream of a step */
  streamKey(step: number): StreamKey;
  /** the form of a state */
  form(state: number): Form;
  /** Runs a step on a value; takes care of scope and stream itself in the first run. */
  first(value: unknown, step: number): unknown;
  /** Runs it again: scope and stream are set up. */
  again(value: unknown, step: number): unknown;
  /** how messages call the value behind a step */
  describe(step: number): string;
  /** of coupling layers: where f and g of each stand */
  readonly layers?: LayerRows;
}

/** A region as the sweep and the tables see it. */
export interface AnyRegion extends Steps {
  readonly index: number;
  readonly kind: SegmentKind;
  readonly name: string;
  /** steps that have run */
  readonly ran: number;
  /** null: everything is kept */
  readonly executor: Executor | null;
}

export class Region implements AnyRegion {
  private readonly firsts = new Ints();
  private readonly ends = new Ints();
  /** numbers of the constants its steps recorded: step i made those from constants[i] to constants[i + 1] - 1 */
  private readonly constants = new Ints();
  private readonly states: Leaves[] = [];
  private readonly droppable: Int32Array[] = [];
  /** the user's own handles of the state a step returned last */
  private last: { readonly state: number; readonly value: unknown } | null = null;
  executor: Executor | null = null;

  constructor(
    readonly regions: Regions,
    readonly index: number,
    readonly body: Body,
    value: unknown,
    /** forms of states behind the first, where they are known when a step returns only */
    private readonly formed: (state: number, value: unknown) => void,
  ) {
    this.keep(0, value);
    this.last = { state: 0, value };
  }

  get recorder(): Recorder {
    return this.regions.recorder;
  }

  get kind(): SegmentKind {
    return this.body.kind;
  }

  get name(): string {
    return this.body.name;
  }

  get count(): number {
    return this.body.count;
  }

  first(step: number): number {
    return this.firsts.at(step);
  }

  end(step: number): number {
    return this.ends.at(step);
  }

  /** Steps that have run. */
  get ran(): number {
    return this.ends.length;
  }

  leaves(state: number): Int32Array {
    return this.droppable[state];
  }

  /** The leaves of a state, constants and nodes outside the region included. */
  state(state: number): Leaves {
    return this.states[state];
  }

  /** Runs all steps and keeps everything. */
  runAll(): unknown {
    for (let step = 0; step < this.count; step++) this.run(step, false);
    return this.value(this.count);
  }

  /** Runs the first sweep of a schedule. */
  runScheduled(schedule: Schedule): unknown {
    const { primals, log } = this.regions;
    this.executor = new Executor(schedule, this.index, this, primals!, log);
    this.executor.forward();
    return this.value(this.count);
  }

  run(step: number, again: boolean): void {
    const value = this.value(step);
    this.regions.depth++;
    try {
      if (again) this.again(value, step);
      else this.firstRun(value, step);
    } finally {
      this.regions.depth--;
    }
  }

  /** The state before a coupling layer, and the primals of its nodes, from the state behind it. */
  invert(step: number): void {
    const value = this.value(step + 1);
    this.regions.depth++;
    try {
      invertLayer(this, this.body.layers!, step, value);
    } finally {
      this.regions.depth--;
    }
  }

  private firstRun(value: unknown, step: number): void {
    const { tape } = this.recorder;
    const first = tape.length;
    const constants = tape.constants.length;
    for (const observer of this.regions.observers) observer.began?.(this, step);
    const next = this.body.first(value, step);
    this.firsts.push(first);
    this.ends.push(tape.length);
    if (step === 0) this.constants.push(constants);
    this.constants.push(tape.constants.length);
    this.formed(step + 1, next);
    this.keep(step + 1, next);
    this.last = { state: step + 1, value: next };
    for (const observer of this.regions.observers) observer.firstRun?.(this, step, first, tape.length);
  }

  private again(value: unknown, step: number): void {
    const next = replayStep(this, step, value);
    const { body } = this;
    const leaves = leavesOf(body.form(step + 1), next, this.recorder.tape, body.describe(step), body.site);
    const before = this.states[step + 1];
    for (let i = 0; i < leaves.ids.length; i++) {
      const constant = before.constants.has(i) ? before.constants.get(i) : leaves.constants.get(i);
      const same = this.regions.mode.goOn === true || sameConstant(leaves.constants.get(i), constant);
      if (leaves.ids[i] !== before.ids[i] || !same) {
        throw new BacksweepError(
          "replay",
          `${body.describe(step)} is another in the replay than in the first run: a step must do the same whenever it runs`,
          body.site,
        );
      }
    }
    this.states[step + 1] = leaves;
  }

  private keep(state: number, value: unknown): void {
    const { body } = this;
    const who = state === 0 ? `${body.name}: the state` : body.describe(state - 1);
    const leaves = leavesOf(body.form(state), value, this.recorder.tape, who, body.site);
    this.states.push(leaves);
    const from = state === 0 ? Infinity : this.firsts.at(0);
    this.droppable.push(Int32Array.from(new Set(leaves.ids.filter((id) => id >= from))));
  }

  /** The user's value of a state. */
  value(state: number): unknown {
    if (this.last !== null && this.last.state === state) return this.last.value;
    return valueOf(this.body.form(state), this.states[state], this.recorder.tape);
  }

  forget(state: number): void {
    if (this.last !== null && this.last.state === state) this.last = null;
    // constants come back with the step that made them; those of the first state have no such step, nor have inverses
    if (state > 0 && this.body.layers === undefined)
      this.states[state] = { ids: this.states[state].ids, constants: new Map() };
  }

  /** Numbers of the constants that a step recorded, [from, end). */
  constantsOf(step: number): readonly [number, number] {
    return [this.constants.at(step), this.constants.at(step + 1)];
  }

  dropTape(step: number): void {
    this.recorder.tape.arrays.dropConstants(...this.constantsOf(step), false);
  }

  /** The first sweep has handed its final state on: the user's handles are the user's now. */
  letGo(): void {
    this.last = null;
  }
}

/** How a region of so many steps is executed; null: everything is kept. */
export type Planner = (kind: SegmentKind, steps: number, index: number) => Schedule | null;

export class Regions {
  readonly list: AnyRegion[] = [];
  readonly observers: StepObserver[] = [];
  /** above 0 while a step runs */
  depth = 0;
  /** bound on what is held; null: nothing is ever dropped */
  primals: Primals | null = null;
  log: StorageLog | null = null;
  mode: ReplayMode = {};
  /** replays begun */
  replays = 0;
  /** the sweep's own column of constants, once there is one */
  constants: Float64Array | null = null;

  constructor(
    readonly recorder: Recorder,
    private readonly plan: Planner,
  ) {}

  /** Runs a region that has at least one step. */
  run(body: Body, value: unknown, formed: (state: number, value: unknown) => void): unknown {
    const region = new Region(this, this.list.length, body, value, formed);
    const schedule = this.primals === null ? null : this.plan(body.kind, body.count, region.index);
    this.list.push(region);
    const result = schedule === null ? region.runAll() : region.runScheduled(schedule);
    region.letGo();
    return result;
  }
}

const byRecorder = new WeakMap<Recorder, Regions>();

/** Has the recorder's regions found as it records. */
export function useRegions(recorder: Recorder, regions: Regions): void {
  byRecorder.set(recorder, regions);
}

/** The regions of a recording when a region may begin here; null inside another, and where nobody looks for them. */
export function openRegions(recorder: Recorder): Regions | null {
  const regions = byRecorder.get(recorder);
  return regions === undefined || regions.depth > 0 ? null : regions;
}

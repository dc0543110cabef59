/**
 * The replay contract, verified by value: what a step computed, drew and decided when it first ran is kept (arrays as
 * fingerprints), and every replay is compared with it. The first thing that differs is told with its place and both
 * values, upstream causes before what follows from them: a decision, a random number, a value from outside the step, a
 * primal. Replays of recorded instructions are compared by their primals, inverses of layers by their decisions and constants.
 */
import type { Rounder } from "../ops/dtype.js";
import type { Recorder } from "../ops/recorder.js";
import { numberText, type ReplayMismatch } from "../replay/mismatch.js";
import { outside, type OutsideDraw } from "../tape/outside.js";
import { BacksweepError } from "../trace/failure.js";
import { otherDecision, type RowRange } from "./contract-decisions.js";
import { otherDraw, otherOutsideDraw } from "./contract-draws.js";
import { otherRow } from "./contract-rows.js";
import { FirstValues, valueMismatch } from "./contract-values.js";
import { about, where, type Replayed } from "./contract-words.js";
import type { Kept } from "./kept.js";
import type { Region } from "./regions.js";
import type { InstructionObserver, Part, StepObserver } from "./replay-observer.js";
import type { RowDifference } from "./replay-step.js";
import { replayStates, stateTime } from "./running-state.js";

/** Mismatches kept for a report; further ones are counted. */
const MOST = 50;

/** What one step did when it first ran. */
interface FirstRun {
  values: FirstValues | null;
  decisions: RowRange;
  draws: RowRange;
  readonly outside: OutsideDraw[];
  /** time of the running states before it ran */
  readonly time: number;
}

export interface ContractCounts {
  /** replays compared, and primals in them */
  replays: number;
  values: number;
  decisions: number;
  draws: number;
}

export class Contract implements StepObserver, InstructionObserver {
  readonly mismatches: ReplayMismatch[] = [];
  /** mismatches beyond those kept */
  more = 0;
  readonly counts: ContractCounts = { replays: 0, values: 0, decisions: 0, draws: 0 };
  /** random numbers and clocks from outside that replayed steps asked for, whatever they gave */
  readonly outsideDraws: OutsideDraw[] = [];
  private readonly runs: FirstRun[][] = [];
  /** primals of a recording whose instructions are replayed */
  private recordedValues: FirstValues | null = null;
  private drawnNow: OutsideDraw[] = [];

  /**
   * @param goOn false: the first mismatch is thrown; true: it is kept, and the run goes on with the replay's values as
   *   long as the replay records the same operations
   * @param kept elements of first runs as far as views hold them
   */
  constructor(
    private readonly recorder: Recorder,
    private readonly goOn: boolean,
    private readonly kept: (node: number) => Kept | undefined,
  ) {}

  began(region: Region, step: number): void {
    const run: FirstRun = {
      values: null,
      decisions: [this.recorder.decisions.at.length, 0],
      draws: [this.recorder.draws.value.length, 0],
      outside: [],
      time: stateTime(this.recorder),
    };
    (this.runs[region.index] ??= [])[step] = run;
    outside.listener = (draw) => run.outside.push(draw);
  }

  firstRun(region: Region, step: number, first: number, end: number): void {
    outside.listener = null;
    const { recorder } = this;
    const run = this.runs[region.index][step];
    run.decisions = [run.decisions[0], recorder.decisions.at.length];
    run.draws = [run.draws[0], recorder.draws.value.length];
    run.values = new FirstValues(recorder.tape, first, end);
  }

  replayBegins(region: Region, step: number, replay: Recorder): void {
    replayStates(replay, this.recorder, this.runs[region.index][step].time);
    this.listen();
  }

  /** The user's step threw in its replay: another branch may be why. */
  replayFailed(region: Region, step: number, replay: Recorder): void {
    outside.listener = null;
    const { decisions } = this.runs[region.index][step];
    const decision = otherDecision({ region, step }, this.recorder, replay, decisions, false);
    if (decision !== null) throw this.failure(decision);
  }

  replayed(
    region: Region,
    step: number,
    first: number,
    end: number,
    replay: Recorder,
    difference: RowDifference | null,
  ): void {
    this.heard();
    const what = { region, step };
    const { recorder } = this;
    const run = this.runs[region.index][step];
    this.count(run.decisions, run.draws, end - first);
    const rounded = replay.round !== recorder.round;
    const value = this.value(what, run.values!, first, Math.min(end, recorder.tape.length), rounded);
    const decision = otherDecision(what, recorder, replay, run.decisions, true);
    // a clock that is only looked at changes nothing
    const heard = value !== null || difference !== null || this.goOn;
    const cause =
      (heard ? otherOutsideDraw(what, run.outside, this.drawnNow) : null) ??
      otherDraw(what, recorder, replay, run.draws) ??
      (difference === null || decision !== null ? null : otherRow(what, difference, rounded)) ??
      this.follows(value, decision !== null);
    // a branch is taken for a reason, and is what a reader wants to hear of first
    this.found([decision, cause], difference);
  }

  partFailed(region: Region, step: number, { which, decisions }: Part, replay: Recorder): void {
    const what = { region, step, inverse: which };
    const decision = otherDecision(what, this.recorder, replay, decisions, false);
    if (decision !== null) throw this.failure(decision);
  }

  /** f or g of a layer was evaluated by its inverse: its operands have rounding errors, which are reported by themselves. */
  partReplayed(
    region: Region,
    step: number,
    { which, decisions }: Part,
    replay: Recorder,
    difference: RowDifference | null,
  ): void {
    const what = { region, step, inverse: which };
    this.count(decisions, [0, 0], 0);
    const decision = otherDecision(what, this.recorder, replay, decisions, true);
    const rounded = replay.round !== this.recorder.round;
    const row = difference === null || decision !== null ? null : otherRow(what, difference, rounded);
    this.found([decision, row], difference);
  }

  recorded(end: number): void {
    this.recordedValues = new FirstValues(this.recorder.tape, 0, end);
  }

  instructionsBegin(): void {
    this.listen();
  }

  instructionsReplayed(what: Replayed, first: number, end: number, round: Rounder | null): void {
    this.heard();
    this.count([0, 0], [0, 0], end - first);
    const value = this.value(what, this.recordedValues!, first, end, round !== this.recorder.round);
    const [draw] = this.drawnNow;
    if (value === null || value.point === "format" || draw === undefined)
      this.found([this.follows(value, false)], null);
    else {
      const gives = Number.isNaN(draw.value) ? "" : ` gives ${numberText(draw.value)}`;
      const message = `${draw.what}${gives} in the replay of ${where(what)}, where a rule of your own calls it; ${value.message}`;
      this.found([{ ...value, ...about(what, "random", value.node, draw.site), message }], null);
    }
  }

  private listen(): void {
    const drawn: OutsideDraw[] = (this.drawnNow = []);
    outside.listener = (draw) => drawn.push(draw);
  }

  private heard(): void {
    outside.listener = null;
    this.outsideDraws.push(...this.drawnNow.slice(0, MOST));
  }

  private count(decisions: RowRange, draws: RowRange, values: number): void {
    const { counts } = this;
    counts.replays++;
    counts.decisions += decisions[1] - decisions[0];
    counts.draws += draws[1] - draws[0];
    counts.values += values;
  }

  /** The first node whose primal is another. */
  private value(what: Replayed, values: FirstValues, first: number, end: number, rounded: boolean) {
    const other = values.other(first, end, this.kept);
    return other === null ? null : valueMismatch(what, this.recorder.tape, other, rounded);
  }

  /** A value that no draw and no constant of its own step explains follows from a branch, or what went wrong before. */
  private follows(value: ReplayMismatch | null, branched: boolean): ReplayMismatch | null {
    const before = this.mismatches.find(({ point }) => point !== "decision");
    if (value === null || value.point !== "write") return value;
    if (branched) return null;
    return before === undefined ? value : { ...value, point: before.point };
  }

  /** Keeps what was found, and ends the run with the first of it unless it is to go on. */
  private found(all: readonly (ReplayMismatch | null)[], difference: RowDifference | null): void {
    const found = all.filter((one) => one !== null);
    for (const one of found) {
      if (this.mismatches.length < MOST) this.mismatches.push(one);
      else this.more++;
    }
    const structural = difference !== null && difference.kind !== "constant";
    if (found.length > 0 && (!this.goOn || structural)) throw this.failure(found[0]);
  }

  /** The counts, and how often running states were updated. */
  report(): ContractCounts & { readonly stateUpdates: number } {
    return { ...this.counts, stateUpdates: stateTime(this.recorder) };
  }

  private failure({ message, site }: ReplayMismatch): BacksweepError {
    return new BacksweepError("replay", message, site);
  }
}

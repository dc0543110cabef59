/**
 * The replay contract, verified by value: what a step computed, drew and decided when it first ran is kept (arrays as
 * fingerprints), and every replay is compared with it. The first thing that differs is told with its place and both
 * values, upstream causes before what follows from them: a decision, a random number, a value from outside the step, a
 * primal.
 */
import type { Recorder } from "../ops/recorder.js";
import { fingerprint, type Fingerprint } from "../replay/hash.js";
import { numberText, type ContractPoint, type ReplayMismatch } from "../replay/mismatch.js";
import { ulpsApart } from "../sweep/spread.js";
import { outside, type OutsideDraw } from "../tape/outside.js";
import { placeOf } from "../tape/sites.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind } from "../trace/trace.js";
import { codeText } from "./code-name.js";
import { comparison, numberOf, short, ulpText, where } from "./contract-words.js";
import type { Kept } from "./kept.js";
import type { Region, StepObserver } from "./regions.js";
import type { RowDifference } from "./replay-step.js";
import { replayStates, stateTime } from "./running-state.js";

/** Mismatches kept for a report; further ones are counted. */
const MOST = 50;

/** What one step did when it first ran. */
interface FirstRun {
  /** primals by node of the step */
  values: Float64Array;
  arrays: Map<number, Fingerprint>;
  decisions: readonly [number, number];
  draws: readonly [number, number];
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

export class Contract implements StepObserver {
  readonly mismatches: ReplayMismatch[] = [];
  /** mismatches beyond those kept */
  more = 0;
  readonly counts: ContractCounts = { replays: 0, values: 0, decisions: 0, draws: 0 };
  /** random numbers and clocks from outside that replayed steps asked for, whatever they gave */
  readonly outsideDraws: OutsideDraw[] = [];
  private readonly runs: FirstRun[][] = [];

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
      values: new Float64Array(0),
      arrays: new Map(),
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
    run.values = new Float64Array(end - first);
    for (let v = first; v < end; v++) {
      const array = recorder.tape.arrays.valueOf(v);
      if (array === null) run.values[v - first] = recorder.tape.valueAt(v);
      else run.arrays.set(v, fingerprint(array.data));
    }
  }

  private drawnNow: OutsideDraw[] = [];

  replayBegins(region: Region, step: number, replay: Recorder): void {
    replayStates(replay, this.recorder, this.runs[region.index][step].time);
    const drawn: OutsideDraw[] = (this.drawnNow = []);
    outside.listener = (draw) => drawn.push(draw);
  }

  /** The user's step threw in its replay: another branch may be why. */
  replayFailed(region: Region, step: number, replay: Recorder): void {
    outside.listener = null;
    const decision = this.decision(region, step, replay, false);
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
    outside.listener = null;
    const run = this.runs[region.index][step];
    const { counts } = this;
    counts.replays++;
    counts.decisions += run.decisions[1] - run.decisions[0];
    counts.draws += run.draws[1] - run.draws[0];
    this.outsideDraws.push(...this.drawnNow.slice(0, MOST));
    const structural = difference !== null && difference.kind !== "constant";
    const value = this.value(region, step, first, Math.min(end, this.recorder.tape.length), replay);
    const decision = this.decision(region, step, replay, true);
    const cause =
      this.outsideDraw(region, step, value !== null || difference !== null) ??
      this.draw(region, step, replay) ??
      (difference === null || decision !== null
        ? null
        : this.fromOutside(region, step, replay, difference)) ??
      this.follows(value, decision !== null);
    // a branch is taken for a reason, and is what a reader wants to hear of first
    const found = [decision, cause].filter((one) => one !== null);
    for (const one of found) this.keep(one);
    if (found.length > 0 && (!this.goOn || structural)) throw this.failure(found[0]);
  }

  /** A value that no draw and no constant of its own step explains follows from a branch, or what went wrong before. */
  private follows(value: ReplayMismatch | null, branched: boolean): ReplayMismatch | null {
    const before = this.mismatches.find(({ point }) => point !== "decision");
    if (value === null || value.point !== "write") return value;
    if (branched) return null;
    return before === undefined ? value : { ...value, point: before.point };
  }

  /** The counts, and how often running states were updated. */
  report(): ContractCounts & { readonly stateUpdates: number } {
    return { ...this.counts, stateUpdates: stateTime(this.recorder) };
  }

  private keep(one: ReplayMismatch): void {
    if (this.mismatches.length < MOST) this.mismatches.push(one);
    else this.more++;
  }

  private failure({ message, site }: ReplayMismatch): BacksweepError {
    return new BacksweepError("replay", message, site);
  }

  /** Predicates in the order in which they were asked. `whole`: the replay has come to its end. */
  private decision(region: Region, step: number, replay: Recorder, whole: boolean): ReplayMismatch | null {
    const was = this.recorder.decisions;
    const is = replay.decisions;
    const [from, end] = this.runs[region.index][step].decisions;
    const count = end - from;
    for (let i = 0; i < Math.min(count, is.at.length); i++) {
      const same = was.op[from + i] === is.op[i] && was.site.at(from + i) === is.site.at(i);
      if (same && was.outcome.at(from + i) === is.outcome.at(i)) continue;
      const before = comparison(was, from + i);
      const now = comparison(is, i);
      const site = was.site.at(from + i);
      const asked = same
        ? `${now.condition} is ${now.outcome} (${now.operands}) and was ${before.outcome} in the first run (${before.operands})`
        : `it asks ${now.condition} where the first run asked ${before.condition}`;
      return {
        ...this.about(region, step, "decision", -1, site),
        message: `the replay of ${where(region, step)} takes another branch: ${asked}`,
        first: before.left,
        replay: now.left,
        ulps: same ? ulpsApart(now.left, before.left, "f64") : null,
      };
    }
    if (!whole || is.at.length === count) return null;
    const site = is.at.length > count ? is.site.at(count) : was.site.at(from + is.at.length);
    return {
      ...this.about(region, step, "decision", -1, site),
      message: `the replay of ${where(region, step)} makes ${is.at.length} decisions, the first run made ${count}: a loop runs another number of times`,
      first: count,
      replay: is.at.length,
    };
  }

  private outsideDraw(region: Region, step: number, differs: boolean): ReplayMismatch | null {
    const was = this.runs[region.index][step].outside;
    const is = this.drawnNow;
    // a clock that is only looked at changes nothing
    if (!differs && !this.goOn) return null;
    for (let i = 0; i < Math.max(was.length, is.length); i++) {
      const before = was[i] as OutsideDraw | undefined;
      const now = is[i] as OutsideDraw | undefined;
      if (before?.what === now?.what && Object.is(before?.value, now?.value)) continue;
      const { what, site } = (now ?? before)!;
      const told = (draw: OutsideDraw | undefined): string =>
        draw === undefined ? "nothing" : Number.isNaN(draw.value) ? "something" : numberText(draw.value);
      return {
        ...this.about(region, step, "random", -1, site),
        message: `${what} gives ${told(now)} in the replay of ${where(region, step)} and gave ${told(before)} in the first run (draw ${i + 1} of the step): use random() of the graph's own stream, or take the value outside the step`,
        first: numberOf(before),
        replay: numberOf(now),
        index: i,
      };
    }
    return null;
  }

  private draw(region: Region, step: number, replay: Recorder): ReplayMismatch | null {
    const was = this.recorder.draws;
    const [from, end] = this.runs[region.index][step].draws;
    const count = end - from;
    const drawn = replay.draws.value.length;
    for (let i = 0; i < Math.max(count, drawn); i++) {
      const before = i < count ? was.value.at(from + i) : null;
      const now = i < drawn ? replay.draws.value.at(i) : null;
      if (Object.is(before, now)) continue;
      const site = now === null ? was.site.at(from + i) : replay.draws.site.at(i);
      const told = (x: number | null): string => (x === null ? "nothing" : numberText(x));
      return {
        ...this.about(region, step, "random", -1, site),
        message: `draw ${i + 1} of ${where(region, step)} is ${told(now)} in the replay and was ${told(before)} in the first run`,
        first: before,
        replay: now,
        index: i,
      };
    }
    return null;
  }

  /** A row of the replay that is another than the first run's, where no decision and no draw explains it. */
  private fromOutside(
    region: Region,
    step: number,
    replay: Recorder,
    { kind, node, site, text, first, now, array }: RowDifference,
  ): ReplayMismatch {
    const rounded = kind === "constant" && replay.round !== this.recorder.round;
    const point: ContractPoint = rounded ? "format" : array ? "write" : "state";
    const expression = placeOf(site)?.expression;
    const at = expression === undefined ? text : `${text} ("${short(expression)}")`;
    const hint = rounded
      ? "the replay rounds to another format"
      : array
        ? "an array the step reads was written to between the runs"
        : "a variable outside the step has changed since, such as one that every run updates: pass it on in the state, or keep it in a runningState(...)";
    const message =
      kind === "constant"
        ? `the replay of ${where(region, step)} reads another constant at ${at}: ${numberText(now)}, in the first run ${numberText(first)}; ${hint}`
        : `${where(region, step)} is replayed as another program: ${text}; a step must do the same whenever it runs`;
    return {
      ...this.about(region, step, point, node, site),
      message,
      ...(kind === "constant" ? { first, replay: now, ulps: ulpsApart(now, first, "f64") } : {}),
    };
  }

  /** The first node whose primal is another. */
  private value(
    region: Region,
    step: number,
    first: number,
    end: number,
    replay: Recorder,
  ): ReplayMismatch | null {
    // an inverse gives the state back up to rounding: what it is off by is reported by itself
    if (region.kind === SegmentKind.coupling) return null;
    const { tape } = this.recorder;
    const run = this.runs[region.index][step];
    this.counts.values += end - first;
    for (let v = first; v < end; v++) {
      const print = run.arrays.get(v);
      if (print === undefined) {
        const now = tape.valueAt(v);
        const before = run.values[v - first];
        if (Object.is(now, before)) continue;
        return this.otherValue(region, step, v, before, now, -1, replay);
      }
      const array = tape.arrays.valueOf(v);
      const now = array === null ? null : fingerprint(array.data);
      if (now !== null && now[0] === print[0] && now[1] === print[1]) continue;
      const elements = this.kept(v)?.data ?? [];
      let i = 0;
      while (i < elements.length && Object.is(elements[i], array?.data[i])) i++;
      const known = i < elements.length && array !== null;
      return this.otherValue(
        region,
        step,
        v,
        known ? elements[i] : null,
        known ? array.data[i] : null,
        known ? i : -1,
        replay,
      );
    }
    return null;
  }

  private otherValue(
    region: Region,
    step: number,
    node: number,
    first: number | null,
    now: number | null,
    index: number,
    replay: Recorder,
  ): ReplayMismatch {
    const { tape, round } = this.recorder;
    const site = tape.siteAt(node);
    const expression = placeOf(site)?.expression;
    const what =
      expression === undefined ? `${codeText(tape, node)} (node ${node})` : `"${short(expression)}"`;
    const ulps = first === null || now === null ? null : ulpsApart(now, first, "f64");
    const element = index < 0 ? "" : `element ${index} of `;
    const values =
      first === null || now === null
        ? "its elements are others; the first run's are no longer held"
        : `${numberText(now)}, in the first run ${numberText(first)} (${ulpText(ulps!)})`;
    const point: ContractPoint = replay.round !== round ? "format" : "write";
    return {
      ...this.about(region, step, point, node, site),
      message: `the replay of ${where(region, step)} computes another value: ${element}${what}: ${values}`,
      first,
      replay: now,
      ulps,
      index,
    };
  }

  private about(
    region: Region,
    step: number,
    point: ContractPoint,
    node: number,
    site: number,
  ): Omit<ReplayMismatch, "message"> {
    return { point, region: region.name, step, node, site, first: null, replay: null, ulps: null, index: -1 };
  }
}

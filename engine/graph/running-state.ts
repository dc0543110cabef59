/** `runningState(initial)`: statistics a graph keeps beside its values, saved and restored round replays. */
import { activeRecorder, type Recorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { idOf, isTraced, primal, type Operand } from "../tape/traced.js";
import { noMore } from "./arguments.js";
import type { Widened } from "./chain.js";
import type { ChainState } from "./state.js";
import { formOf } from "./state.js";

export interface RunningState<S> {
  /**
   * The value as it stands: within a graph what the last `update` of this recording left; in a replay of a step what it
   * was when the step first ran. A copy, without derivative. Outside a graph the value the last recording left.
   */
  get(): S;
  /**
   * Sets the value. No derivative flows through it: a traced number or tensor leaves its primal, and the cut is noted.
   * Outside a graph this is the value from which recordings start from then on.
   */
  update(next: S): void;
}

interface Version {
  readonly at: number;
  readonly value: unknown;
}

/** What one recording did to running states, or one replay of a step beside the recording it belongs to. */
class StateLog {
  /** updates so far, of all states: the time of a version */
  clock = 0;
  private readonly versions = new Map<object, Version[]>();

  /** @param below a replay sees the recording as it was at this time */
  constructor(private readonly below: { readonly log: StateLog; readonly at: number } | null) {}

  /** The version that was current at a time; undefined: none yet. */
  find(state: object, at: number): Version | undefined {
    const list = this.versions.get(state) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (list[middle].at < at) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? list[low - 1] : this.below?.log.find(state, this.below.at);
  }

  push(state: object, value: unknown): void {
    const list = this.versions.get(state);
    const version = { at: this.clock++, value };
    if (list === undefined) this.versions.set(state, [version]);
    else if (this.keep) list.push(version);
    else list[0] = version;
  }

  /** earlier versions are kept: a step may be replayed */
  keep = false;

  get isReplay(): boolean {
    return this.below !== null;
  }
}

const logs = new WeakMap<Recorder, StateLog>();

function logOf(recorder: Recorder): StateLog {
  let log = logs.get(recorder);
  if (log === undefined) logs.set(recorder, (log = new StateLog(null)));
  return log;
}

/** The time in a recording, to which a replay goes back; from here on what was before is kept. */
export function stateTime(recorder: Recorder): number {
  const log = logOf(recorder);
  log.keep = true;
  return log.clock;
}

/** Lets a replay see running states as they were at a time of its recording; what it updates is its own. */
export function replayStates(replay: Recorder, recorder: Recorder, at: number): void {
  logs.set(replay, new StateLog({ log: logOf(recorder), at }));
}

/** The same without handles: numbers, plain tensors, arrays and records of them. */
function plain(value: unknown, site: number): unknown {
  if (isTraced(value)) {
    noteCut(idOf(value), site);
    return primal(value as unknown as Operand);
  }
  if (isTensor(value)) {
    if (Tensor.tape(value) !== null) noteCut(Tensor.id(value), site);
    const { shape, data } = Tensor.value(value);
    return new Tensor({ shape, data: Float64Array.from(data) });
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, site));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, site)]));
}

function noteCut(node: number, site: number): void {
  activeRecorder()?.note(
    "cut",
    node,
    site,
    "runningState: kept as a running statistic, no derivative flows through it",
    true,
  );
}

/**
 * Statistics that a graph keeps beside its values, such as the running mean of a normalisation. Under a schedule a step
 * may run several times; the state is updated once, and every replay reads what the first run read. Each recording starts
 * from the same value, so that a check that records many times sees one function: to go on from where a recording left
 * off, call `state.update(state.get())` behind it.
 *
 * @param initial a number, a plain tensor, an array or a record of these; updates keep its form
 * @throws BacksweepError `definition` for a value of another kind
 */
export function runningState<S extends ChainState>(
  initial: S,
  ...surplus: never[]
): RunningState<Widened<S>> {
  noMore("runningState(initial)", surplus);
  const check = (value: unknown): unknown => {
    const { site } = call;
    formOf(value, "runningState: the value", site);
    return plain(value, site);
  };
  let base = check(initial);
  let last = base;
  const state: RunningState<Widened<S>> = {
    get() {
      const recorder = activeRecorder();
      const held =
        recorder === null ? last : (logOf(recorder).find(state, Infinity) ?? { value: base }).value;
      return plain(held, -1) as Widened<S>;
    },
    update(next) {
      const value = check(next);
      const recorder = activeRecorder();
      if (recorder === null) {
        base = last = value;
        return;
      }
      const log = logOf(recorder);
      log.push(state, value);
      if (!log.isReplay) last = value;
    },
  };
  return state;
}

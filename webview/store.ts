/** The view's state in one place. Changes go through `update`; views are told with the state before and after. */
import type { FailureView, HostMessage, Mode, Tab } from "../engine/protocol.js";
import type { SweepModel } from "./model/sweep-model.js";

export interface AppState {
  readonly model: SweepModel | null;
  readonly step: number;
  readonly mode: Mode;
  /** selected node, -1: the inspector follows the step */
  readonly selected: number;
  /** steps a second */
  readonly speed: number;
  readonly playing: boolean;
  readonly running: boolean;
  /** the graph that is being run, where it is known */
  readonly runningGraph: string | null;
  readonly stale: boolean;
  /** what a debug session has changed in the sweep on screen, null: nothing */
  readonly whatIf: string | null;
  readonly failure: FailureView | null;
  /** on screen is what the failed run recorded, not the last good sweep */
  readonly partial: boolean;
  readonly empty: Pick<HostMessage & { type: "empty" }, "reason" | "detail"> | null;
  /** an internal error of the view itself */
  readonly broken: string | null;
  /** that error stopped the drawing half-way: parts of the page may be of the state before */
  readonly torn: boolean;
  readonly help: boolean;
  /** steps at which a breakpoint of the editor would stop the sweep on screen, ascending */
  readonly breakpoints: readonly number[];
  /** which picture of the sweep is in front */
  readonly tab: Tab;
  /** how often a command asked for schedules to be measured */
  readonly measure: number;
}

export const initialState: AppState = {
  model: null,
  step: 0,
  mode: "sum",
  selected: -1,
  speed: 1,
  playing: false,
  running: false,
  runningGraph: null,
  stale: false,
  whatIf: null,
  failure: null,
  partial: false,
  empty: null,
  broken: null,
  torn: false,
  help: false,
  breakpoints: [],
  tab: "graph",
  measure: 0,
};

export type Listener = (state: AppState, before: AppState) => void;

export class Store {
  private current: AppState = initialState;
  private readonly listeners: Listener[] = [];

  get state(): AppState {
    return this.current;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  update(change: Partial<AppState>): void {
    const before = this.current;
    const keys = Object.keys(change) as (keyof AppState)[];
    if (keys.every((key) => Object.is(before[key], change[key]))) return;
    this.current = { ...before, ...change };
    for (const listener of this.listeners) listener(this.current, before);
  }

  /** Moves the index, kept within the sweep on screen. */
  goTo(step: number, change: Partial<AppState> = {}): void {
    const model = change.model ?? this.current.model;
    const steps = model === null ? 0 : model.timeline(change.mode ?? this.current.mode).steps;
    this.update({ ...change, step: Math.max(0, Math.min(steps, Math.round(step))) });
  }
}

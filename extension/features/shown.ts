/** The sweep on screen as the language features see it, with what they derive from it; told of every change. */
import * as vscode from "vscode";
import type { Mode, SweepView } from "../../engine/protocol.js";
import { isLastWriterWins } from "../../engine/report/overwrites.js";
import { SiteIndex } from "../../engine/report/site-index.js";
import { useIndex, type UseIndex } from "../../engine/sweep/paths.js";
import { Timeline } from "../../engine/timeline/timeline.js";
import type { Trace } from "../../engine/trace/trace.js";

/** another sweep is on screen, or the same one with the other way of adding up; its age, a run, or the user's place in it changed */
export type Change = "sweep" | "stale" | "running" | "moved";

/** What the host's view tells. */
export interface Screen {
  readonly onDidChange: vscode.Event<Change>;
  readonly sweep: SweepView | null;
  /** the sweep is older than the text */
  readonly isStale: boolean;
  readonly isRunning: boolean;
  /** which graph is run, null where it is not known yet */
  readonly runningGraph: string | null;
  /** what a debug session has changed in the sweep, null: nothing */
  readonly whatIf: string | null;
  /** the last run failed, and why */
  readonly failed: string | null;
  /** which of its two sweeps the panel shows, null where there is none */
  readonly mode: Mode | null;
  /** node selected in the panel, -1 for none */
  readonly selected: number;
  /** step the user is at, null where nobody has moved yet */
  readonly step: number | null;
}

/** A sweep as the panel shows it, with its indices, each made when first asked for. */
export class ShownSweep {
  private timelineMade: Timeline | null = null;
  private rightMade: Timeline | null = null;
  private indexMade: SiteIndex | null = null;
  private usesMade: UseIndex | null = null;
  /** the trace whose cotangents are shown */
  readonly trace: Trace;
  /** who added up wrongly: "last writer wins", or the engine that is audited; null: this is the right sweep */
  readonly wrong: string | null;
  /** beside a wrong sweep the right one; null where it was not kept */
  private readonly truth: Trace | null;

  constructor(
    readonly view: SweepView,
    mode: Mode,
  ) {
    const { trace, counterpart, foreign } = view;
    const ownIsWrong = isLastWriterWins(trace);
    const [sum, lost] = ownIsWrong ? [counterpart, trace] : [trace, counterpart];
    this.trace = (mode === "sum" ? (sum ?? lost) : (lost ?? sum))!;
    const wrong = this.trace !== sum && this.trace.header.complete;
    this.wrong = wrong ? (foreign ?? "last writer wins") : null;
    this.truth = wrong ? sum : null;
  }

  get timeline(): Timeline {
    return (this.timelineMade ??= new Timeline(this.trace));
  }

  get right(): Timeline | null {
    return this.truth && (this.rightMade ??= new Timeline(this.truth));
  }

  get index(): SiteIndex {
    return (this.indexMade ??= new SiteIndex(this.trace));
  }

  get uses(): UseIndex {
    return (this.usesMade ??= useIndex(this.trace));
  }
}

/** Keeps one `ShownSweep` as long as its sweep is on screen in the same mode. */
export class Shown implements vscode.Disposable {
  private known: ShownSweep | null = null;
  private mode: Mode | null = null;
  private readonly changed = new vscode.EventEmitter<Change>();
  private readonly listener: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(readonly screen: Screen) {
    // the features are told after what they share was thrown away
    this.listener = screen.onDidChange((change) => {
      if (change === "sweep" && this.known?.view !== screen.sweep) this.known = null;
      const other = change === "moved" && this.known !== null && screen.mode !== this.mode;
      this.changed.fire(other ? "sweep" : change);
    });
  }

  get sweep(): ShownSweep | null {
    const { sweep, mode } = this.screen;
    if (sweep === null) return null;
    if (this.known?.view !== sweep || this.mode !== mode) this.known = new ShownSweep(sweep, mode ?? "sum");
    this.mode = mode;
    return this.known;
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** The sweep on screen as the language features see it, with what they derive from it; told of every change. */
import * as vscode from "vscode";
import type { SweepView } from "../../engine/protocol.js";
import { SiteIndex } from "../../engine/report/site-index.js";
import { useIndex, type UseIndex } from "../../engine/sweep/paths.js";
import { Timeline } from "../../engine/timeline/timeline.js";
import type { Trace } from "../../engine/trace/trace.js";

/** another sweep is on screen; its age, a run, or the user's place in it changed */
export type Change = "sweep" | "stale" | "running" | "moved";

/** What the host's view tells. */
export interface Screen {
  readonly onDidChange: vscode.Event<Change>;
  readonly sweep: SweepView | null;
  /** the sweep is older than the text */
  readonly isStale: boolean;
  readonly isRunning: boolean;
  /** the last run failed, and why */
  readonly failed: string | null;
  /** node selected in the panel, -1 for none */
  readonly selected: number;
  /** step the user is at, null where nobody has moved yet */
  readonly step: number | null;
}

/** A sweep with its indices, each made when first asked for. */
export class ShownSweep {
  private timelineMade: Timeline | null = null;
  private indexMade: SiteIndex | null = null;
  private usesMade: UseIndex | null = null;

  constructor(readonly view: SweepView) {}

  get trace(): Trace {
    return this.view.trace;
  }

  get timeline(): Timeline {
    return (this.timelineMade ??= new Timeline(this.trace));
  }

  get index(): SiteIndex {
    return (this.indexMade ??= new SiteIndex(this.trace));
  }

  get uses(): UseIndex {
    return (this.usesMade ??= useIndex(this.trace));
  }
}

/** Keeps one `ShownSweep` as long as its sweep is on screen. */
export class Shown implements vscode.Disposable {
  private known: ShownSweep | null = null;
  private readonly changed = new vscode.EventEmitter<Change>();
  private readonly listener: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(readonly screen: Screen) {
    // the features are told after what they share was thrown away
    this.listener = screen.onDidChange((change) => {
      if (change === "sweep" && this.known?.view !== screen.sweep) this.known = null;
      this.changed.fire(change);
    });
  }

  get sweep(): ShownSweep | null {
    const { sweep } = this.screen;
    if (sweep === null) return null;
    if (this.known?.view !== sweep) this.known = new ShownSweep(sweep);
    return this.known;
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** Where the user is in the sweep on screen: kept for whole sweeps, gone with a recording that stopped. No editor here. */
import { join } from "node:path";
import type { Mode, SweepView, ViewState } from "../engine/protocol.js";
import { isLastWriterWins } from "../engine/report/overwrites.js";
import type { Trace } from "../engine/trace/trace.js";
import { Remembered, type Position } from "./remembered.js";

export class Standing {
  private readonly remembered: Remembered;
  /** in a recording that stopped; it says nothing about the sweep that may follow it */
  private stopped: Position | null = null;

  /** `folder`: where the extension may keep files for this workspace, null: nowhere; `failed` is told what goes wrong there. */
  constructor(folder: string | null, failed: (error: unknown) => void) {
    this.remembered = new Remembered(folder === null ? null : join(folder, "positions.json"), failed);
  }

  /** Step, mode and selection in a sweep, null where nobody has moved in it yet. */
  in(sweep: SweepView | null): Position | null {
    if (sweep === null) return null;
    return sweep.trace.header.complete ? (this.remembered.get(keyOf(sweep)) ?? null) : this.stopped;
  }

  /** The same, or where a sweep that nobody has moved in begins. */
  orStart(sweep: SweepView): Position {
    const { trace } = sweep;
    const step = trace.header.complete ? 0 : trace.events.n;
    return this.in(sweep) ?? { step, mode: modeOf(trace), selected: -1 };
  }

  put(sweep: SweepView, position: Position): void {
    if (sweep.trace.header.complete) this.remembered.set(keyOf(sweep), position);
    else this.stopped = position;
  }

  /** A sweep of the same graph that was run the other way is looked at the other way, as the one before it was. */
  follow(before: SweepView | null, now: SweepView): void {
    const position = this.in(now);
    if (before === null || position === null || keyOf(before) !== keyOf(now)) return;
    const [was, is] = [modeOf(before.trace), modeOf(now.trace)];
    if (was !== is && position.mode === was) this.put(now, { ...position, mode: is });
  }

  /** Another sweep is on screen. */
  leave(): void {
    this.stopped = null;
  }

  /** Takes over where the user was, for a sweep yet to be shown. */
  async restore(key: string, state: ViewState): Promise<void> {
    await this.remembered.load();
    this.remembered.merge(key, state);
  }

  /** What the view kept counts where nothing is known (after a reload). */
  learn(state: ViewState): void {
    if (this.remembered.get(keyOf(state)) === undefined) this.remembered.merge(keyOf(state), state);
  }
}

/** Which way of adding up a trace was swept by. */
export function modeOf(trace: Trace): Mode {
  return isLastWriterWins(trace) ? "last-writer-wins" : "sum";
}

export function keyOf({ uri, graph }: { readonly uri: string; readonly graph: string }): string {
  return `${uri}#${graph}`;
}

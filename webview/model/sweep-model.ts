/** One sweep in both modes: which timeline is on screen, which is the truth, and what is drawn. */
import { Timeline } from "../../engine/timeline/timeline.js";
import { useIndex, type UseIndex } from "../../engine/sweep/paths.js";
import { isLastWriterWins } from "../../engine/report/overwrites.js";
import { cotangent, same, type Quantity } from "../../engine/report/quantity.js";
import type { Layout } from "../../engine/layout/layout.js";
import type { Mode, SweepView } from "../../engine/protocol.js";

/** A sweep whose nodes have places. */
export interface DrawnSweep extends SweepView {
  readonly positions: Layout;
}

export class SweepModel {
  readonly view: DrawnSweep;
  private readonly sum: Timeline | null;
  private readonly wrong: Timeline | null;
  private index: UseIndex | null = null;

  constructor(view: DrawnSweep) {
    this.view = view;
    const main = new Timeline(view.trace);
    const other = view.counterpart === null ? null : new Timeline(view.counterpart);
    const mainIsWrong = isLastWriterWins(view.trace);
    this.sum = mainIsWrong ? other : main;
    this.wrong = mainIsWrong ? main : other;
  }

  /** The mode a view of this sweep starts in: what was run. */
  get nativeMode(): Mode {
    return isLastWriterWins(this.view.trace) ? "last-writer-wins" : "sum";
  }

  has(mode: Mode): boolean {
    return (mode === "sum" ? this.sum : this.wrong) !== null;
  }

  /** The timeline of a mode; where that one was not sent, the other. */
  timeline(mode: Mode): Timeline {
    return (mode === "sum" ? (this.sum ?? this.wrong) : (this.wrong ?? this.sum))!;
  }

  /** The sweep that adds up, if it was sent. */
  get truth(): Timeline | null {
    return this.sum;
  }

  /** The cotangent of the sweep that adds up, where a node is final in this one with another; else undefined. */
  rightOf(timeline: Timeline, node: number, position: number): Quantity | undefined {
    if (this.sum === null || timeline === this.sum || !timeline.isFinal(node, position)) return undefined;
    const right = cotangent(this.sum, node);
    return same(right, cotangent(timeline, node)) ? undefined : right;
  }

  get lastWriterWins(): Timeline | null {
    return this.wrong;
  }

  /** Uses of every node, made once when first asked for. */
  get uses(): UseIndex {
    return (this.index ??= useIndex(this.view.trace));
  }
}

/** Looks for the next place in a direction at which a breakpoint holds, in slices, so that it can be interrupted. */
import type { Debuggee } from "../debuggee.js";
import type { Direction, Spot } from "../cursor.js";
import type { Breakpoint } from "./breakpoint.js";
import { firstFrom } from "./places.js";

export interface Hit extends Spot {
  readonly breakpoints: readonly Breakpoint[];
  readonly problem: string | null;
}

/** Condition evaluations in one slice. */
const SLICE = 2_000;

export class Scan {
  private readonly at: number[];

  /**
   * Places strictly beyond `from` in the direction, up to and including `to`.
   *
   * @param log takes what log points write, in the order they are passed
   */
  constructor(
    private readonly debuggee: Debuggee,
    private readonly breakpoints: readonly Breakpoint[],
    from: number,
    private readonly to: number,
    private readonly direction: Direction,
    private readonly log: (breakpoint: Breakpoint, text: string, spot: Spot) => void,
  ) {
    this.at = breakpoints.map(({ places }) =>
      direction === 1 ? firstFrom(places, from + 1) : firstFrom(places, from) - 1,
    );
  }

  /** Where the scan has come to: the position of the place it looks at next. */
  get reached(): number {
    return this.nearest() ?? this.to;
  }

  /** The next hit, null when there is none, "more" when the slice is over. */
  slice(): Hit | null | "more" {
    for (let tried = 0; tried < SLICE; tried++) {
      const position = this.nearest();
      if (position === null) return null;
      const hit = this.visit(position);
      if (hit !== null) return hit;
    }
    return "more";
  }

  /** The nearest place's position, null beyond the end. */
  private nearest(): number | null {
    let best: number | null = null;
    this.breakpoints.forEach(({ places }, i) => {
      const at = this.at[i];
      if (at < 0 || at >= places.n) return;
      const position = places.position[at];
      if (best === null || (this.direction === 1 ? position < best : position > best)) best = position;
    });
    if (best === null) return null;
    return (this.direction === 1 ? best > this.to : best < this.to) ? null : best;
  }

  /** Everything that has a place at this position. */
  private visit(position: number): Hit | null {
    const stopping: Breakpoint[] = [];
    let focus = -1;
    let problem: string | null = null;
    this.breakpoints.forEach((breakpoint, i) => {
      const { places } = breakpoint;
      for (; places.position[this.at[i]] === position; this.at[i] += this.direction) {
        const index = this.at[i];
        const verdict = breakpoint.verdict(this.debuggee, index);
        if (verdict.kind === "log")
          this.log(breakpoint, verdict.text, { position, focus: places.focus[index] });
        if (verdict.kind !== "stop") continue;
        if (focus < 0) focus = places.focus[index];
        problem ??= verdict.problem;
        if (!stopping.includes(breakpoint)) stopping.push(breakpoint);
      }
    });
    return stopping.length === 0 ? null : { position, focus, breakpoints: stopping, problem };
  }
}

/** Where breakpoints stop, as marks on a scrub bar: the steps at which some of them hold. */
import type { Debuggee } from "../debuggee.js";
import type { Breakpoint } from "./breakpoint.js";

/** Conditions that are evaluated for the marks; a scrub bar is no reason to keep the editor waiting. */
const MOST_EVALUATED = 5_000;
/** A scrub bar has no more places than this to tell apart. */
const MOST_MARKS = 1_000;

/**
 * Steps at which a breakpoint stops, ascending, each once. Of very many one in each of a thousand equal stretches of the
 * timeline is given; log points and conditions that fail stop nowhere.
 */
export function markedSteps(debuggee: Debuggee, breakpoints: readonly Breakpoint[]): number[] {
  const { steps } = debuggee.timeline;
  const stretch = Math.max(1, steps / MOST_MARKS);
  const marks = new Map<number, number>();
  let evaluated = 0;
  for (const breakpoint of breakpoints) {
    const { n, position } = breakpoint.places;
    for (let i = 0; i < n; i++) {
      const at = Math.floor(position[i] / stretch);
      if (marks.has(at)) continue;
      if (!breakpoint.always && (++evaluated > MOST_EVALUATED || !stops(breakpoint, debuggee, i))) continue;
      marks.set(at, position[i]);
    }
  }
  return Array.from(marks.values()).sort((a, b) => a - b);
}

function stops(breakpoint: Breakpoint, debuggee: Debuggee, index: number): boolean {
  return breakpoint.verdict(debuggee, index).kind === "stop";
}

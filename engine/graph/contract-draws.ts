/** The replay contract's second point: draws of a replay against those of the first run. */
import type { Recorder } from "../ops/recorder.js";
import { numberText, type ReplayMismatch } from "../replay/mismatch.js";
import type { OutsideDraw } from "../tape/outside.js";
import type { RowRange } from "./contract-decisions.js";
import { about, numberOf, where, type Replayed } from "./contract-words.js";

/** The first draw from the graph's own stream that gave something else; null: none. */
export function otherDraw(
  what: Replayed,
  { draws: was }: Recorder,
  { draws: is }: Recorder,
  [from, end]: RowRange,
): ReplayMismatch | null {
  const count = end - from;
  const drawn = is.value.length;
  for (let i = 0; i < Math.max(count, drawn); i++) {
    const before = i < count ? was.value.at(from + i) : null;
    const now = i < drawn ? is.value.at(i) : null;
    if (Object.is(before, now)) continue;
    const site = now === null ? was.site.at(from + i) : is.site.at(i);
    const told = (x: number | null): string => (x === null ? "nothing" : numberText(x));
    return {
      ...about(what, "random", -1, site),
      message: `draw ${i + 1} of ${where(what)} is ${told(now)} in the replay and was ${told(before)} in the first run`,
      first: before,
      replay: now,
      index: i,
    };
  }
  return null;
}

/** The first random number or clock from elsewhere that gave something else; null: none. */
export function otherOutsideDraw(
  what: Replayed,
  was: readonly OutsideDraw[],
  is: readonly OutsideDraw[],
): ReplayMismatch | null {
  for (let i = 0; i < Math.max(was.length, is.length); i++) {
    const before = was[i] as OutsideDraw | undefined;
    const now = is[i] as OutsideDraw | undefined;
    if (before?.what === now?.what && Object.is(before?.value, now?.value)) continue;
    const { what: call, site } = (now ?? before)!;
    const told = (draw: OutsideDraw | undefined): string =>
      draw === undefined ? "nothing" : Number.isNaN(draw.value) ? "something" : numberText(draw.value);
    return {
      ...about(what, "random", -1, site),
      message: `${call} gives ${told(now)} in the replay of ${where(what)} and gave ${told(before)} in the first run (draw ${i + 1} of the step): use random() of the graph's own stream, or take the value outside the step`,
      first: numberOf(before),
      replay: numberOf(now),
      index: i,
    };
  }
  return null;
}

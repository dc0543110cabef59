/** The replay contract's fourth point: predicates of a replay against those of the first run, in the order they were asked. */
import type { Recorder } from "../ops/recorder.js";
import type { ReplayMismatch } from "../replay/mismatch.js";
import { ulpsApart } from "../sweep/spread.js";
import { about, comparison, where, type Replayed } from "./contract-words.js";

/** Rows of a recording's decisions or draws: [from, end). */
export type RowRange = readonly [from: number, end: number];

/**
 * The first predicate that is another or has another outcome; null: none.
 *
 * @param range what the first run decided there
 * @param whole the replay has come to its end, so that it must have asked as often
 */
export function otherDecision(
  what: Replayed,
  { decisions: was }: Recorder,
  { decisions: is }: Recorder,
  [from, end]: RowRange,
  whole: boolean,
): ReplayMismatch | null {
  const count = end - from;
  for (let i = 0; i < Math.min(count, is.at.length); i++) {
    const same = was.op[from + i] === is.op[i] && was.site.at(from + i) === is.site.at(i);
    if (same && was.outcome.at(from + i) === is.outcome.at(i)) continue;
    const before = comparison(was, from + i);
    const now = comparison(is, i);
    const asked = same
      ? `${now.condition} is ${now.outcome} (${now.operands}) and was ${before.outcome} in the first run (${before.operands})`
      : `it asks ${now.condition} where the first run asked ${before.condition}`;
    return {
      ...about(what, "decision", -1, was.site.at(from + i)),
      message: `the replay of ${where(what)} takes another branch: ${asked}${hint(what)}`,
      first: before.left,
      replay: now.left,
      ulps: same ? ulpsApart(now.left, before.left, "f64") : null,
    };
  }
  if (!whole || is.at.length === count) return null;
  const site = is.at.length > count ? is.site.at(count) : was.site.at(from + is.at.length);
  return {
    ...about(what, "decision", -1, site),
    message: `the replay of ${where(what)} makes ${is.at.length} decisions, the first run made ${count}: a loop runs another number of times${hint(what)}`,
    first: count,
    replay: is.at.length,
  };
}

function hint({ inverse }: Replayed): string {
  return inverse === undefined
    ? ""
    : "; an inverse gives its operands back up to rounding only, so a layer that decides on them wants another schedule";
}

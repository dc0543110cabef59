/** The user's own frames of an error as they are printed: paths as shown, a recursion in a few lines. */
import { shownPath } from "./paths.js";

/** Frames that repeat over and over: functions that call each other in a ring of at most so many. */
const LONGEST_RING = 4;

function shortFrame(frame: string): string {
  const named = /^at (.+) \((.+?)(:\d+:\d+)\)$/.exec(frame);
  if (named !== null) return `at ${named[1]} (${shownPath(named[2])}${named[3]})`;
  return frame.replace(
    /^at \(?(.+?)(:\d+:\d+)\)?$/,
    (_, path: string, at: string) => `at ${shownPath(path)}${at}`,
  );
}

/** How often the frames from `at` on repeat with this period; 1: they do not. */
function repeats(frames: readonly string[], at: number, period: number): number {
  let end = at + period;
  while (end < frames.length && frames[end] === frames[end - period]) end++;
  return Math.floor((end - at) / period);
}

/** At most `most` lines, innermost first; what repeats stands once, with how often it was seen. */
export function shownFrames(frames: readonly string[], most: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < frames.length && lines.length < most;) {
    let period = 1;
    while (period <= LONGEST_RING && repeats(frames, at, period) < 3) period++;
    if (period > LONGEST_RING) {
      lines.push(shortFrame(frames[at++]));
      continue;
    }
    const times = repeats(frames, at, period);
    lines.push(...frames.slice(at, at + period).map(shortFrame));
    lines.push(`... ${period === 1 ? "" : `these ${period} `}again and again, ${times - 1} times or more`);
    at += times * period;
    // where the ring was broken off
    while (at < frames.length && frames[at] === frames[at - period]) at++;
  }
  return lines.slice(0, most);
}

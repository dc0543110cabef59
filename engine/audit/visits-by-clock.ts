/** Exponential work of a sweep nothing of which can be counted: by the clock, whose least times count: a busy machine only ever adds. */
import type { Growth } from "./visits.js";

/** Runs the sweep over a chain of so many diamonds once; false where it failed. Null where there is no such chain. */
export type Chain = (length: number) => (() => boolean) | null;

const CLOCKED = [12, 16, 20] as const;
/** A polynomial of degree four grows less than this over four diamonds, 2^n by 16. */
const RATIO = 6;
/** Times too short to say anything, and long enough to go no further. */
const SHORT_MS = 3;
const SLOW_MS = 40;
/** Times each chain is run at first, fewer when they take long. */
const TAKEN = 3;
const LONG_MS = 1_000;
/** Rounds in which a suspicion is looked at again, fewer when they take long. */
const ROUNDS = 5;
const ENOUGH_MS = 2_000;

/** Growth of the time, where it is exponential; else null. `clock` gives milliseconds. */
export function byClock(chain: Chain, clock: () => number = () => performance.now()): Growth | null {
  const time = (length: number): number | null => {
    const run = chain(length);
    if (run === null) return null;
    const started = clock();
    return run() ? clock() - started : null;
  };
  const times: number[] = [];
  for (const length of CLOCKED) {
    let best = Infinity;
    let spent = 0;
    for (let k = 0; k < TAKEN && spent < LONG_MS; k++) {
      const taken = time(length);
      if (taken === null) return null;
      best = Math.min(best, taken);
      spent += taken;
    }
    times.push(best);
    // slow and growing already: a longer chain would take for ever
    if (times.length === 2 && best > SLOW_MS && best >= times[0] * RATIO) return confirmed(times, time);
  }
  const [few, more, most] = times;
  if (most < SHORT_MS || most < more * RATIO || more < few * 2) return null;
  return confirmed(times, time);
}

/**
 * The last step again, in turns, the least time of each: a process that had to wait for its machine is no engine that
 * visits too much, and neither hides one.
 */
function confirmed(times: readonly number[], time: (length: number) => number | null): Growth | null {
  const [less, more] = CLOCKED.slice(times.length - 2, times.length);
  let least = Infinity;
  let most = Infinity;
  let spent = 0;
  for (let round = 0; round < ROUNDS && (round === 0 || spent < ENOUGH_MS); round++) {
    const short = time(less);
    const long = time(more);
    if (short === null || long === null) return null;
    least = Math.min(least, short);
    most = Math.min(most, long);
    spent += short + long;
  }
  if (most < SHORT_MS || most < least * RATIO) return null;
  const shown = [...times.slice(0, -2), least, most];
  return {
    diamonds: CLOCKED.slice(0, times.length),
    visits: shown.map((t) => Number(t.toPrecision(3))),
    unit: "ms",
    place: null,
  };
}

/** Bodies timed against each other in one process, by turns. */
import type { Options } from "../options.js";
import { median } from "../stats.js";

/**
 * Median milliseconds of each body, and the medians of their ratios to the first in the same round.
 *
 * @param bodies what to time, each doing some work that it answers a number of
 */
export function byTurns(
  bodies: readonly (() => number)[],
  { rounds, roundMs, warmMs }: Options,
): { ms: number[]; ratios: number[] } {
  let sink = 0;
  const once = (body: () => number, repeats: number): number => {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) sink += body();
    return (performance.now() - start) / repeats;
  };
  const repeats = bodies.map((body) => {
    const end = performance.now() + Math.min(warmMs, 500);
    let took = once(body, 1);
    while (performance.now() < end) took = once(body, Math.max(1, Math.round(2 / took)));
    return Math.max(1, Math.round(roundMs / took));
  });
  const times: number[][] = bodies.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < bodies.length; i++) {
      const k = (i + round) % bodies.length;
      times[k][round] = once(bodies[k], repeats[k]);
    }
  }
  if (Number.isNaN(sink)) sink = 0;
  return {
    ms: times.map(median),
    ratios: times.map((list) => median(list.map((ms, round) => ms / times[0][round]))),
  };
}

/** Timing inside an engine's process. */
import type { Work } from "../engines/engine.js";

/** Keeps results alive, so that no call can be optimised away. */
let sink = 0;

/** Milliseconds of `repeats` calls. */
export async function timeCalls(work: Work, repeats: number): Promise<number> {
  if (work.clocked !== undefined) return work.clocked(repeats);
  const start = performance.now();
  for (let i = 0; i < repeats; i++) {
    const result = work.run();
    if (!(result instanceof Promise)) sink += result.value;
  }
  const end = performance.now();
  if (Number.isNaN(sink)) sink = 0;
  return end - start;
}

/** Milliseconds of one call, over as many calls as fit `budget` milliseconds by the last estimate. */
export class Meter {
  private estimate = 0;

  constructor(private readonly work: Work) {}

  async measure(budget: number): Promise<number> {
    const repeats = this.estimate === 0 ? 1 : Math.max(1, Math.round(budget / this.estimate));
    const took = await timeCalls(this.work, repeats);
    // a clock that did not move in one call only says that many more calls fit
    this.estimate = Math.max(took / repeats, 1e-6);
    return this.estimate;
  }

  /**
   * Calls until the time of one has settled: five measurements without one that is faster by 5 % than all before, or `limit`
   * milliseconds have passed.
   */
  async warm(budget: number, limit: number): Promise<void> {
    const end = performance.now() + limit;
    let fastest = Infinity;
    let settled = 0;
    while (performance.now() < end && settled < 5) {
      const now = await this.measure(budget);
      settled = now < fastest * 0.95 ? 0 : settled + 1;
      fastest = Math.min(fastest, now);
    }
  }
}

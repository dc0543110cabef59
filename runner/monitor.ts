/**
 * The few words of shared memory through which a running worker and the thread that watches it talk while user code
 * keeps the worker's event loop busy. The rewritten code writes `SITE` at every loop turn and function entry and looks
 * at `REQUEST`; everything else is seldom.
 */

/** Global id of the last site reached. */
export const SITE = 0;
/** A request to the rewritten code; 0: go on. */
export const REQUEST = 1;
/** What the worker is busy with, see `Phase`. */
export const PHASE = 2;
/** Kilobytes of heap and arrays at the last sample, above what the realm had before user code ran. */
export const USED_KB = 3;
/** Counts samples taken. */
export const SAMPLES = 4;
export const MONITOR_WORDS = 8;

/** Values of `REQUEST`. The first three end the run; `sample` asks for a look at the memory in use. */
export const Request = { none: 0, deadline: 1, memory: 2, cancel: 3, sample: 4 } as const;

/** Values of `PHASE`. */
export const Phase = { idle: 0, loading: 1, user: 2, sweep: 3, packing: 4 } as const;

export function createMonitor(): Int32Array<SharedArrayBuffer> {
  const monitor = new Int32Array(new SharedArrayBuffer(MONITOR_WORDS * 4));
  monitor[SITE] = -1;
  return monitor;
}

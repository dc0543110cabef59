/**
 * How a run is watched from outside: rewritten code writes the site of every loop turn and function entry to shared
 * memory and looks whether it was asked to stop.
 */
import { BacksweepError } from "../../trace/failure.js";

/** words of the shared memory: last site, request (0: go on) */
const SITE = 0;
const REQUEST = 1;
/** the request that asks for a look at the memory in use, not for the end */
const SAMPLE = 4;

/** In an object of its own, because rewritten code looks at it itself. */
export const monitor: { words: Int32Array } = { words: new Int32Array(8) };
let onSample: (() => void) | null = null;

/** Thrown in user code when it must end; user `catch` clauses let it through. */
export class StopRequest extends BacksweepError {
  constructor(
    readonly request: number,
    site: number,
  ) {
    super(
      request === 1 ? "deadline" : request === 2 ? "memory" : "cancelled",
      "the run was asked to stop",
      site,
    );
  }
}

/** Connects the shared memory of the runner; `sample` is called when the runner asks for it. */
export function connectMonitor(shared: Int32Array, sample: (() => void) | null = null): void {
  monitor.words = shared;
  onSample = sample;
}

/** Notes a place; throws when the run must end. */
export function reach(site: number): void {
  monitor.words[SITE] = site;
  if (monitor.words[REQUEST] !== 0) attend(site);
}

function attend(site: number): void {
  const request = monitor.words[REQUEST];
  if (request === SAMPLE) onSample?.();
  const now = monitor.words[REQUEST];
  if (now !== 0 && now !== SAMPLE) throw new StopRequest(now, site);
}

/** kinds of failure that end a run and are not the user's to handle */
const ends: ReadonlySet<string> = new Set(["deadline", "memory", "cancelled", "exit"]);

/** First statement of every user `catch`: while a stop is asked for, nothing is caught. */
export function rethrow(error: unknown): void {
  if (error instanceof BacksweepError && ends.has(error.kind)) throw error;
  const request = monitor.words[REQUEST];
  if (request !== 0 && request !== SAMPLE) throw new StopRequest(request, monitor.words[SITE]);
}

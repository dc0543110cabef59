/** Which recorder is recording: one at a time, as graph functions nest. */
import { BacksweepError } from "../trace/failure.js";
import type { Recorder } from "./recorder.js";

/**
 * The recorder of the graph function that is running, and the same one as `named` unless it is bare: names and scopes are
 * only made for that. An object, because rewritten code looks at it often.
 */
export const recording: { active: Recorder | null; named: Recorder | null } = { active: null, named: null };

/** The recorder of the graph function that is running, or null. */
export function activeRecorder(): Recorder | null {
  return recording.active;
}

/** The same where names and scopes are kept, else null. */
export function namedRecorder(): Recorder | null {
  return recording.named;
}

/** Makes a recorder the active one while `fn` runs; recordings nest. */
export function withRecorder<T>(recorder: Recorder, fn: () => T): T {
  const { active, named } = recording;
  recording.active = recorder;
  recording.named = recorder.bare ? null : recorder;
  try {
    return fn();
  } finally {
    recording.active = active;
    recording.named = named;
  }
}

/** A handle of another recording was used. */
export function foreign(site: number): BacksweepError {
  return new BacksweepError(
    "definition",
    "a traced number of another graph, or kept from an earlier run, is used here",
    site,
  );
}

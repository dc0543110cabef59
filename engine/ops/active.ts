/** Which recorder is recording: one at a time, as graph functions nest. */
import { BacksweepError } from "../trace/failure.js";
import type { Tape } from "../tape/tape.js";
import type { Lean } from "./lean.js";
import type { Recorder } from "./recorder.js";

/**
 * The recorder of the graph function that is running, and the same one as `named` unless it is bare: names and scopes are
 * only made for that. Where it writes to lean memory, that and the tape its nodes belong to. An object, because rewritten code
 * looks at it often.
 */
export const recording: {
  active: Recorder | null;
  named: Recorder | null;
  lean: Lean | null;
  store: Tape | null;
} = { active: null, named: null, lean: null, store: null };

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
  const { active } = recording;
  activate(recorder);
  try {
    return fn();
  } finally {
    activate(active);
  }
}

function activate(recorder: Recorder | null): void {
  recording.active = recorder;
  recording.named = recorder === null || recorder.bare ? null : recorder;
  lookAgain();
}

/** Looks again whether the recorder that is recording still writes to lean memory. */
export function lookAgain(): void {
  const { active } = recording;
  recording.lean = active === null ? null : active.lean;
  recording.store = active === null ? null : active.store;
}

/** Lean memory is crowded: it grows, or what is recorded moves to the tape. */
export function makeRoom(): void {
  recording.active?.makeRoom();
}

/** A handle of another recording was used. */
export function foreign(site: number): BacksweepError {
  return new BacksweepError(
    "definition",
    "a traced number of another graph, or kept from an earlier run, is used here",
    site,
  );
}

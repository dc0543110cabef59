/**
 * Recordings of which only numbers are asked for: bare, and in the fast memory of the recording room as long as they are
 * scalar, so that the generated sweeps find them where they are.
 */
import { giveKernelsBack, useKernels } from "../ops/array/recorder.js";
import type { Recorder } from "../ops/recorder.js";
import { giveBack, lease, withRecording, type Recording } from "../recording/create.js";
import { leanRoom } from "./lean-room.js";
import type { Segment } from "../tape/tape.js";
import { bareRecorder, record, type Recording as Recorded, type Subject } from "./record.js";

/** Segments of tapes that are done with, for the next: to make one takes a millisecond. */
export const spare: Segment[] = [];
const SPARE_SEGMENTS = 16;

/** Keeps the segments of a recording that is not read any more. */
export function giveSegmentsBack({ store }: Recorder): void {
  spare.push(...store.segments.splice(0, SPARE_SEGMENTS - spare.length));
}

/** A recording, and the fast memory it may stand in. */
export class LeasedRecording {
  constructor(
    readonly recorded: Recorded,
    private readonly leased: Recording | null,
    private readonly given: boolean,
    private readonly kernels: boolean,
  ) {}

  /** True where the generated sweeps can take it: scalar primitives in f64 alone. */
  get simple(): boolean {
    const { recorder } = this.recorded;
    if (recorder.lean !== null) return true;
    return !this.given && recorder.customRules.size === 0 && recorder.store.arrays.size === 0;
  }

  /** Hands a simple recording to a generated sweep; no code of the user's may run in it. */
  swept<T>(use: (t: Recording) => T): T {
    const { recorder } = this.recorded;
    if (recorder.lean !== null) return use(this.leased!);
    const { tape } = recorder;
    return withRecording(tape.length + tape.constants.length, (t) => {
      t.load(tape);
      return use(t);
    });
  }

  /** Gives all memory back: the recording must not be read any more. */
  done(): void {
    const { recorder } = this.recorded;
    recorder.lean = null;
    giveSegmentsBack(recorder);
    if (this.kernels) giveKernelsBack(recorder);
    if (this.leased !== null) giveBack(this.leased);
  }
}

/**
 * Records a graph of which only numbers will be asked for. `done` must follow.
 *
 * @param kernels arrays may lie in the memory of the kernels, which `done` gives back
 * @param make another recorder than the bare one; then nothing is leased
 */
export function recordLeased(subject: Subject, kernels: boolean, make = bareRecorder): LeasedRecording {
  const room = leanRoom(subject.context.limitBytes);
  const bare = make === bareRecorder && subject.settings.dtype === "f64";
  const leased = bare && room !== null ? lease(room.first) : null;
  let made: Recorder | null = null;
  try {
    const recorded = record(
      subject,
      {},
      (tape, round) => {
        made = make(tape, round);
        made.lean = leased;
        made.leanMost = room?.most ?? 0;
        if (kernels) useKernels(made);
        return made;
      },
      spare,
    );
    return new LeasedRecording(recorded, leased, subject.definition.given === true, kernels);
  } catch (error) {
    if (made !== null) {
      (made as Recorder).lean = null;
      if (kernels) giveKernelsBack(made);
    }
    if (leased !== null) giveBack(leased);
    throw error;
  }
}

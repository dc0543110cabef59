/** Who is told of first runs and replays: the replay contract is verified there, and what views show is taken. */
import type { Rounder } from "../ops/dtype.js";
import type { Recorder } from "../ops/recorder.js";
import type { NDArray } from "../tape/ndarray.js";
import type { RowRange } from "./contract-decisions.js";
import type { Replayed } from "./contract-words.js";
import type { Region } from "./regions.js";
import type { RowDifference } from "./replay-step.js";

/** f or g of a layer, and what it decided in its first run. */
export interface Part {
  readonly which: "f" | "g";
  readonly decisions: RowRange;
}

/** Told of every first run and every replay of a step of user code. */
export interface StepObserver {
  /** before and after a step runs for the first time */
  began?(region: Region, step: number): void;
  firstRun?(region: Region, step: number, first: number, end: number): void;
  /** before a step runs again, when user code threw in it, and when it has run: `replay` has its decisions and draws */
  replayBegins?(region: Region, step: number, replay: Recorder): void;
  replayFailed?(region: Region, step: number, replay: Recorder): void;
  replayed?(
    region: Region,
    step: number,
    first: number,
    end: number,
    replay: Recorder,
    /** the first row that is another than the first run's */
    difference: RowDifference | null,
  ): void;
  /** f or g of a layer was evaluated by its inverse, or user code threw in it */
  partReplayed?(
    region: Region,
    step: number,
    part: Part,
    replay: Recorder,
    difference: RowDifference | null,
  ): void;
  partFailed?(region: Region, step: number, part: Part, replay: Recorder): void;
  /** half number `half` of the state before a layer was computed back; `node` -1: it is a constant */
  inverted?(region: Region, step: number, half: number, node: number, value: NDArray): void;
}

/** Told of recorded instructions that are evaluated again. */
export interface InstructionObserver {
  /** nodes below `end` have the primals of the recording */
  recorded(end: number): void;
  /** before instructions are evaluated again, and afterwards: nodes first .. end - 1 have their primals */
  instructionsBegin(): void;
  instructionsReplayed(what: Replayed, first: number, end: number, round: Rounder | null): void;
}

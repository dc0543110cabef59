/** One recording of a graph function without a sweep: what every analysis evaluates, as often as it likes. */
import { rounder, type Rounder } from "../ops/dtype.js";
import { Recorder, withRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { Tape, type Segment } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import type { GraphDefinition } from "./definition.js";
import { makeInputs } from "./inputs.js";
import type { RunSettings } from "./options.js";
import { readOutputs } from "./outputs.js";
import { nameAfter, type RunContext } from "./run.js";
import { seedStream } from "./stream.js";

/** A graph and how it is to be evaluated: what every analysis is about. */
export interface Subject {
  readonly definition: GraphDefinition;
  readonly settings: RunSettings;
  readonly context: RunContext;
}

export interface Recording {
  readonly recorder: Recorder;
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
}

/** A recorder for what asks for numbers alone: it keeps no names, scopes or decisions. */
export const bareRecorder = (tape: Tape, round: Rounder | null): Recorder => new Recorder(tape, round, true);
/** The usual one. */
export const fullRecorder = (tape: Tape, round: Rounder | null): Recorder => new Recorder(tape, round);

/**
 * Calls the graph function once, every operation rounded to `settings.dtype`, its random stream begun anew at
 * `settings.seed`, so that each recording meets the same draws.
 *
 * @param change settings that differ from the subject's, for example `{ set, dtype: "f32" }`
 * @param make the recorder, where another than the usual one is wanted
 * @param spare segments of a recording that is done with, to be used again
 * @param begun called with the recorder before anything is recorded
 * @throws BacksweepError, or whatever user code threw
 */
export function record(
  subject: Subject,
  change: Partial<RunSettings> = {},
  make: (tape: Tape, round: Rounder | null) => Recorder = fullRecorder,
  spare: Segment[] = [],
  begun: (recorder: Recorder) => void = () => undefined,
): Recording {
  const { definition, context } = subject;
  const settings = { ...subject.settings, ...change };
  const round = settings.dtype === "f64" ? null : rounder(settings.dtype);
  const recorder = make(new Tape(context.limitBytes, spare), round);
  seedStream(recorder, settings.seed);
  begun(recorder);
  let inputs: readonly InputInfo[] = [];
  const result = withRecorder(recorder, () => {
    const made = makeInputs(recorder, definition, settings.set);
    inputs = made.infos;
    call.site = definition.site;
    call.scope = null;
    const fn = definition.fn as (inputs: unknown) => unknown;
    nameAfter(fn, context.name);
    return fn(made.argument);
  });
  if (result instanceof Promise) {
    // the rejection, if any, is of no interest any more
    result.catch(() => undefined);
    throw new BacksweepError(
      "definition",
      "the graph function returned a promise: a derivative needs its result now",
      definition.site,
    );
  }
  const outputs = readOutputs(recorder, result, settings.cotangent, definition.site);
  return { recorder, inputs, outputs };
}

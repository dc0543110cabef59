/**
 * The gradient without a trace: one recording, one reverse sweep, nothing kept. Scalar graphs in f64 go through the
 * generated sweep of the recording room; all others through the ordinary one, in tape order as well.
 */
import { rounder } from "../ops/dtype.js";
import { algebraOf, giveKernelsBack, useKernels } from "../ops/array/recorder.js";
import { Recorder } from "../ops/recorder.js";
import { withRecording } from "../recording/create.js";
import type { Gradient, GradientValue } from "../report/report.js";
import { parseAccumulation, type Accumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { reverseSweep, type Seed } from "../sweep/reverse.js";
import { filled, toNested } from "../tape/ndarray.js";
import type { Segment } from "../tape/tape.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { run } from "./complete.js";
import { mergeSeeds } from "./outputs.js";
import { record, type Subject } from "./record.js";

export interface SweptGradient {
  readonly outputs: readonly OutputInfo[];
  readonly gradient: Gradient;
}

/** Segments of tapes that are done with, for the next: to make one takes a millisecond. */
export const spare: Segment[] = [];
const SPARE_SEGMENTS = 16;

/** Keeps the segments of a recording that is not read any more. */
export function giveBack({ tape }: Recorder): void {
  spare.push(...tape.segments.splice(0, SPARE_SEGMENTS - spare.length));
}

/** Records the graph and sweeps it once. Throws as a complete run does. */
export function sweptGradient(subject: Subject): SweptGradient {
  const { settings } = subject;
  const accumulation = parseAccumulation(settings.accumulate);
  if (accumulation.kind === "last-writer-wins") {
    // the wrong answer, as asked for: where it assigns hangs on the names of a complete run
    const { trace, report } = run(subject.definition, settings);
    return { outputs: trace.header.outputs, gradient: report.gradient };
  }
  let made: Recorder | null = null;
  try {
    const { recorder, inputs, outputs } = record(
      subject,
      {},
      (tape, round) => {
        made = new Recorder(tape, round);
        useKernels(made);
        return made;
      },
      spare,
    );
    return sweepOnce(subject, accumulation, recorder, inputs, outputs);
  } finally {
    if (made !== null) giveKernelsBack(made);
  }
}

function sweepOnce(
  subject: Subject,
  accumulation: Accumulation,
  recorder: Recorder,
  inputs: readonly InputInfo[],
  outputs: readonly OutputInfo[],
): SweptGradient {
  const { settings } = subject;
  const seeds = mergeSeeds(outputs);
  const plain =
    accumulation.kind === "sum" &&
    settings.cotangentDtype === "f64" &&
    onlyScalarPrimitives(subject, recorder);
  const gradient = plain ? short(recorder, inputs, seeds) : general(subject, recorder, inputs, seeds);
  giveBack(recorder);
  return { outputs, gradient };
}

function onlyScalarPrimitives({ definition }: Subject, { tape, customRules }: Recorder): boolean {
  return definition.given !== true && customRules.size === 0 && tape.arrays.size === 0;
}

function short(recorder: Recorder, inputs: readonly InputInfo[], seeds: readonly Seed[]): Gradient {
  const { tape } = recorder;
  return withRecording(tape.length + tape.constants.length, (t) => {
    t.load(tape);
    t.sweep(
      seeds.map(({ node }) => node),
      seeds.map(({ cotangent }) => cotangent),
    );
    return byInput(inputs, ({ first, count, shape }) => {
      if (seeds.length === 0) return shape.length === 0 ? 0 : new Array<number>(count).fill(0);
      return shape.length === 0 ? t.cotangent(first) : Array.from(t.cotangents(first, count));
    });
  });
}

function general(
  { settings }: Subject,
  recorder: Recorder,
  inputs: readonly InputInfo[],
  seeds: readonly Seed[],
): Gradient {
  const flat = flatten(recorder.tape);
  const nodes = seeds.map(({ node }) => node);
  const active = activeNodes(flat, nodes);
  const { cotangent, arrays } = reverseSweep(flat, {
    order: sweepOrder(flat, active, nodes, "tape", String),
    seeds,
    accumulation: parseAccumulation(settings.accumulate),
    round: settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype),
    customRules: recorder.customRules,
    assigns: null,
    ...(settings.cotangentDtype === "f64" && settings.dtype === "f64"
      ? { algebra: algebraOf(recorder) }
      : {}),
  });
  const at = (v: number): number => (active[v] === 1 ? cotangent[v] : 0);
  return byInput(inputs, ({ first, count, shape, tensor }) => {
    if (tensor === true) return toNested(arrays?.cotangent.get(first) ?? filled(shape, 0)) as GradientValue;
    return shape.length === 0 ? at(first) : Array.from({ length: count }, (_, i) => at(first + i));
  });
}

function byInput(inputs: readonly InputInfo[], of: (input: InputInfo) => GradientValue): Gradient {
  const out: Record<string, GradientValue> = Object.create(null);
  for (const input of inputs) out[input.name] = of(input);
  return { ...out };
}

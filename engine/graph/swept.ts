/**
 * The gradient without a trace: one recording, one reverse sweep, nothing kept. Scalar graphs in f64 go through the
 * generated sweep of the recording room; all others through the ordinary one, in tape order as well.
 */
import { rounder } from "../ops/dtype.js";
import { algebraOf } from "../ops/array/recorder.js";
import type { Recorder } from "../ops/recorder.js";
import type { GradientValue, Note } from "../report/report.js";
import { parseAccumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { reverseSweep, type Seed } from "../sweep/reverse.js";
import { filled, toNested } from "../tape/ndarray.js";
import { Tensor } from "../tape/tensor.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { run } from "./complete.js";
import { recordLeased, type LeasedRecording } from "./leased.js";
import { recordedNotes } from "./notes.js";
import { mergeSeeds } from "./outputs.js";
import type { Subject } from "./record.js";
import { scheduledGradient } from "./scheduled-gradient.js";
import { STORE_ALL } from "./schedules.js";

/** By input: numbers and nested arrays, and tensors where they are asked for. */
export type GradientOrTensors = Readonly<Record<string, GradientValue | Tensor>>;

export interface SweptGradient {
  readonly outputs: readonly OutputInfo[];
  readonly gradient: GradientOrTensors;
  /** cuts met while recording */
  readonly notes: readonly Note[];
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Records the graph and sweeps it once. Throws as a complete run does.
 *
 * @param tensors inputs whose gradients may be tensors: nothing is nested for them
 */
export function sweptGradient(subject: Subject, tensors: ReadonlySet<string> = NONE): SweptGradient {
  const { settings } = subject;
  const accumulation = parseAccumulation(settings.accumulate);
  if (accumulation.kind === "last-writer-wins") {
    // the wrong answer, as asked for: where it assigns hangs on the names of a complete run
    const { trace, report } = run(subject.definition, settings);
    return { outputs: trace.header.outputs, gradient: report.gradient, notes: report.notes };
  }
  if (settings.schedule !== STORE_ALL) return scheduledGradient(subject);
  const leased = recordLeased(subject, true);
  try {
    const { recorder, inputs, outputs } = leased.recorded;
    const seeds = mergeSeeds(outputs);
    const plain = accumulation.kind === "sum" && settings.cotangentDtype === "f64" && leased.simple;
    const gradient = plain
      ? short(leased, inputs, seeds)
      : general(subject, recorder, inputs, seeds, tensors);
    return { outputs, gradient, notes: recordedNotes(recorder) };
  } finally {
    leased.done();
  }
}

function short(
  leased: LeasedRecording,
  inputs: readonly InputInfo[],
  seeds: readonly Seed[],
): GradientOrTensors {
  return leased.swept((t) => {
    t.sweep(
      seeds.map(({ node }) => node),
      seeds.map(({ cotangent }) => cotangent),
    );
    return byInput(inputs, ({ first, count, shape }) => {
      if (seeds.length === 0) return shape.length === 0 ? 0 : new Array<number>(count).fill(0);
      return shape.length === 0 ? t.cotangent(first) : listOf(t.cotangents(first, count));
    });
  });
}

/** `Array.from`, which takes the iterator's way through a typed array: six times as long. */
function listOf(values: Float64Array): number[] {
  const list = new Array<number>(values.length);
  for (let i = 0; i < values.length; i++) list[i] = values[i];
  return list;
}

function general(
  { settings }: Subject,
  recorder: Recorder,
  inputs: readonly InputInfo[],
  seeds: readonly Seed[],
  tensors: ReadonlySet<string>,
): GradientOrTensors {
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
  return byInput(inputs, ({ name, first, count, shape, tensor }) => {
    if (tensor === true) {
      const made = arrays?.cotangent.get(first);
      // a copy: the elements may lie in memory that is given back
      if (tensors.has(name))
        return new Tensor(
          made === undefined ? filled(shape, 0) : { shape, data: Float64Array.from(made.data) },
        );
      return toNested(made ?? filled(shape, 0)) as GradientValue;
    }
    return shape.length === 0 ? at(first) : Array.from({ length: count }, (_, i) => at(first + i));
  });
}

function byInput(
  inputs: readonly InputInfo[],
  of: (input: InputInfo) => GradientValue | Tensor,
): GradientOrTensors {
  const out: Record<string, GradientValue | Tensor> = Object.create(null);
  for (const input of inputs) out[input.name] = of(input);
  return { ...out };
}

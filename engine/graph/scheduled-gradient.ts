/**
 * The gradient without a trace under a schedule: primals are dropped and replayed as in a complete run, and nothing is
 * logged or kept for views. Arrays lie in ordinary memory, because that of the kernels is given back only as a whole.
 */
import { rounder } from "../ops/dtype.js";
import type { CheckpointReport, Gradient, GradientValue, Note } from "../report/report.js";
import { parseAccumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { beginSweep } from "../sweep/reverse.js";
import { filled, toNested } from "../tape/ndarray.js";
import type { OutputInfo } from "../trace/trace.js";
import { operationName } from "./code-name.js";
import { Execution } from "./execution.js";
import { measureRegions } from "./measure.js";
import { recordedNotes } from "./notes.js";
import { mergeSeeds } from "./outputs.js";
import { record, type Subject } from "./record.js";
import { roomOf } from "./room.js";

/** Records and sweeps once, in tape order; last-writer-wins is not for here. */
export function scheduledGradient(subject: Subject): {
  readonly outputs: readonly OutputInfo[];
  readonly gradient: Gradient;
  readonly checkpoint: CheckpointReport | null;
  /** cuts and kinks met while recording */
  readonly notes: readonly Note[];
} {
  const { settings, context } = subject;
  let execution: Execution | null = null;
  const { recorder, inputs, outputs } = record(subject, {}, undefined, undefined, (made) => {
    execution = new Execution(made, settings.schedule, roomOf(context), false);
    execution.prepare(() => measureRegions(subject));
  });
  const run = execution as unknown as Execution;
  const flat = flatten(recorder.tape);
  run.close(flat, (node) => `${operationName(flat, node)} (node ${node})`);
  const seeds = mergeSeeds(outputs);
  const nodes = seeds.map(({ node }) => node);
  const active = activeNodes(flat, nodes);
  const order = sweepOrder(flat, active, nodes, "tape", String);
  const letGo = (): void => context.collect?.();
  const sweep = beginSweep(flat, {
    order,
    seeds,
    accumulation: parseAccumulation(settings.accumulate),
    round: settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype),
    customRules: recorder.customRules,
    assigns: null,
    spent: { contribution: letGo, cotangent: letGo },
  });
  const [{ cotangent, arrays }] = run.sweep(order, active, nodes, [sweep]);
  const at = (v: number): number => (active[v] === 1 ? cotangent[v] : 0);
  const gradient: Record<string, GradientValue> = Object.create(null);
  for (const { name, first, count, shape, tensor } of inputs) {
    if (tensor === true)
      gradient[name] = toNested(arrays?.cotangent.get(first) ?? filled(shape, 0)) as GradientValue;
    else if (shape.length === 0) gradient[name] = at(first);
    else gradient[name] = Array.from({ length: count }, (_, i) => at(first + i));
  }
  const checkpoint = run.report(true).checkpoint ?? null;
  return { outputs, gradient: { ...gradient }, checkpoint, notes: recordedNotes(recorder) };
}

/** Backsweep's arrays: one node an array operation, the same tape and sweep as scalars, all contributions kept as arrays. */
import { graph, type GraphDefinition } from "../../engine/index.js";
import { subjectOf } from "../../engine/graph/complete.js";
import { bareRecorder, record } from "../../engine/graph/record.js";
import { giveSegmentsBack, spare } from "../../engine/graph/leased.js";
import { algebraOf, giveKernelsBack, useKernels } from "../../engine/ops/array/recorder.js";
import type { Rounder } from "../../engine/ops/dtype.js";
import type { Recorder } from "../../engine/ops/recorder.js";
import type { Tape } from "../../engine/tape/tape.js";
import { flatten } from "../../engine/sweep/flat.js";
import { activeNodes, sweepOrder } from "../../engine/sweep/order.js";
import { reverseSweep } from "../../engine/sweep/reverse.js";
import type { Outcome } from "../problems/problem.js";
import { arrayProgram } from "./array-programs.js";
import type { Engine } from "./engine.js";

/** A recorder whose arrays lie where the kernels work, as `gradient` has it. */
function inKernels(tape: Tape, round: Rounder | null): Recorder {
  const recorder = bareRecorder(tape, round);
  useKernels(recorder);
  return recorder;
}

/** Records and sweeps; the gradients of the inputs, end to end. */
function gradientOf(definition: GraphDefinition, gradient: Float64Array): Outcome {
  const { recorder, inputs, outputs } = record(subjectOf(definition, undefined), {}, inKernels, spare);
  const flat = flatten(recorder.tape);
  const output = outputs[0].node;
  const { arrays } = reverseSweep(flat, {
    order: sweepOrder(flat, activeNodes(flat, [output]), [output], "tape", String),
    seeds: [{ node: output, cotangent: 1 }],
    accumulation: { kind: "sum" },
    round: null,
    customRules: recorder.customRules,
    assigns: null,
    algebra: algebraOf(recorder),
  });
  let at = 0;
  for (const { first } of inputs) {
    const { data } = arrays!.cotangent.get(first)!;
    gradient.set(data, at);
    at += data.length;
  }
  giveKernelsBack(recorder);
  giveSegmentsBack(recorder);
  return { value: outputs[0].value, gradient };
}

export const array: Engine = {
  id: "array",
  title: "Backsweep, arrays",
  precision: "f64",
  tolerance: 1e-10,
  prepare(problem) {
    const program = arrayProgram(problem);
    if (program === null) return Promise.resolve("one number after another: see handles");
    const definition = graph(program.inputs, program.value) as unknown as GraphDefinition;
    const gradient = new Float64Array(problem.parameters.length);
    return Promise.resolve({ run: () => gradientOf(definition, gradient) });
  },
};

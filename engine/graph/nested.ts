/**
 * Differentiation inside a running graph function: the inner sweep is recorded as ordinary operations on the outer tape,
 * so it can be looked at, swept and differentiated again, to any depth (Griewank and Walther 2008, chapter 5; Siskind and
 * Pearlmutter 2008, "Nesting forward-mode AD in a functional framework").
 */
import type { ArrayOperand } from "../ops/array/recorder.js";
import { filled, type NDArray } from "../tape/ndarray.js";
import { Tensor } from "../tape/tensor.js";
import type { Direction } from "./directions.js";
import { dependentNode, regionOf, runNested, type NestedRun } from "./nested-run.js";
import { recordedForward, recordedReverse } from "./nested-sweep.js";
import { addSeed, readTangents, seedsOf } from "./nested-seeds.js";
import type { Differentiable } from "./point.js";
import type { OutputInfo } from "../trace/trace.js";
import { handleOf } from "./nested-tape.js";

/** An array as operations take it: a number where it has no axes. */
function operand(array: NDArray): ArrayOperand {
  return array.shape.length === 0 ? array.data[0] : new Tensor(array);
}

/** The value of an output as the graph goes on with it: a traced number or tensor, typed as a number. */
function valueOf(run: NestedRun, { node, value, array }: OutputInfo): number {
  const known = array === undefined ? value : new Tensor(array);
  return (node < 0 ? known : handleOf(run.recorder.tape, node)) as unknown as number;
}

/** Input cotangents in the shape of the point: tensors for arrays. */
function answer(run: NestedRun, cotangents: readonly ArrayOperand[]): unknown {
  const byName: Record<string, unknown> = Object.create(null);
  for (const { name, first, count, shape, tensor } of run.inputs) {
    const at = first - run.first;
    byName[name] = tensor === true || shape.length === 0 ? cotangents[at] : cotangents.slice(at, at + count);
  }
  return run.named.unwrap({ ...byName });
}

function sweepBack(run: NestedRun, seeds: ReadonlyMap<number, ArrayOperand>): unknown {
  return answer(run, recordedReverse(run, seeds, regionOf(run.recorder, "reverse sweep", run.region)));
}

/** Value and gradient, made of traced numbers and tensors. Several outputs are added, each times its cotangent. */
export function nestedValueAndGradient(
  what: Differentiable,
  at: unknown,
): { value: number | number[]; gradient: unknown } {
  const run = runNested(what, at, "gradient");
  const seeds = new Map<number, ArrayOperand>();
  for (const output of run.outputs) {
    const node = dependentNode(run, output);
    if (node >= 0)
      addSeed(run, seeds, node, output.seed === undefined ? output.cotangent : operand(output.seed));
  }
  const gradient = sweepBack(run, seeds);
  const values = run.outputs.map((output) => valueOf(run, output));
  const value = run.outputs.length === 1 && run.outputs[0].key === null ? values[0] : values;
  return { value, gradient };
}

/** u^T J, made of traced numbers and tensors; the cotangent u may be traced. */
export function nestedVjp(what: Differentiable, cotangent: unknown, at: unknown): unknown {
  const run = runNested(what, at, "vjp");
  return sweepBack(run, seedsOf(run, cotangent));
}

/** Values and tangents of the outputs, made of traced numbers and tensors; the input tangents may be traced. */
export function nestedJvp(
  what: Differentiable,
  tangents: unknown,
  at: unknown,
): { values: number[]; tangents: number[] } {
  const run = runNested(what, at, "jvp");
  const given = readTangents(run, run.named.wrap(tangents) as Direction);
  const tangentOf = recordedForward(run, given, regionOf(run.recorder, "forward sweep", run.region));
  return {
    values: run.outputs.map((output) => valueOf(run, output)),
    tangents: run.outputs.map((output) => {
      const { array } = output;
      const zero = array === undefined ? 0 : operand(filled(array.shape, 0));
      return (tangentOf(dependentNode(run, output)) ?? zero) as unknown as number;
    }),
  };
}

/**
 * Differentiation inside a running graph function: the inner sweep is recorded as ordinary operations on the outer tape,
 * so it can be looked at, swept and differentiated again, to any depth (Griewank and Walther 2008, chapter 5; Siskind and
 * Pearlmutter 2008, "Nesting forward-mode AD in a functional framework").
 */
import type { Operand } from "../tape/traced.js";
import { byInput, type Direction } from "./directions.js";
import { dependentNode, regionOf, runNested, type NestedRun } from "./nested-run.js";
import { recordedForward, recordedReverse } from "./nested-sweep.js";
import { readTangents, seedsOf } from "./nested-seeds.js";
import type { Differentiable } from "./point.js";
import type { OutputInfo } from "../trace/trace.js";
import { handleOf } from "./nested-tape.js";

/** The value of an output as the graph goes on with it. */
function valueOf(run: NestedRun, { node, value }: OutputInfo): number {
  return (node < 0 ? value : handleOf(run.recorder.tape, node)) as unknown as number;
}

/** Input cotangents in the shape of the point. */
function answer(run: NestedRun, cotangents: readonly Operand[]): unknown {
  return run.named.unwrap(byInput(run.inputs, (i) => cotangents[i] as unknown as number));
}

function sweepBack(run: NestedRun, seeds: ReadonlyMap<number, Operand>): unknown {
  return answer(run, recordedReverse(run, seeds, regionOf(run.recorder, "reverse sweep", run.region)));
}

/** Value and gradient, made of traced numbers. Several outputs are added, each times its cotangent. */
export function nestedValueAndGradient(
  what: Differentiable,
  at: unknown,
): { value: number | number[]; gradient: unknown } {
  const run = runNested(what, at, "gradient");
  const seeds = new Map<number, Operand>();
  for (const output of run.outputs) {
    const node = dependentNode(run, output);
    if (node >= 0) seeds.set(node, ((seeds.get(node) as number | undefined) ?? 0) + output.cotangent);
  }
  const gradient = sweepBack(run, seeds);
  const values = run.outputs.map((output) => valueOf(run, output));
  const value = run.outputs.length === 1 && run.outputs[0].key === null ? values[0] : values;
  return { value, gradient };
}

/** u^T J, made of traced numbers; the cotangent u may be traced. */
export function nestedVjp(what: Differentiable, cotangent: unknown, at: unknown): unknown {
  const run = runNested(what, at, "vjp");
  return sweepBack(run, seedsOf(run, cotangent));
}

/** Values and tangents of the outputs, made of traced numbers; the input tangents may be traced. */
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
    tangents: run.outputs.map((output) => tangentOf(dependentNode(run, output)) as unknown as number),
  };
}

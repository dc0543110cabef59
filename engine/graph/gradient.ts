/** Value and gradient of a graph, or of a function at a point: one recording and one reverse sweep. */
import { activeRecorder } from "../ops/recorder.js";
import type { GraphDefinition, Inputs } from "./definition.js";
import { subjectOf } from "./complete.js";
import { nestedValueAndGradient } from "./nested.js";
import { sweptGradient } from "./swept.js";
import {
  questionOf,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
  type PointFunction,
} from "./point.js";

/**
 * The output's value and its gradient in every input, by one reverse sweep.
 *
 * Inside a running graph function the sweep is recorded as ordinary operations, so the answer is made of traced numbers
 * and can be differentiated again.
 *
 * @param at inputs by name that differ from the definition's; for a function, its point: a number, an array, or both by name
 */
export function valueAndGradient<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { value: number | number[]; gradient: GradientOf<I> };
export function valueAndGradient<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { value: number | number[]; gradient: Shaped<P> };
export function valueAndGradient(
  what: Differentiable,
  at?: unknown,
): { value: number | number[]; gradient: unknown } {
  if (activeRecorder() !== null) return nestedValueAndGradient(what, at);
  const question = questionOf(what, at);
  const { outputs, gradient } = sweptGradient(subjectOf(question.definition, question.at));
  const value =
    outputs.length === 1 && outputs[0].key === null
      ? outputs[0].value
      : outputs.map((output) => output.value);
  return { value, gradient: question.unwrap(gradient) } as { value: number | number[]; gradient: unknown };
}

/**
 * The derivative of the output in every input, by one reverse sweep; of the outputs' sum, where there are several and
 * the option `cotangent` says nothing. May be called inside a running graph function, see `valueAndGradient`.
 */
export function gradient<I extends Inputs>(definition: GraphDefinition<I>, at?: At<I>): GradientOf<I>;
export function gradient<P extends Point>(fn: PointFunction<P>, at: P): Shaped<P>;
export function gradient(what: Differentiable, at?: unknown): unknown {
  return (valueAndGradient as (what: Differentiable, at?: unknown) => { gradient: unknown })(what, at)
    .gradient;
}

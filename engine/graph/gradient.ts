/** Value and gradient of a graph, or of a function at a point: one recording and one reverse sweep. */
import { activeRecorder } from "../ops/recorder.js";
import type { GradientValue } from "../report/report.js";
import type { GraphDefinition, Inputs } from "./definition.js";
import { noMore } from "./arguments.js";
import { subjectOf } from "./complete.js";
import { tellCuts } from "./warnings.js";
import { outputValue } from "./entries.js";
import { nestedValueAndGradient } from "./nested.js";
import { sweptGradient } from "./swept.js";
import {
  questionOf,
  type Answer,
  type AnswerAt,
  type At,
  type Differentiable,
  type Point,
  type PointFunction,
} from "./point.js";

/** A value that may be an array or a list of outputs: as the graph returned it. */
type Value = number | number[] | readonly GradientValue[];

/**
 * The output's value and its gradient in every input, by one reverse sweep. An array, in the value as in the gradient, is
 * nested arrays of its shape; the gradient of what is given as a Tensor is a Tensor.
 *
 * Inside a running graph function the sweep is recorded as ordinary operations, so the answer is made of traced numbers
 * and traced tensors, and can be differentiated again.
 *
 * @param at inputs by name that differ from the definition's; for a function, its point: a number, an array, or both by name
 */
export function valueAndGradient<I extends Inputs, A extends At<I> = object>(
  definition: GraphDefinition<I>,
  at?: A,
): { value: Value; gradient: AnswerAt<I, A> };
export function valueAndGradient<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { value: Value; gradient: Answer<P> };
export function valueAndGradient(
  what: Differentiable,
  at?: unknown,
  ...surplus: never[]
): { value: Value; gradient: unknown } {
  noMore("valueAndGradient(f, at)", surplus);
  if (activeRecorder() !== null) return nestedValueAndGradient(what, at);
  const question = questionOf(what, at);
  const subject = subjectOf(question.definition, question.at);
  const { outputs, gradient, notes } = sweptGradient(subject, question.tensors);
  tellCuts(notes);
  const value =
    outputs.length === 1 && outputs[0].key === null ? outputValue(outputs[0]) : outputs.map(outputValue);
  return { value, gradient: question.answer(gradient) };
}

/**
 * The derivative of the output in every input, by one reverse sweep; of the outputs' sum, where there are several (or one
 * array) and the option `cotangent` says nothing. May be called inside a running graph function, see `valueAndGradient`.
 */
export function gradient<I extends Inputs, A extends At<I> = object>(
  definition: GraphDefinition<I>,
  at?: A,
): AnswerAt<I, A>;
export function gradient<P extends Point>(fn: PointFunction<P>, at: P): Answer<P>;
export function gradient(what: Differentiable, at?: unknown, ...surplus: never[]): unknown {
  noMore("gradient(f, at)", surplus);
  return (valueAndGradient as (what: Differentiable, at?: unknown) => { gradient: unknown })(what, at)
    .gradient;
}

/** Products with the Jacobian of a graph: J v by a forward sweep, u^T J by a reverse sweep. */
import { activeRecorder } from "../ops/recorder.js";
import { rounder } from "../ops/dtype.js";
import type { GradientValue, Note } from "../report/report.js";
import { flatten } from "../sweep/flat.js";
import { jvpSweep } from "../sweep/jvp.js";
import { MixedForward } from "../sweep/mixed-forward.js";
import { filled, toNested } from "../tape/ndarray.js";
import { subjectOf } from "./complete.js";
import { tellCuts } from "./warnings.js";
import type { GraphDefinition, Inputs, OutputCotangent } from "./definition.js";
import { byNode, directionOf, inputNodes, inputPorts, type Direction } from "./directions.js";
import { outputValue } from "./entries.js";
import { namedForm } from "./named-form.js";
import { nestedJvp, nestedVjp } from "./nested.js";
import {
  questionOf,
  type Answer,
  type AnswerAt,
  type At,
  type Differentiable,
  type Shaped,
  type Point,
  type PointFunction,
} from "./point.js";
import { recordedNotes } from "./notes.js";
import { bareRecorder, record, type Subject } from "./record.js";
import { sweptGradient } from "./swept.js";

/**
 * u^T J for an output cotangent u, by one reverse sweep. Inside a running graph function it is recorded and can be
 * differentiated again.
 *
 *
 *     vjp(f, 1, { x: 2 }); // u, then the point
 *     vjp(f, { at: { x: 2 }, cotangent: 1 }); // the same by name
 *
 * @param cotangent as the outputs are: numbers for numbers, arrays of the same shape (or one number for all elements) for
 *   arrays
 * @param at inputs by name that differ from the definition's; for a function, its point
 * @throws BacksweepError `option` for a cotangent of another shape than its output
 */
export function vjp<I extends Inputs, A extends At<I> = object>(
  definition: GraphDefinition<I>,
  cotangent: OutputCotangent,
  at?: A,
): AnswerAt<I, A>;
export function vjp<P extends Point>(fn: PointFunction<P>, cotangent: OutputCotangent, at: P): Answer<P>;
export function vjp<I extends Inputs, A extends At<I> = object>(
  definition: GraphDefinition<I>,
  named: { readonly cotangent: OutputCotangent; readonly at: A },
): AnswerAt<I, A>;
export function vjp<P extends Point>(
  fn: PointFunction<P>,
  named: { readonly cotangent: OutputCotangent; readonly at: P },
): Answer<P>;
export function vjp(what: Differentiable, second: unknown, point?: unknown, ...surplus: never[]): unknown {
  const [along, at] = namedForm("vjp", "cotangent", what, second, point, surplus);
  const cotangent = along as OutputCotangent;
  if (activeRecorder() !== null) return nestedVjp(what, cotangent, at);
  const { definition, at: set, answer, tensors } = questionOf(what, at);
  const seeded = { ...definition, options: { ...definition.options, cotangent } };
  const { gradient, notes } = sweptGradient(subjectOf(seeded, set), tensors);
  tellCuts(notes);
  return answer(gradient);
}

/** Values and tangents of the outputs, in output order; of an array, nested arrays. */
export interface Pushed<T> {
  values: T[];
  tangents: T[];
}

/**
 * J v for an input tangent v (missing inputs have tangent 0), by one forward sweep: the outputs' values and tangents in
 * output order. Inside a running graph function it is recorded and can be differentiated again.
 *
 * The tangent comes *before* the point (`jax.jvp` has them the other way round), for a definition needs no point:
 *
 *     jvp(({ x }) => x * x, { x: 1 }, { x: 3 }); // along 1 at 3: { values: [9], tangents: [6] }
 *     jvp(({ x }) => x * x, { at: { x: 3 }, direction: { x: 1 } }); // the same by name
 *
 * @typeParam T what an output is: numbers, unless said otherwise; nested arrays for an array, inside a graph a Tensor
 * @param tangents by input name, each of its input's shape; for a function, of the shape of its point
 * @param at inputs by name that differ from the definition's; for a function, its point
 * @throws BacksweepError `option` for an unknown input or a tangent of another shape
 */
export function jvp<I extends Inputs, T = number>(
  definition: GraphDefinition<I>,
  tangents: At<I>,
  at?: At<I>,
): Pushed<T>;
export function jvp<P extends Point, T = number>(
  fn: PointFunction<P>,
  tangents: P | Shaped<P>,
  at: P,
): Pushed<T>;
export function jvp<I extends Inputs, T = number>(
  definition: GraphDefinition<I>,
  named: { readonly direction: At<I>; readonly at?: At<I> },
): Pushed<T>;
export function jvp<P extends Point, T = number>(
  fn: PointFunction<P>,
  named: { readonly direction: P | Shaped<P>; readonly at: P },
): Pushed<T>;
export function jvp(
  what: Differentiable,
  second: unknown,
  point?: unknown,
  ...surplus: never[]
): Pushed<unknown> {
  const [tangents, at] = namedForm("jvp", "direction", what, second, point, surplus);
  if (activeRecorder() !== null) return nestedJvp(what, tangents, at);
  const { definition, at: set, wrap } = questionOf(what, at);
  const { values, tangents: pushed, notes } = push(subjectOf(definition, set), wrap(tangents) as Direction);
  tellCuts(notes);
  return { values, tangents: pushed };
}

/** J v of a graph at its settings: the same without a question around it. Notes are the cuts met while recording. */
export function push(
  subject: Subject,
  tangents: Direction,
): Pushed<GradientValue> & { readonly notes: readonly Note[] } {
  const { cotangentDtype } = subject.settings;
  const { recorder, inputs, outputs } = record(subject, {}, bareRecorder);
  const direction = directionOf(tangents, inputs, "jvp");
  const notes = recordedNotes(recorder);
  const round = cotangentDtype === "f64" ? null : rounder(cotangentDtype);
  const flat = flatten(recorder.tape);
  const values = outputs.map(outputValue);
  if (flat.arrays === null) {
    const given = inputNodes(inputs).map((node, i) => [node, direction[i]] as const);
    const tangent = jvpSweep(flat, new Map(given), recorder.customRules, round);
    return { values, notes, tangents: outputs.map(({ node }) => (node < 0 ? 0 : tangent[node])) };
  }
  const pushed = new MixedForward(flat, byNode(direction, inputPorts(inputs)), recorder.customRules, round);
  return {
    values,
    notes,
    tangents: outputs.map(({ node, array }): GradientValue => {
      const tangent = node < 0 ? null : pushed.tangents[node];
      return toNested(tangent ?? filled(array?.shape ?? [], 0)) as GradientValue;
    }),
  };
}

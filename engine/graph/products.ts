/** Products with the Jacobian of a graph: J v by a forward sweep, u^T J by a reverse sweep. */
import { activeRecorder } from "../ops/recorder.js";
import { rounder } from "../ops/dtype.js";
import { flatten } from "../sweep/flat.js";
import { jvpSweep } from "../sweep/jvp.js";
import type { Gradient } from "../report/report.js";
import { asked, run, subjectOf } from "./complete.js";
import type { GraphDefinition, Inputs, OutputCotangent } from "./definition.js";
import { directionOf, type Direction } from "./directions.js";
import { scalarsOnly } from "./inside.js";
import { nestedJvp, nestedVjp } from "./nested.js";
import {
  questionOf,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
  type PointFunction,
} from "./point.js";
import { record } from "./record.js";

/**
 * u^T J for an output cotangent u, by one reverse sweep. Inside a running graph function it is recorded and can be
 * differentiated again.
 *
 * @param at inputs by name that differ from the definition's; for a function, its point
 */
export function vjp<I extends Inputs>(
  definition: GraphDefinition<I>,
  cotangent: OutputCotangent,
  at?: At<I>,
): GradientOf<I>;
export function vjp<P extends Point>(fn: PointFunction<P>, cotangent: OutputCotangent, at: P): Shaped<P>;
export function vjp(what: Differentiable, cotangent: OutputCotangent, at?: unknown): unknown {
  if (activeRecorder() !== null) return nestedVjp(what, cotangent, at);
  const { definition, at: set, unwrap } = questionOf(what, at);
  const seeded = { ...definition, options: { ...definition.options, cotangent } };
  const gradient: Gradient = run(seeded, asked(set)).report.gradient;
  return unwrap(gradient);
}

/**
 * J v for an input tangent v (missing inputs have tangent 0), by one forward sweep: the outputs' values and tangents in
 * output order. Inside a running graph function it is recorded and can be differentiated again.
 *
 * @param tangents by input name; for a function, of the shape of its point
 * @param at inputs by name that differ from the definition's; for a function, its point
 */
export function jvp<I extends Inputs>(
  definition: GraphDefinition<I>,
  tangents: At<I>,
  at?: At<I>,
): { values: number[]; tangents: number[] };
export function jvp<P extends Point>(
  fn: PointFunction<P>,
  tangents: Shaped<P>,
  at: P,
): { values: number[]; tangents: number[] };
export function jvp(
  what: Differentiable,
  tangents: unknown,
  at?: unknown,
): { values: number[]; tangents: number[] } {
  if (activeRecorder() !== null) return nestedJvp(what, tangents, at);
  const { definition, at: set, wrap } = questionOf(what, at);
  const subject = subjectOf(definition, set);
  const { cotangentDtype } = subject.settings;
  const { recorder, inputs, outputs } = record(subject);
  const seeds = new Map(directionOf(wrap(tangents) as Direction, inputs, "jvp"));
  const round = cotangentDtype === "f64" ? null : rounder(cotangentDtype);
  const flat = flatten(recorder.tape);
  scalarsOnly(flat, "jvp", definition.site);
  const tangent = jvpSweep(flat, seeds, recorder.customRules, round);
  return {
    values: outputs.map((output) => output.value),
    tangents: outputs.map((output) => (output.node < 0 ? 0 : tangent[output.node])),
  };
}

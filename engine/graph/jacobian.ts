/** The Jacobian of a graph: one recording, and as many sweeps of one orientation as it takes. */
import { rounder } from "../ops/dtype.js";
import { parseAccumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { cheaperOrientation, jacobianSweeps, type Orientation } from "../sweep/jacobian.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { subjectOf } from "./complete.js";
import type { GraphDefinition, GraphOutput, Inputs } from "./definition.js";
import { byInput, inputNodes } from "./directions.js";
import { outsideOnly, scalarsOnly } from "./inside.js";
import {
  questionOf,
  type Argument,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
} from "./point.js";
import { record, type Subject } from "./record.js";

export type JacobianMode = "auto" | Orientation;

/** A Jacobian as a table, with what it took. */
export interface JacobianTable {
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** numbers among the inputs: columns, and sweeps of a forward Jacobian */
  readonly columns: number;
  /** distinct traced outputs: sweeps of a reverse Jacobian */
  readonly rows: number;
  /** row-major, a row an output in order, a column an input number */
  readonly entries: Float64Array;
  readonly mode: Orientation;
  readonly sweeps: number;
}

/**
 * Records the graph and sweeps. `auto` takes the orientation of fewer sweeps, forward where both take as many.
 *
 * @throws BacksweepError `option` for last-writer-wins, which no forward sweep has; and what a run throws
 */
export function jacobianTable(subject: Subject, mode: JacobianMode): JacobianTable {
  const { settings } = subject;
  const accumulation = parseAccumulation(settings.accumulate);
  if (accumulation.kind === "last-writer-wins") {
    throw new BacksweepError(
      "option",
      "a Jacobian adds its contributions: last-writer-wins has none (use sum, pairwise or kahan)",
    );
  }
  const { recorder, inputs, outputs } = record(subject);
  const flat = flatten(recorder.tape);
  scalarsOnly(flat, "jacobian", subject.definition.site);
  const columns = inputNodes(inputs);
  const outputNodes = [...new Set(outputs.map(({ node }) => node).filter((node) => node >= 0))];
  const rows = outputNodes.length;
  const active = activeNodes(flat, outputNodes);
  const orientation = mode === "auto" ? cheaperOrientation(columns.length, rows) : mode;
  const { entries, sweeps } = jacobianSweeps(
    flat,
    columns,
    outputs.map(({ node }) => node),
    orientation,
    {
      order: sweepOrder(flat, active, outputNodes, settings.order, (v) => `node ${v}`),
      round: settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype),
      accumulation,
      customRules: recorder.customRules,
    },
  );
  return { inputs, outputs, columns: columns.length, rows, entries, mode: orientation, sweeps };
}

/** One entry an output: as the graph returned them, a single one, an array or a record. */
export type PerOutput<T> = T | T[] | Record<string, T>;

/** Entries of a table in the shape in which the graph returned its outputs. */
export function byOutput<T>(outputs: readonly OutputInfo[], at: (row: number) => T): PerOutput<T> {
  if (outputs.length === 1 && outputs[0].key === null) return at(0);
  if (outputs.every(({ key }) => typeof key === "number")) return outputs.map((_, i) => at(i));
  const out: Record<string, T> = Object.create(null);
  outputs.forEach(({ key }, i) => (out[String(key)] = at(i)));
  return { ...out };
}

export interface Jacobian<J> {
  /** by output as the graph returns them (one, an array, a record), then by input like a gradient */
  readonly jacobian: J;
  /** the outputs' values */
  readonly value: PerOutput<number>;
  readonly mode: Orientation;
  /** sweeps it took: one an input number forward, one an output in reverse */
  readonly sweeps: number;
}

type Rows<O extends GraphOutput, G> = O extends number
  ? G
  : O extends readonly number[]
    ? G[]
    : { [K in keyof O]: G };

export interface JacobianOptions {
  /** default "auto": the orientation of fewer sweeps, forward where both take as many */
  readonly mode?: JacobianMode;
}

/**
 * The derivative of every output in every input: n forward sweeps for n input numbers, or m reverse sweeps for m outputs.
 *
 * @param at inputs by name that differ from the definition's; for a function, its point
 * @throws BacksweepError `option` for an unknown mode, `definition` inside a running graph function
 */
export function jacobian<I extends Inputs>(
  definition: GraphDefinition<I>,
  options?: JacobianOptions,
  at?: At<I>,
): Jacobian<PerOutput<GradientOf<I>>>;
export function jacobian<P extends Point, O extends GraphOutput>(
  fn: (point: Argument<P>) => O,
  options: JacobianOptions,
  at: P,
): Jacobian<Rows<O, Shaped<P>>>;
export function jacobian(
  what: Differentiable,
  options: JacobianOptions = {},
  at?: unknown,
): Jacobian<unknown> {
  outsideOnly("jacobian");
  const { mode = "auto" } = options;
  if (mode !== "auto" && mode !== "forward" && mode !== "reverse") {
    throw new BacksweepError(
      "option",
      `jacobian: unknown mode "${String(mode)}": use auto, forward or reverse`,
    );
  }
  const question = questionOf(what, at);
  const table = jacobianTable(subjectOf(question.definition, question.at), mode);
  return {
    jacobian: byOutput(table.outputs, (row) =>
      question.unwrap(byInput(table.inputs, (column) => table.entries[row * table.columns + column])),
    ),
    value: byOutput(table.outputs, (row) => table.outputs[row].value),
    mode: table.mode,
    sweeps: table.sweeps,
  };
}

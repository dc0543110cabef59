/** The Jacobian of a graph: one recording, and as many sweeps of one orientation as it takes. */
import { rounder } from "../ops/dtype.js";
import { parseAccumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { cheaperOrientation, jacobianSweeps, type Orientation } from "../sweep/jacobian.js";
import { mixedJacobian, portsSize, type Port } from "../sweep/jacobian-mixed.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { noMore, onlyOptions } from "./arguments.js";
import { subjectOf } from "./complete.js";
import { tellCuts } from "./warnings.js";
import type { GraphDefinition, GraphOutput, Inputs } from "./definition.js";
import { inputNodes, inputPorts, inputSize } from "./directions.js";
import { byOutput, byRow, outputValue, type PerOutput } from "./entries.js";
import { outsideOnly } from "./inside.js";
import {
  questionOf,
  type Argument,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
} from "./point.js";
import { recordedNotes } from "./notes.js";
import type { GradientValue, Note } from "../report/report.js";
import type { Tensor } from "../tape/tensor.js";
import { bareRecorder, record, type Subject } from "./record.js";

export type JacobianMode = "auto" | Orientation;

/** A Jacobian as a table, with what it took. */
export interface JacobianTable {
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** elements of all inputs: columns, and sweeps of a forward Jacobian */
  readonly columns: number;
  /** elements of the distinct traced outputs: sweeps of a reverse Jacobian */
  readonly rows: number;
  /** row-major, a row an element of the outputs in order, a column an element of the inputs */
  readonly entries: Float64Array;
  readonly mode: Orientation;
  readonly sweeps: number;
  /** cuts met while recording, and kinks where a full recorder was asked for */
  readonly notes: readonly Note[];
}

/** Entries of a Jacobian that are kept at most: 1 GiB of them. */
const MOST_ENTRIES = 2 ** 27;

/**
 * Records the graph and sweeps. `auto` takes the orientation of fewer sweeps, forward where both take as many.
 *
 * @throws BacksweepError `option` for last-writer-wins, which no forward sweep has; and what a run throws
 */
export function jacobianTable(
  subject: Subject,
  mode: JacobianMode,
  make: typeof bareRecorder = bareRecorder,
): JacobianTable {
  const { settings } = subject;
  const accumulation = parseAccumulation(settings.accumulate);
  if (accumulation.kind === "last-writer-wins") {
    throw new BacksweepError(
      "option",
      "a Jacobian adds its contributions: last-writer-wins has none (use sum, pairwise or kahan)",
    );
  }
  const { recorder, inputs, outputs } = record(subject, {}, make);
  const flat = flatten(recorder.tape);
  const columns = inputSize(inputs);
  const ports = outputPorts(outputs);
  if (columns * portsSize(ports) > MOST_ENTRIES) {
    throw new BacksweepError(
      "option",
      `jacobian: ${portsSize(ports)} output numbers by ${columns} input numbers are more than can be kept: use jvp or vjp`,
      subject.definition.site,
    );
  }
  const outputNodes = [...new Set(outputs.map(({ node }) => node).filter((node) => node >= 0))];
  const rows = portsSize(outputNodes.map((node) => ports.find((port) => port.node === node)!));
  const active = activeNodes(flat, outputNodes);
  const orientation = mode === "auto" ? cheaperOrientation(columns, rows) : mode;
  const sweep = {
    order: sweepOrder(flat, active, outputNodes, settings.order, (v) => `node ${v}`),
    round: settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype),
    accumulation,
    customRules: recorder.customRules,
  };
  const { entries, sweeps } =
    flat.arrays === null
      ? jacobianSweeps(
          flat,
          inputNodes(inputs),
          outputs.map(({ node }) => node),
          orientation,
          sweep,
        )
      : mixedJacobian(flat, inputPorts(inputs), ports, orientation, sweep);
  const notes = recordedNotes(recorder);
  return { inputs, outputs, columns, rows, entries, mode: orientation, sweeps, notes };
}

function outputPorts(outputs: readonly OutputInfo[]): Port[] {
  return outputs.map(({ node, array }) => ({ node, shape: array?.shape ?? [] }));
}

export interface Jacobian<J> {
  /** by output as the graph returns them (one, an array, a record), then by input like a gradient */
  readonly jacobian: J;
  /** the outputs' values */
  readonly value: PerOutput<GradientValue>;
  readonly mode: Orientation;
  /** sweeps it took: one an element of the inputs forward, one an element of the outputs in reverse */
  readonly sweeps: number;
}

type Rows<O extends GraphOutput, G> = O extends number
  ? G
  : O extends Tensor
    ? Across<G>
    : O extends readonly number[]
      ? G[]
      : { [K in keyof O]: O[K] extends Tensor ? Across<G> : G };

/** Of an array output: nested in its shape, then in the input's. */
type Across<G> = G extends number | readonly unknown[] ? GradientValue : { [K in keyof G]: GradientValue };

export interface JacobianOptions {
  /** default "auto": the orientation of fewer sweeps, forward where both take as many */
  readonly mode?: JacobianMode;
}

/**
 * The derivative of every output in every input: n forward sweeps for n input numbers, or m reverse sweeps for m output
 * numbers, elements of arrays counted. The derivative of an array output is by input too, each entry nested in the
 * output's shape, then in the input's: `jacobian.W[i][k][l]` of an output of rank 1 and a matrix W.
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
  ...surplus: never[]
): Jacobian<unknown> {
  outsideOnly("jacobian");
  onlyOptions("jacobian(f, options, at)", ["mode"], options, 'jacobian(f, { mode: "reverse" }, at)');
  noMore("jacobian(f, options, at)", surplus);
  const { mode = "auto" } = options;
  if (mode !== "auto" && mode !== "forward" && mode !== "reverse") {
    throw new BacksweepError(
      "option",
      `jacobian: unknown mode "${String(mode)}": use auto, forward or reverse`,
    );
  }
  const question = questionOf(what, at);
  const table = jacobianTable(subjectOf(question.definition, question.at), mode);
  tellCuts(table.notes);
  return {
    jacobian: byOutput(table.outputs, (output) => question.unwrap(byRow(table, output))),
    value: byOutput(table.outputs, (output) => outputValue(table.outputs[output])),
    mode: table.mode,
    sweeps: table.sweeps,
  };
}

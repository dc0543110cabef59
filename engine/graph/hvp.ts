/** Hessian-vector products of a graph, and the diagonal of its Hessian, from one recording. */
import { rounder } from "../ops/dtype.js";
import type { Recorder } from "../ops/recorder.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import type { Note } from "../report/report.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { inputNodes, inputPorts, inputSize } from "./directions.js";
import { ArrayProducts, type ElementProducts } from "./hvp-arrays.js";
import { RecordedProducts, SweptProducts } from "./hvp-scalars.js";
import { recordLeased, type LeasedRecording } from "./leased.js";
import { mergeSeeds } from "./outputs.js";
import { recordedNotes } from "./notes.js";
import { bareRecorder, type Subject } from "./record.js";

/** A graph recorded once, for any number of Hessian-vector products. Vectors are over the elements of the inputs. */
export interface SecondOrder extends ElementProducts {
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** the point */
  readonly at: Float64Array;
  /** the outputs, each times its cotangent, added: the function whose Hessian this is */
  readonly value: number;
  /** cuts met while recording, and kinks where a full recorder was asked for */
  readonly notes: readonly Note[];
  /** Gives the recording's memory back: nothing may be asked any more. */
  done(): void;
}

/**
 * Records the graph and makes it ready for Hessian-vector products.
 *
 * @throws BacksweepError `option` for an accumulation other than sum; and what a run throws
 */
export function secondOrder(subject: Subject, who: string, make = bareRecorder): SecondOrder {
  const { settings } = subject;
  if (settings.accumulate !== "sum") {
    throw new BacksweepError(
      "option",
      `${who} adds contributions as they arrive: the accumulation "${settings.accumulate}" is for first derivatives (use sum)`,
    );
  }
  const leased = recordLeased(subject, false, make);
  try {
    return productsOf(subject, leased);
  } catch (error) {
    leased.done();
    throw error;
  }
}

/** The inputs' elements in a row. */
function pointOf(inputs: readonly InputInfo[], recorder: Recorder): Float64Array {
  const out = new Float64Array(inputSize(inputs));
  const { lean } = recorder;
  if (lean !== null) {
    inputNodes(inputs).forEach((node, i) => (out[i] = lean.value(node)));
    return out;
  }
  const { tape } = recorder;
  let at = 0;
  for (const node of inputNodes(inputs)) {
    const data = tape.arrays.size === 0 ? undefined : tape.arrays.valueOf(node)?.data;
    if (data === undefined) out[at++] = tape.valueAt(node);
    else {
      out.set(data, at);
      at += data.length;
    }
  }
  return out;
}

function productsOf(subject: Subject, leased: LeasedRecording): SecondOrder {
  const { recorder, inputs, outputs } = leased.recorded;
  const at = pointOf(inputs, recorder);
  const products = elementProducts(subject, leased);
  return {
    inputs,
    outputs,
    at,
    value: weightedValue(outputs),
    notes: recordedNotes(recorder),
    gradient: () => products.gradient(),
    along: (direction) => products.along(direction),
    groups: () => products.groups(),
    done: () => leased.done(),
  };
}

/** The short way where there is one: scalars in f64, swept in tape order as `gradient` does unless an order is given. */
function elementProducts(subject: Subject, leased: LeasedRecording): ElementProducts {
  const { cotangentDtype, order } = subject.settings;
  const { recorder, inputs, outputs } = leased.recorded;
  const seeds = mergeSeeds(outputs);
  if (cotangentDtype === "f64" && typeof order === "string" && leased.simple)
    return new RecordedProducts(leased, inputNodes(inputs), seeds);
  const flat = flatten(recorder.tape);
  const outputNodes = seeds.map(({ node }) => node);
  const active = activeNodes(flat, outputNodes);
  const sweep = {
    active,
    order: sweepOrder(flat, active, outputNodes, order, (v) => `node ${v}`),
    seeds,
    round: cotangentDtype === "f64" ? null : rounder(cotangentDtype),
    customRules: recorder.customRules,
  };
  return flat.arrays === null
    ? new SweptProducts(flat, inputNodes(inputs), sweep)
    : new ArrayProducts(flat, inputPorts(inputs), sweep);
}

function weightedValue(outputs: readonly OutputInfo[]): number {
  let sum = 0;
  for (const { value, cotangent, array, seed } of outputs) {
    if (array === undefined) {
      if (outputs.length === 1 && cotangent === 1) return value;
      sum += cotangent * value;
    } else array.data.forEach((x, i) => (sum += seed!.data[i] * x));
  }
  return sum;
}

export interface DiagonalTable {
  readonly inputs: readonly InputInfo[];
  /** by element of the inputs */
  readonly diagonal: Float64Array;
  /** Hessian-vector products it took */
  readonly products: number;
}

/**
 * The diagonal, by one product for every group of inputs that meet in no second derivative (all of them together, for a
 * separable function); one an element where no structure was found.
 */
export function diagonalTable(second: SecondOrder): DiagonalTable {
  const { inputs } = second;
  const size = inputSize(inputs);
  const diagonal = new Float64Array(size);
  const found = second.groups();
  const groups = found?.groups ?? size;
  const members: number[][] = Array.from({ length: groups }, () => []);
  for (let i = 0; i < size; i++) members[found === null ? i : found.group[i]].push(i);
  for (const group of members) {
    const direction = new Float64Array(size);
    for (const i of group) direction[i] = 1;
    const { product } = second.along(direction);
    for (const i of group) diagonal[i] = product[i];
  }
  return { inputs, diagonal, products: groups };
}

/**
 * Jacobians by many sweeps over one recording: n forward sweeps, one an input, or m reverse sweeps, one an output
 * (Griewank and Walther 2008, chapters 3 and 8: a sweep of either kind costs a small multiple of an evaluation).
 */
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import type { Accumulation } from "./accumulate.js";
import type { FlatTape } from "./flat.js";
import { activeNodes } from "./order.js";
import { reverseSweep } from "./reverse.js";
import { MOVES, pushForward, slopesOf } from "./slopes.js";

export type Orientation = "forward" | "reverse";

export interface JacobianSettings {
  /** a reverse topological order of the nodes on a path to any output; a row takes its own nodes of it */
  readonly order: Int32Array;
  /** rounding of tangents and cotangents, null for f64 */
  readonly round: Rounder | null;
  /** how cotangents are summed in the reverse sweeps */
  readonly accumulation: Accumulation;
  readonly customRules: ReadonlyMap<number, CustomRule>;
}

export interface JacobianResult {
  /** row-major, a row an output and a column an input */
  readonly entries: Float64Array;
  /** sweeps that were run */
  readonly sweeps: number;
}

/** The orientation with fewer sweeps. A tie goes forward: a forward sweep keeps no contributions and needs no order. */
export function cheaperOrientation(inputs: number, outputs: number): Orientation {
  return inputs <= outputs ? "forward" : "reverse";
}

/**
 * The derivative of every output node in every input node.
 *
 * @param inputs node ids, one a column
 * @param outputs node ids, one a row; -1 for a plain number, whose row is 0 and takes no sweep
 */
export function jacobianSweeps(
  flat: FlatTape,
  inputs: ArrayLike<number>,
  outputs: ArrayLike<number>,
  orientation: Orientation,
  settings: JacobianSettings,
): JacobianResult {
  return orientation === "forward"
    ? byColumns(flat, inputs, outputs, settings)
    : byRows(flat, inputs, outputs, settings);
}

function byColumns(
  flat: FlatTape,
  inputs: ArrayLike<number>,
  outputs: ArrayLike<number>,
  { round, customRules }: JacobianSettings,
): JacobianResult {
  const n = inputs.length;
  const entries = new Float64Array(n * outputs.length);
  const active = activeNodes(
    flat,
    Array.from(outputs).filter((node) => node >= 0),
  );
  const slopes = slopesOf(flat, active, customRules);
  const tangent = new Float64Array(flat.n);
  const reached = new Uint8Array(flat.n);
  for (let j = 0; j < n; j++) {
    tangent.fill(0);
    reached.fill(0);
    tangent[inputs[j]] = 1;
    reached[inputs[j]] = MOVES;
    pushForward(flat, slopes, active, customRules, round, tangent, reached);
    for (let i = 0; i < outputs.length; i++) entries[i * n + j] = outputs[i] < 0 ? 0 : tangent[outputs[i]];
  }
  return { entries, sweeps: n };
}

function byRows(
  flat: FlatTape,
  inputs: ArrayLike<number>,
  outputs: ArrayLike<number>,
  { order, round, accumulation, customRules }: JacobianSettings,
): JacobianResult {
  const n = inputs.length;
  const entries = new Float64Array(n * outputs.length);
  const rowOf = new Map<number, number>();
  for (let i = 0; i < outputs.length; i++) {
    const node = outputs[i];
    if (node < 0) continue;
    const known = rowOf.get(node);
    if (known !== undefined) {
      // a node returned twice has one sweep
      entries.copyWithin(i * n, known * n, known * n + n);
      continue;
    }
    rowOf.set(node, i);
    const active = activeNodes(flat, [node]);
    const { cotangent } = reverseSweep(flat, {
      order: order.filter((v) => active[v] === 1),
      seeds: [{ node, cotangent: 1 }],
      accumulation,
      round,
      customRules,
      assigns: null,
    });
    for (let j = 0; j < n; j++) entries[i * n + j] = active[inputs[j]] === 1 ? cotangent[inputs[j]] : 0;
  }
  return { entries, sweeps: rowOf.size };
}

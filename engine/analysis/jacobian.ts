/** `backsweep jacobian`: every output's derivative in every input, by the cheaper orientation. */
import { jacobianTable, type JacobianMode } from "../graph/jacobian.js";
import type { Subject } from "../graph/record.js";
import type { Orientation } from "../sweep/jacobian.js";

export interface JacobianAnalysis {
  readonly kind: "jacobian";
  readonly mode: JacobianMode;
}

export interface JacobianResult {
  readonly asked: JacobianMode;
  /** the orientation taken, and the sweeps it took */
  readonly mode: Orientation;
  readonly sweeps: number;
  /** what either orientation takes */
  readonly forwardSweeps: number;
  readonly reverseSweeps: number;
  readonly inputs: readonly { readonly name: string; readonly count: number; readonly scalar: boolean }[];
  readonly outputs: readonly { readonly key: string | number | null; readonly value: number }[];
  /** row-major, a row an output, a column an input number */
  readonly entries: Float64Array;
  readonly columns: number;
}

/** Throws BacksweepError `option` for last-writer-wins, `no-rule` for n-d arrays, and what a run throws. */
export function jacobian(subject: Subject, { mode: asked }: JacobianAnalysis): JacobianResult {
  const { inputs, outputs, columns, rows, entries, mode, sweeps } = jacobianTable(subject, asked);
  return {
    asked,
    mode,
    sweeps,
    forwardSweeps: columns,
    reverseSweeps: rows,
    inputs: inputs.map(({ name, count, shape }) => ({ name, count, scalar: shape.length === 0 })),
    outputs: outputs.map(({ key, value }) => ({ key, value })),
    entries,
    columns,
  };
}

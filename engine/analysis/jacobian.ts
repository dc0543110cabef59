/** `backsweep jacobian`: every output's derivative in every input, by the cheaper orientation. */
import { jacobianTable, type JacobianMode } from "../graph/jacobian.js";
import type { Subject } from "../graph/record.js";
import type { Orientation } from "../sweep/jacobian.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";

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
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** row-major, a row an element of the outputs, a column an element of the inputs */
  readonly entries: Float64Array;
  readonly columns: number;
}

/** Throws BacksweepError `option` for last-writer-wins, or a table too large to keep; and what a run throws. */
export function jacobian(subject: Subject, { mode: asked }: JacobianAnalysis): JacobianResult {
  const { inputs, outputs, columns, rows, entries, mode, sweeps } = jacobianTable(subject, asked);
  return {
    asked,
    mode,
    sweeps,
    forwardSweeps: columns,
    reverseSweeps: rows,
    inputs,
    outputs,
    entries,
    columns,
  };
}

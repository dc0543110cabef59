/** `backsweep jacobian`: every output's derivative in every input, by the cheaper orientation. */
import { jacobianTable, type JacobianMode } from "../graph/jacobian.js";
import { fullRecorder, type Subject } from "../graph/record.js";
import type { Note } from "../report/report.js";
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
  /** cuts and kinks met while recording */
  readonly notes: readonly Note[];
}

/** Throws BacksweepError `option` for last-writer-wins, or a table too large to keep; and what a run throws. */
export function jacobian(subject: Subject, { mode: asked }: JacobianAnalysis): JacobianResult {
  const table = jacobianTable(subject, asked, fullRecorder);
  const { inputs, outputs, columns, rows, entries, mode, sweeps, notes } = table;
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
    notes,
  };
}

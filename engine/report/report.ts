/**
 * What a run says beside the trace: the numbers of `run --json` that are not rows of a table. Computed once, where the
 * sweep ran; the CLI, the panel and the memory card print it.
 */

/** A gradient entry: a number for a scalar input, nested arrays for an array, in its shape. */
export type GradientValue = number | readonly GradientValue[];
export type Gradient = Readonly<Record<string, GradientValue>>;

export interface MemoryFigure {
  readonly peakCount: number;
  readonly peakBytes: number;
  /** first step at which the peak count is held */
  readonly atStep: number;
}

export interface MemoryReport {
  readonly instructions: MemoryFigure;
  readonly primalStates: MemoryFigure;
  readonly cotangentBuffers: MemoryFigure;
  readonly metadata: MemoryFigure;
}

export interface FlopsReport {
  /** unit operations + - * / of the primal */
  readonly forward: number;
  /** unit operations of the reverse sweep over those primitives, each `+=` counted */
  readonly reverse: number;
  /** (forward + reverse) / forward; 0 where forward is 0 */
  readonly ratio: number;
  /** every other primitive, by the table's costs */
  readonly other: { readonly forward: number; readonly reverse: number };
}

export type NoteCode =
  | "cut" // a traced number was used where no derivative flows
  | "kink" // evaluated at a non-differentiable point
  | "unknown-input" // the graph function asks for an input that the graph has not: it gets undefined
  | "unused-input" // the output does not depend on this input: gradient 0
  | "other-length" // a list is set to another length than its definition has
  | "non-finite" // NaN or Inf: the first in forward order, or the first in the reverse sweep
  | "several-outputs"; // the cotangent of several outputs was chosen by default

export interface Note {
  readonly code: NoteCode;
  readonly severity: "info" | "warning" | "finding";
  readonly message: string;
  readonly node: number;
  /** a cut that the program asked for by name; absent: it was not */
  readonly chosen?: true;
  readonly file: string | null;
  /** from 1; 0 unknown */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What an analysis says beside its numbers: the notes of a run, and some of its own. */
export interface Remark extends Omit<Note, "code"> {
  readonly code:
    | NoteCode
    | "branch" // steps that cross a recorded decision are left out
    | "identity" // in plain Node: a branch looks at a traced number as an object
    | "meaning"; // what the numbers shown are, where the options do not say it
}

/** What the executor did with one chain, segment or stack of the graph. */
export interface RegionReport {
  /** "chain", "checkpoint", "cut" or "coupling" */
  readonly kind: string;
  readonly name: string;
  readonly steps: number;
  /** the schedule it ran under, as typed; "store-all" where everything was kept */
  readonly schedule: string;
  /** counted while it ran; null where everything was kept */
  readonly executed: ExecutedCounts | null;
}

/** The counts of `plan --json`, of an execution. */
export interface ExecutedCounts {
  readonly peakStates: number;
  readonly peakTapes: number;
  readonly peakSlots: number;
  readonly advances: number;
  readonly records: number;
  readonly uncomputes: number;
  readonly totalForwards: number;
  readonly extraForwards: number;
  readonly replays: number;
  readonly reads: number;
  readonly writes: number;
  readonly diskReads: number;
  readonly diskWrites: number;
  readonly peakDiskSlots: number;
}

/** How far the input of a coupling layer, computed back, is from the first run's. */
export interface LayerError {
  readonly region: number;
  readonly name: string;
  /** from 0 */
  readonly layer: number;
  /** the most of both halves, in units in the last place of the half's largest element; NaN: only one value is a number */
  readonly ulps: number;
}

/** What inverses of coupling layers did to the numbers. */
export interface ReconstructionReport {
  readonly layers: readonly LayerError[];
  /**
   * the gradient against that of store-all in the same order: the largest difference, in units in the last place of the
   * largest entry of its input's gradient, and in relation to it; null where store-all does not fit or the graph is too large to run twice
   */
  readonly gradient: { readonly ulps: number; readonly relative: number } | null;
}

export interface CheckpointReport {
  readonly schedule: string;
  readonly regions: readonly RegionReport[];
  /** allocated bytes: of the primals the executor held at once, a number 8 bytes, an array its elements */
  readonly allocatedBytes: { readonly peak: number; readonly storeAll: number };
  /** only where coupling layers were inverted */
  readonly reconstruction?: ReconstructionReport;
  /** what of the user's code ran again, every value of it compared with the first run; null: nothing did */
  readonly replay: {
    readonly replays: number;
    readonly values: number;
    readonly decisions: number;
    readonly draws: number;
    /** updates of running states in the first run */
    readonly stateUpdates: number;
  } | null;
  /** why this schedule, what was rejected: sentences for a person */
  readonly remarks: readonly string[];
}

export interface RunReport {
  readonly graph: string;
  /** all graphs the module exports, in export order */
  readonly graphs: readonly string[];
  readonly gradient: Gradient;
  /** the sum sweep's gradient; the same as `gradient` unless last-writer-wins was chosen */
  readonly correctGradient: Gradient;
  readonly lastWriterWins: { readonly gradient: Gradient };
  readonly memory: MemoryReport;
  /** absent: the graph has no chain, checkpoint or cuts */
  readonly checkpoint?: CheckpointReport;
  readonly flops: FlopsReport;
  readonly notes: readonly Note[];
  /** true: a finding (NaN or Inf), exit code 1 */
  readonly finding: boolean;
}

/** The elements of an array's gradient in row-major order, beside those of another sweep, with their index: "[0][2]". */
export function* gradientElements(
  value: GradientValue,
  other: GradientValue | undefined,
  path = "",
): Generator<{ readonly path: string; readonly value: number; readonly other: number }> {
  if (typeof value === "number") {
    yield { path, value, other: typeof other === "number" ? other : NaN };
    return;
  }
  for (const [i, element] of value.entries()) {
    const beside = typeof other === "object" ? other[i] : undefined;
    yield* gradientElements(element, beside, `${path}[${i}]`);
  }
}

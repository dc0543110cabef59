/**
 * A recorded sweep as tables of typed-array columns. The columns are those of the `backsweep-trace` format, version 1;
 * our engine is one writer of such a value, other engines' recorders are others. Player, debugger, hover, tree and
 * reports read only this.
 *
 * Every index that may be absent is -1. Strings are indices into `strings`. Lines and columns count from 1 (0 = unknown),
 * ends are exclusive. A trace is plain data: it crosses threads and the webview boundary by structured clone.
 */
import type { EventKind } from "./events.js";

/** What a node is: an operation, an input or parameter, a user's own primitive, a replayed or an opaque (cut) value. */
export const NodeKind = { op: 0, input: 1, parameter: 2, custom: 3, replayed: 4, opaque: 5 } as const;
export type NodeKind = (typeof NodeKind)[keyof typeof NodeKind];

/** What a scope is. A loop has one row an iteration reached, with the same parent and name. */
export const ScopeType = { module: 0, function: 1, loop: 2, region: 3 } as const;
export type ScopeType = (typeof ScopeType)[keyof typeof ScopeType];

export interface FilesTable {
  readonly n: number;
  /** string index: path relative to `header.root` where it lies inside it, else absolute */
  readonly path: Int32Array;
  /** string index of the text the sweep was recorded from, or -1 */
  readonly text: Int32Array;
}

export interface SitesTable {
  readonly n: number;
  readonly file: Int32Array;
  readonly line: Int32Array;
  readonly col: Int32Array;
  readonly endLine: Int32Array;
  readonly endCol: Int32Array;
  /** string index of the enclosing function's name, or -1 */
  readonly func: Int32Array;
  /** the caller's site, or -1; our own engine leaves -1 here and gives the call site per scope instead */
  readonly parent: Int32Array;
}

/** Row 0 is the root scope. */
export interface ScopesTable {
  readonly n: number;
  readonly parent: Int32Array;
  readonly name: Int32Array;
  readonly type: Uint8Array;
  /** loop iteration from 0, function instance from 1, -1 where neither applies */
  readonly iteration: Int32Array;
  /** the site that entered the scope (the call, the loop), or -1 */
  readonly site: Int32Array;
}

/** One row a value: a node's output, a contribution, a cotangent or a local derivative. Scalars need only `mean`. */
export interface ValuesTable {
  readonly n: number;
  readonly mean: Float64Array;
}

/**
 * Values that are n-d arrays, ascending by values row; `values.mean` then holds the mean of the elements. A value without
 * a row here is a number. Of large arrays only the first elements are kept.
 */
export interface ArraysTable {
  readonly n: number;
  /** the values row */
  readonly value: Int32Array;
  /** lengths by axis of row i: lengths[axesStart[i]] .. lengths[axesStart[i + 1]] */
  readonly axesStart: Int32Array;
  readonly lengths: Int32Array;
  /** Euclidean norm of all elements */
  readonly norm: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** number of elements that are NaN or infinite */
  readonly nonfinite: Int32Array;
  /** kept elements of row i: data[dataStart[i]] .. data[dataStart[i + 1]] */
  readonly dataStart: Int32Array;
  readonly data: Float64Array;
}

export interface NodesTable {
  readonly n: number;
  /** string index of the primitive's name ("input" for inputs) */
  readonly op: Int32Array;
  readonly kind: Uint8Array;
  /** string index of the name's base, or -1; see `nodeName`, which puts the parts together */
  readonly name: Int32Array;
  /** instance of a variable that is assigned again (`x@1`), -1 where the plain name is shown */
  readonly instance: Int32Array;
  /** scopes row of the function instance the name is shown with (`helper#2.t`), -1 without one */
  readonly owner: Int32Array;
  /** string index of the expression as written in the source, or -1 */
  readonly label: Int32Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
  /** values row of the primal (the node's output 0) */
  readonly value: Int32Array;
}

/** One row an operand *slot*: `x * x` is two edges. Rows of one consumer lie together, in slot order, consumers ascending. */
export interface EdgesTable {
  readonly n: number;
  /** the operand */
  readonly from: Int32Array;
  /** the consumer: the contribution flows to -> from */
  readonly to: Int32Array;
  readonly slot: Int32Array;
  /** values row of the local derivative, -1 unknown (or not on a path to an output) */
  readonly local: Int32Array;
}

/** Operands that are no nodes: plain numbers in the program. */
export interface ConstantsTable {
  readonly n: number;
  readonly node: Int32Array;
  readonly slot: Int32Array;
  readonly value: Float64Array;
  /** values row of a constant that is an array, -1 for numbers; absent: all are numbers */
  readonly row?: Int32Array;
}

/**
 * In true order. What `node`, `edge`, `value` mean per kind is stated in `events.ts`. A *step* (what a person moves by)
 * is an `eval` or a `contribute` row (later also replay actions); rows of other kinds belong to the step before them.
 */
export interface EventsTable {
  readonly n: number;
  readonly kind: Uint8Array;
  readonly node: Int32Array;
  readonly edge: Int32Array;
  readonly value: Int32Array;
  /** segment row or state, by kind; absent: -1 everywhere */
  readonly a?: Int32Array;
  /** row of the slots table, by kind; absent: -1 everywhere */
  readonly b?: Int32Array;
}

/** What became of a contribution in a sweep that was watched and not computed here. */
export const Fate = { kept: 0, lost: 1, missing: 2, unknown: 3 } as const;
export type Fate = (typeof Fate)[keyof typeof Fate];

/**
 * What was seen of the sweep of an engine that is audited, one row an edge. A contribution that is missing was never made;
 * of an unknown one nothing was seen: both have no value in the event, and only the first is a statement.
 */
export interface SeenTable {
  readonly n: number;
  /** a code of `Fate` */
  readonly fate: Uint8Array;
  /** values rows of what was paid along edge e, in order: row[start[e]] .. row[start[e + 1]] */
  readonly start: Int32Array;
  readonly row: Int32Array;
  /** by node: values row of what stood in its slot before the sweep, -1 for nothing */
  readonly leftover: Int32Array;
  /** what the engine threw in its sweep, of which nothing is known then */
  readonly threw?: string;
}

/** What a row of the segments table is. */
export const SegmentKind = { outside: 0, step: 1, checkpoint: 2, cut: 3, coupling: 4 } as const;
export type SegmentKind = (typeof SegmentKind)[keyof typeof SegmentKind];

/**
 * The parts of the recording that are dropped and replayed as wholes, in node order; together they are all nodes. Absent:
 * the graph has no `chain`, `checkpoint` or cuts.
 */
export interface SegmentsTable {
  readonly n: number;
  readonly kind: Uint8Array;
  /** string index of the name of the chain, checkpoint or stack it belongs to, -1 outside */
  readonly owner: Int32Array;
  /** rows of one chain have one number, -1 outside */
  readonly region: Int32Array;
  /** from 0 within its region, -1 outside */
  readonly step: Int32Array;
  /** nodes [first, end) */
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** The slots of a sweep under a schedule, which the `b` column of storage events names. */
export interface SlotsTable {
  readonly n: number;
  /** region whose slot it is */
  readonly region: Int32Array;
  /** the schedule's own number of it */
  readonly number: Int32Array;
  /** 1: on the slower level ("disk") of a schedule of two levels */
  readonly disk: Uint8Array;
}

/** Recorded decisions: comparisons and truth tests whose operand was traced. */
export interface DecisionsTable {
  readonly n: number;
  /** string index: "<", "===", "truth", "switch", ... */
  readonly op: Int32Array;
  /** operand nodes, -1 where the operand is a plain value */
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly outcome: Uint8Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
  /** number of nodes recorded when the decision was taken */
  readonly at: Int32Array;
}

/** Draws from the graph's own random stream. */
export interface DrawsTable {
  readonly n: number;
  readonly value: Float64Array;
  readonly site: Int32Array;
}

/** Remarks at a place: cuts, kinks, unused inputs. Never an error. */
export interface NotesTable {
  readonly n: number;
  /** string index: "cut", "kink", "unused-input", ... */
  readonly code: Int32Array;
  readonly node: Int32Array;
  readonly site: Int32Array;
  /** string index of the sentence shown */
  readonly text: Int32Array;
}

/** How a graph's argument was made of nodes. */
export interface InputInfo {
  readonly name: string;
  /** node ids, one for a scalar, `count` for an array of rank 1 */
  readonly first: number;
  readonly count: number;
  /** [] for a scalar, [n] for an array */
  readonly shape: readonly number[];
  /** the whole array is the one node `first`; absent: its elements are nodes of their own */
  readonly tensor?: true;
}

/** An n-d array: lengths by axis and the elements in row-major order. */
export interface ArrayValue {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** How the graph's result is made of nodes (or of plain numbers: `node` -1). */
export interface OutputInfo {
  /** null: the one returned value; otherwise its key or index */
  readonly key: string | number | null;
  readonly node: number;
  readonly value: number;
  /** seed of the reverse sweep at this output */
  readonly cotangent: number;
  /** elements of an output that is an array; `value` is then their mean */
  readonly array?: ArrayValue;
  /** the seed of an array output; `cotangent` is then its mean */
  readonly seed?: ArrayValue;
}

export interface TraceOptions {
  readonly graph: string;
  readonly dtype: Dtype;
  readonly cotangentDtype: Dtype;
  /** "sum", "pairwise", "kahan", "last-writer-wins", "last-writer-wins:all" or "last-writer-wins:NAME" */
  readonly accumulation: string;
  /** "breadth", "tape" or "explicit" */
  readonly order: string;
  readonly schedule: string;
  readonly seed: number;
}

export type Dtype = "f64" | "f32" | "f16" | "bf16";

export interface TraceHeader {
  readonly format: "backsweep-trace";
  readonly version: 1;
  readonly engine: { readonly name: string; readonly version: string };
  readonly language: string;
  readonly root: string;
  readonly options: TraceOptions;
  /** what this recorder could not give, one word each */
  readonly missing: readonly string[];
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** false: user code stopped before the sweep (deadline, exception): forward rows only */
  readonly complete: boolean;
  /** nodes recorded in all; of a recording that stopped early only the first are given */
  readonly recorded: number;
}

export interface Trace {
  readonly header: TraceHeader;
  readonly strings: readonly string[];
  readonly files: FilesTable;
  readonly sites: SitesTable;
  readonly scopes: ScopesTable;
  readonly values: ValuesTable;
  /** absent: every value is a number */
  readonly arrays?: ArraysTable;
  readonly nodes: NodesTable;
  readonly edges: EdgesTable;
  readonly constants: ConstantsTable;
  readonly events: EventsTable;
  /** absent: the recording is one piece */
  readonly segments?: SegmentsTable;
  /** absent: nothing was put into slots */
  readonly slots?: SlotsTable;
  readonly decisions: DecisionsTable;
  readonly draws: DrawsTable;
  readonly notes: NotesTable;
  /** absent: the sweep was computed by the engine that recorded it, and its sums are sums */
  readonly seen?: SeenTable;
}

export type { EventKind };

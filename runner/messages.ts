/** What the host (extension or CLI), the runner process and its workers say to each other. */
import type { AnalysisKind, AnalysisOf, ResultOf } from "../engine/analysis/analysis.js";
import type { AskedOptions } from "../engine/graph/options.js";
import type { Dtype, Trace } from "../engine/trace/trace.js";
import type { RunReport } from "../engine/report/report.js";
import type { Layout } from "../engine/layout/layout.js";
import type { FailureKind } from "../engine/trace/failure.js";
import type { AuditAsked, AuditSuccess } from "./audit-messages.js";

export interface RunOptions extends AskedOptions {
  /** exported name of the graph; absent: the first */
  readonly graph?: string;
}

export interface RunRequest {
  /** absolute path of the module */
  readonly file: string;
  /** absolute folder imports must stay inside */
  readonly root: string;
  /** unsaved texts by absolute path, instead of what is on disk */
  readonly texts?: Readonly<Record<string, string>>;
  readonly options: RunOptions;
  /** milliseconds the user's code may take, from the moment its modules are compiled; the sweep has a time of its own */
  readonly timeoutMs: number;
  /** bytes of heap and arrays together */
  readonly memoryBytes: number;
  readonly allowImports: boolean;
  /** also compute node positions for the view */
  readonly layout: boolean;
  /** instead of a run: this analysis of the graph */
  readonly analysis?: AnalysisOf<AnalysisKind>;
  /** with `analysis`: of every graph the module exports; one that fails does not keep the others from theirs */
  readonly everyGraph?: boolean;
  /** instead of a run: audits of the engines the module exports; it is loaded to be observed */
  readonly audit?: AuditAsked;
}

/** A request for one analysis. */
export interface AnalysisRequest<K extends AnalysisKind> extends RunRequest {
  readonly analysis: AnalysisOf<K>;
}

/** One clear message for each way a run cannot be used (exit code 2). */
export interface Failure {
  readonly kind: FailureKind;
  /** one line, without the place */
  readonly message: string;
  /** absolute path, or null when the failure has no place (an option) */
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** the user's own frames, innermost first: "at helper (file:line:column)" */
  readonly frames: readonly string[];
}

export interface RunSuccess {
  readonly ok: true;
  readonly trace: Trace;
  /** the same forward rows swept the other way: last-writer-wins, or the sum when last-writer-wins was chosen; null above 50,000 nodes */
  readonly counterpart: Trace | null;
  readonly report: RunReport;
  readonly positions: Layout | null;
  /** absolute paths of all modules that were read, JSON too: of what the numbers depend on */
  readonly files: readonly string[];
  readonly elapsedMs: number;
}

export interface RunFailure {
  readonly ok: false;
  readonly failure: Failure;
  /** what was traced so far (forward rows only), where it could be kept */
  readonly partial: Trace | null;
  /** absolute paths of the modules that were read; absent where the process was lost */
  readonly files?: readonly string[];
}

export type RunResult = RunSuccess | RunFailure;

/** One graph's analysis: its result, or why there is none. */
export type AnalysedGraph<K extends AnalysisKind> =
  | {
      readonly graph: string;
      readonly settings: AnalysisSettings;
      readonly result: ResultOf<K>;
      readonly failure: null;
    }
  | { readonly graph: string; readonly failure: Failure };

/** The options an analysis was made with, completed. */
export interface AnalysisSettings {
  readonly dtype: Dtype;
  readonly cotangentDtype: Dtype;
  readonly accumulation: string;
  readonly order: "breadth" | "tape" | readonly number[];
  readonly schedule: string;
  readonly seed: number;
}

/** Resident memory of a runner process, in bytes, as the operating system measures it. */
export interface MeasuredMemory {
  /** before the graph function ran: modules loaded, the engine warm, garbage collected */
  readonly before: number;
  /** the most there was since */
  readonly peak: number;
  /** how long the run took, in milliseconds, without loading and without the collections that measuring asked for */
  readonly elapsedMs: number;
}

export interface AnalysisSuccess<K extends AnalysisKind> {
  readonly ok: true;
  /** every graph the module exports, in the order of its text */
  readonly graphs: readonly string[];
  readonly analysed: readonly AnalysedGraph<K>[];
  /** of a `compare`: what the system says of the process it ran in */
  readonly measured?: MeasuredMemory;
  readonly elapsedMs: number;
}

/** What a worker answers: to a run a run, to an analysis an analysis, to an audit an audit. */
export type JobResult = RunResult | AnalysisSuccess<AnalysisKind> | AuditSuccess;

export interface ConsoleLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

export const DEFAULT_TIMEOUT_MS = 5_000;
export const DEFAULT_MEMORY_BYTES = 512 * 1024 * 1024;

export type { FailureKind };
/** Where the nodes of a run stand in the view. */
export type Positions = Layout;

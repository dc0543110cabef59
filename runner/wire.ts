/** What the host, the runner process and its workers say to each other, typed both ways. */
import type { Packed } from "../engine/trace/columns.js";
import type { AuditWord } from "./audit-messages.js";
import type { ConsoleLine, FailureKind, Positions, RunRequest, JobResult } from "./messages.js";

/** A place in the user's source; lines and columns from 1, ends exclusive. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Host to runner process. */
export type HostToRunner =
  | { readonly type: "run"; readonly id: number; readonly request: RunRequest }
  | { readonly type: "cancel"; readonly id: number };

/** Runner process to host. The bytes of a result's columns follow on the data pipe. */
export type RunnerToHost =
  | { readonly type: "started"; readonly id: number }
  /** the graph function is done; the sweep has a time of its own */
  | { readonly type: "recorded"; readonly id: number; readonly sweepMs: number }
  | { readonly type: "console"; readonly id: number; readonly line: ConsoleLine }
  | { readonly type: "audit"; readonly id: number; readonly word: AuditWord }
  /** a copy of the last place reached: shared memory is lost with the process */
  | { readonly type: "last"; readonly id: number; readonly place: Place }
  /** the run is being ended by force; if the process dies of it, this is why */
  | { readonly type: "ending"; readonly id: number; readonly kind: FailureKind }
  /** user code and sweep are over; the result is being put together and sent */
  | { readonly type: "progress"; readonly id: number }
  /** the worker of a cancelled run has ended */
  | { readonly type: "gone"; readonly id: number }
  /** the worker of a cancelled run cannot be ended: the process must be */
  | { readonly type: "stuck"; readonly id: number }
  | { readonly type: "result"; readonly id: number; readonly packed: Packed };

/** Runner process to worker. */
export interface RunnerToWorker {
  readonly type: "run";
  readonly request: RunRequest;
}

/** Worker to runner process. */
export type WorkerToRunner =
  /** everything is loaded and user code begins: from here on the deadline counts */
  | { readonly type: "begun" }
  /** the graph function has returned; `userCode`: rules of the user's own run in the sweep */
  | { readonly type: "recorded"; readonly userCode: boolean }
  | { readonly type: "console"; readonly line: ConsoleLine }
  /** how far an audit is */
  | { readonly type: "audit"; readonly word: AuditWord }
  /** places of a module's sites, told before any of its code runs */
  | {
      readonly type: "sites";
      readonly base: number;
      readonly file: string;
      readonly line: Int32Array;
      readonly column: Int32Array;
      readonly endLine: Int32Array;
      readonly endColumn: Int32Array;
    }
  /** user code and sweep are over, well or not; what was traced is being put together */
  | { readonly type: "packing" }
  | { readonly type: "result"; readonly result: JobResult };

export interface WorkerData {
  readonly monitor: Int32Array<SharedArrayBuffer>;
  readonly memoryBytes: number;
}

export type { Positions };

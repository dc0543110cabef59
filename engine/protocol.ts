/**
 * The messages between the extension host and the webview, typed both ways. The host is the source of truth: after
 * `ready` it can send everything again, at any time. Columns travel as typed arrays.
 */
import type { Note, RunReport } from "./report/report.js";
import type { Layout } from "./layout/layout.js";
import type { Answers, Question } from "./report/questions.js";
import type { Trace } from "./trace/trace.js";

/** One sweep as the view needs it; or the forward recording of a run that stopped before its sweep (`header.complete` false). */
export interface SweepView {
  /** changes with every run, so that late answers can be told from current ones */
  readonly id: number;
  readonly graph: string;
  readonly graphs: readonly string[];
  /** file name as shown, and its uri as the host knows it */
  readonly fileLabel: string;
  readonly uri: string;
  readonly trace: Trace;
  readonly counterpart: Trace | null;
  /** name of the audited engine whose sweep the counterpart is; absent: the counterpart is our own, the other way */
  readonly foreign?: string;
  /** what is wrong with that engine */
  readonly fault?: FaultView | null;
  /** null: the run stopped before its sweep, so there is neither a gradient nor a cost to report */
  readonly report: RunReport | null;
  /** null: none came with the result; the view places the (few) nodes itself */
  readonly positions: Layout | null;
}

/** The fault of an audited engine, in words, and where it is. */
export interface FaultView {
  /** its class */
  readonly title: string;
  readonly text: string;
  /** `file`: absolute path, `label`: as shown; null: no line shows it */
  readonly place: {
    readonly label: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  } | null;
}

export interface FailureView {
  readonly kind: string;
  readonly message: string;
  readonly fileLabel: string | null;
  readonly line: number;
  readonly column: number;
  readonly frames: readonly string[];
  /** the graph that was run, where it is known, and all of the file, so that another can be chosen */
  readonly graph: string | null;
  readonly graphs: readonly string[];
}

/** Which of the two sweeps of a `SweepView` is on screen. */
export type Mode = "sum" | "last-writer-wins";

/** The pictures of one sweep, each behind its tab. */
export const tabs = ["graph", "memory", "schedules", "numerics"] as const;
export type Tab = (typeof tabs)[number];

/** What survives hiding, moving and reloading the window. */
export interface ViewState {
  readonly uri: string;
  readonly graph: string;
  readonly step: number;
  readonly mode: Mode;
  readonly selected: number;
  readonly speed: number;
  readonly tab?: Tab;
  readonly zoom?: number;
  readonly pan?: { readonly x: number; readonly y: number };
  /** width and height of the drawing that zoom and pan were chosen in */
  readonly size?: readonly [number, number];
  /** milliseconds since 1970: of two memories the later counts */
  readonly time?: number;
}

export type EmptyReason = "no-graph" | "restricted" | "closed" | "passes";

export type HostMessage =
  | {
      readonly type: "sweep";
      readonly sweep: SweepView;
      readonly step?: number;
      readonly mode?: Mode;
      readonly selected?: number;
    }
  /** a big "sweep" message in pieces: its shape (`Packed` of runner/columns.ts), then the bytes of its columns */
  | { readonly type: "begin"; readonly packed: unknown }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  /** the sweep on screen is older than the text */
  | { readonly type: "stale"; readonly stale: boolean }
  /** the sweep on screen is a what-if of a debug session, and what it changes; null: it is the graph's own */
  | { readonly type: "whatIf"; readonly what: string | null }
  /** a run (of this graph) has begun or ended; the view keeps what it shows */
  | { readonly type: "running"; readonly running: boolean; readonly graph?: string | null }
  /**
   * The run failed. `over` is the sweep that stays on screen, null: there is none of this graph. `partial`: what stays
   * is what this very run recorded; otherwise it is the last good sweep, stale. Null: what was said of a failure no
   * longer holds.
   */
  | {
      readonly type: "failure";
      readonly failure: FailureView | null;
      readonly partial: boolean;
      readonly over: number | null;
    }
  /** no sweep can be shown, and why: there is no graph in the file, the workspace is restricted, the engine has no fault */
  | { readonly type: "empty"; readonly reason: EmptyReason; readonly detail: string }
  /** the editor's cursor is at a node */
  | { readonly type: "select"; readonly node: number }
  /** another of the three movers moved the index */
  | { readonly type: "step"; readonly step: number }
  /** steps of the sweep on screen at which a breakpoint would stop, ascending; a new sweep has none until it is told */
  | { readonly type: "breakpoints"; readonly steps: readonly number[] }
  /** a command asks for one of the pictures; `measure`: and for the schedules to be measured on the graph of the sweep */
  | { readonly type: "tab"; readonly tab: Tab; readonly measure?: boolean }
  /** `packed` and the bytes of its columns, as trace/columns.ts has them: VS Code writes messages as JSON */
  | {
      readonly type: "reply";
      readonly request: number;
      readonly ok: true;
      readonly packed: unknown;
      readonly columns: readonly Uint8Array[];
    }
  | { readonly type: "reply"; readonly request: number; readonly ok: false; readonly error: string };

export type ViewMessage =
  | { readonly type: "ready"; readonly state: ViewState | null }
  /** the user moved the index, or chose the mode or a node */
  | {
      readonly type: "moved";
      readonly sweep: number;
      readonly step: number;
      readonly mode: Mode;
      readonly selected: number;
    }
  /** show the source of this node */
  | { readonly type: "reveal"; readonly sweep: number; readonly node: number }
  /** show a place of the file so called (a failure's label, a note's file); null: of the graph's own */
  | {
      readonly type: "revealPlace";
      readonly line: number;
      readonly column: number;
      readonly file: string | null;
    }
  /** `schedule`: absent, as before; null, the graph's own; else that one from now on */
  | { readonly type: "run"; readonly graph: string | null; readonly schedule?: string | null }
  | { readonly type: "manageTrust" }
  /** something in the view went wrong: it is logged, never silent */
  | { readonly type: "error"; readonly message: string }
  | { readonly type: "request"; readonly request: number; readonly call: ViewRequest };

/** A picture or its numbers, to be saved. */
export interface ExportRequest {
  readonly kind: "export";
  readonly name: string;
  readonly format: "svg" | "png" | "csv" | "json";
  readonly data: string;
}

/** Questions the view asks the host, each answered by `reply` or timed out. */
export type ViewRequest = ExportRequest | Question;

/** What is answered to a request. Numbers that JSON has no word for, and columns, travel packed (trace/columns.ts). */
export type ReplyTo<R extends ViewRequest> = R extends Question ? Answers[R["kind"]] : unknown;

/** Milliseconds after which an unanswered request is an error shown to the user. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** The same for questions that run user code: those have the run's own deadline, and the host answers in any case. */
export const RUN_TIMEOUT_MS = 600_000;

export type { Note };

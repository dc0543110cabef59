/** What the view shows, kept by the host: sent piece by piece as it changes, and all again whenever the view asks. */
import type { FailureView, HostMessage, SweepView, ViewMessage, ViewState } from "../engine/protocol.js";
import type { Layout } from "../engine/layout/layout.js";
import type { Trace } from "../engine/trace/trace.js";
import type { RunSuccess } from "../runner/messages.js";
import type { Panel } from "./panel.js";
import { Remembered, type Position } from "./remembered.js";
import { labelOf, targetKey, type Target } from "./target.js";

const START = "Open a graph definition and choose Run sweep above the graph.";
const RESTRICTED =
  "This workspace is not trusted. A sweep runs the code of the graph, so nothing is run until you trust it.";

/** A sweep without positions has nothing to draw; its numbers are shown all the same. */
const NOTHING_DRAWN: Layout = {
  shown: new Int32Array(),
  x: new Float32Array(),
  y: new Float32Array(),
  width: 0,
  height: 0,
  edges: new Int32Array(),
  bendStart: new Int32Array(1),
  bends: new Float32Array(),
};

type Moved = Extract<ViewMessage, { type: "moved" }>;

export class View {
  panel: Panel | null = null;
  restricted = false;
  private sweep: SweepView | null = null;
  private failure: FailureView | null = null;
  private refusal: string | null = null;
  private running = false;
  private stale = false;
  private lastId = 0;
  /** the sweep that the view was sent last, until it was loaded anew */
  private shown: number | null = null;
  private readonly remembered = new Remembered();

  get trace(): Trace | null {
    return this.sweep?.trace ?? null;
  }

  get selected(): number {
    return this.position?.selected ?? -1;
  }

  /** Step, mode and selection in the sweep on screen. */
  get position(): Position | null {
    return (this.sweep && this.remembered.get(keyOf(this.sweep))) ?? null;
  }

  /** One word for what is on screen. */
  get face(): string {
    if (this.restricted) return "restricted";
    if (this.sweep) return this.failure ? "failed-over-sweep" : this.stale ? "stale" : "sweep";
    if (this.failure) return "failure";
    return this.running ? "running" : this.refusal ? "no-graph" : "closed";
  }

  isCurrent(sweep: number): boolean {
    return this.sweep?.id === sweep;
  }

  /** Keeps where the user was, for a sweep yet to be shown. */
  remember(target: Target, { step, mode, selected }: Position): void {
    this.remembered.set(targetKey(target), { step, mode, selected });
  }

  show(target: Target, result: RunSuccess, stale: boolean): void {
    const { trace, counterpart, report } = result;
    this.sweep = {
      id: ++this.lastId,
      graph: report.graph,
      graphs: report.graphs,
      fileLabel: labelOf(target.uri),
      uri: target.uri.toString(),
      trace,
      counterpart,
      report,
      positions: result.positions ?? NOTHING_DRAWN,
    };
    this.failure = null;
    this.refusal = null;
    this.running = false;
    this.stale = stale;
    this.sendAll();
  }

  /** The run failed: the last good sweep of the same graph stays, marked stale. */
  fail(failure: FailureView): void {
    this.failure = failure;
    this.refusal = null;
    this.running = false;
    this.stale = this.sweep !== null;
    this.sendAll();
  }

  /** There is nothing to run, and why. */
  refuse(detail: string): void {
    this.refusal = detail;
    this.running = false;
    this.sendAll();
  }

  /** Another graph is about to be run: what is known of this one is not shown as if it were the other's. */
  leave(): void {
    this.sweep = null;
    this.failure = null;
    this.refusal = null;
    this.stale = false;
  }

  setRunning(running: boolean): void {
    if (running) this.refusal = null;
    this.running = running;
    this.send({ type: "running", running });
  }

  setStale(stale: boolean): void {
    if (this.sweep === null || this.failure) return;
    this.stale = stale;
    this.send({ type: "stale", stale });
  }

  /** The editor's cursor is at a node. */
  select(node: number): void {
    if (this.sweep === null) return;
    const position = this.position ?? { step: 0, mode: "sum", selected: -1 };
    this.remembered.set(keyOf(this.sweep), { ...position, selected: node });
    this.send({ type: "select", node });
  }

  moved({ sweep, step, mode, selected }: Moved): void {
    if (this.sweep?.id === sweep) this.remembered.set(keyOf(this.sweep), { step, mode, selected });
  }

  /** The view is there, new or again; what it kept counts where the host knows nothing (after a reload). */
  ready(state: ViewState | null): void {
    this.shown = null;
    if (state) {
      const key = keyOf(state);
      const { step, mode, selected } = state;
      if (this.remembered.get(key) === undefined) this.remembered.set(key, { step, mode, selected });
    }
    this.sendAll();
  }

  /** Everything again; the view can take it at any time, twice. */
  sendAll(): void {
    const { panel, sweep, failure } = this;
    if (panel === null) return;
    panel.title = sweep && !this.restricted ? `Backsweep: ${sweep.graph}` : "Backsweep";
    if (!panel.ready) return;
    if (this.restricted) return this.send({ type: "empty", reason: "restricted", detail: RESTRICTED });
    if (sweep) {
      this.shown = sweep.id;
      this.send({ type: "sweep", sweep, ...this.position });
      this.send({ type: "stale", stale: this.stale });
    } else if (this.shown !== null && !this.running) {
      // what the view shows is another graph's sweep, which no message takes back
      this.shown = null;
      return panel.load();
    } else if (!failure && !this.running)
      this.send({ type: "empty", reason: "no-graph", detail: this.refusal ?? START });
    if (failure) this.send({ type: "failure", failure, partial: false });
    this.send({ type: "running", running: this.running });
  }

  private send(message: HostMessage): void {
    this.panel?.send(message);
  }
}

function keyOf({ uri, graph }: { readonly uri: string; readonly graph: string }): string {
  return `${uri}#${graph}`;
}

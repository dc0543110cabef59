/** What the view shows, kept by the host: sent piece by piece as it changes, and all again whenever the view asks. */
import * as vscode from "vscode";
import type {
  FailureView,
  HostMessage,
  Mode,
  SweepView,
  Tab,
  ViewMessage,
  ViewState,
} from "../engine/protocol.js";
import type { Trace } from "../engine/trace/trace.js";
import type { RunSuccess } from "../runner/messages.js";
import type { ForeignSweep } from "./audit/smallest.js";
import type { Change, Screen } from "./features/shown.js";
import { firstLook } from "./first-look.js";
import { log } from "./log.js";
import type { Panel } from "./panel.js";
import { cutRecording } from "./partial.js";
import type { Position } from "./remembered.js";
import { keyOf, modeOf, Standing } from "./standing.js";
import { headOf, targetKey, type Target } from "./target.js";

const START = "Open a graph definition and choose Run sweep above the graph.";
const RESTRICTED =
  "This workspace is not trusted. A sweep runs the code of the graph, so nothing is run until you trust it.";

type Moved = Extract<ViewMessage, { type: "moved" }>;

export class View implements Screen, vscode.Disposable {
  panel: Panel | null = null;
  restricted = false;
  sweep: SweepView | null = null;
  private failure: FailureView | null = null;
  private refusal: string | null = null;
  /** what kind of refusal that is */
  private reason: "no-graph" | "passes" = "no-graph";
  private running = false;
  runningGraph: string | null = null;
  private stale = false;
  private lastId = 0;
  /** the picture a command asked for, until the view has been told */
  private tab: { readonly tab: Tab; readonly measure: boolean } | null = null;
  /** what a debug session has changed in the sweep on screen, null: nothing, it is the graph's own */
  whatIf: string | null = null;
  /** the sweep that the view has, until it was loaded anew: a big one is sent once */
  private sent: number | null = null;
  /** steps at which a breakpoint stops */
  marks: readonly number[] = [];
  private readonly standing: Standing;
  private readonly changed = new vscode.EventEmitter<Change>();
  readonly onDidChange = this.changed.event;

  /** `folder`: where the extension may keep files for this workspace, null: nowhere. */
  constructor(folder: string | null) {
    this.standing = new Standing(folder, (error) => log().warn(`store where the view is: ${String(error)}`));
  }

  get trace(): Trace | null {
    return this.sweep?.trace ?? null;
  }

  get selected(): number {
    return this.position?.selected ?? -1;
  }

  get step(): number | null {
    return this.position?.step ?? null;
  }

  /** Step, mode and selection in the sweep on screen. */
  get position(): Position | null {
    return this.standing.in(this.sweep);
  }

  /** Which of its two sweeps is looked at: what was chosen in the view, else what was run; null: there is none. */
  get mode(): Mode | null {
    return this.sweep && (this.position?.mode ?? modeOf(this.sweep.trace));
  }

  get isStale(): boolean {
    return this.stale;
  }

  get isRunning(): boolean {
    return this.running;
  }

  get failed(): string | null {
    return this.failure?.message ?? null;
  }

  /** The panel is on screen, so that what it says need not be said in a notification as well. */
  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Uri and graph of what is on screen. */
  get shown(): { readonly uri: string; readonly graph: string } | null {
    return this.sweep;
  }

  /** One word for what is on screen. */
  get face(): string {
    if (this.restricted) return "restricted";
    if (this.running) return "running";
    if (this.sweep && !this.complete) return "partial";
    if (this.sweep) return this.failure ? "failed-over-sweep" : this.stale ? "stale" : "sweep";
    return this.failure ? "failure" : this.refusal ? this.reason : "closed";
  }

  /** A whole sweep is on screen, not what a stopped run recorded. */
  get complete(): boolean {
    return this.sweep?.trace.header.complete === true;
  }

  isCurrent(sweep: number): boolean {
    return this.sweep?.id === sweep;
  }

  /** Takes over where the user was, for a sweep yet to be shown. */
  remember(target: Target, state: ViewState): Promise<void> {
    return this.standing.restore(targetKey(target), state);
  }

  /** `foreign`: the counterpart is the sweep of an audited engine, which is looked at first. */
  show(target: Target, result: RunSuccess, stale: boolean, foreign: ForeignSweep | null = null): void {
    const { trace, counterpart, report, positions } = result;
    const { graph, graphs } = report;
    const sweep = { ...headOf(++this.lastId, target, graph, graphs), trace, counterpart, report, positions };
    const before = this.sweep;
    this.put(foreign === null ? sweep : { ...sweep, foreign: foreign.engine, fault: foreign.fault }, stale);
    this.standing.follow(before, sweep);
    const left = foreign?.restored === true && this.position !== null;
    if (foreign !== null && counterpart !== null && !left) this.place(firstLook(counterpart, foreign));
    this.failure = null;
    this.sendAll();
  }

  /**
   * The run failed: the last good sweep of the same graph stays, marked stale. Without one, what the run recorded
   * before it stopped is shown, if there is anything. `stale`: the text has changed since the run began.
   */
  fail(target: Target, failure: FailureView, partial: Trace | null, stale: boolean): void {
    const graph = failure.graph ?? target.graph;
    const kept = this.complete && keyOf(this.sweep!) === targetKey({ ...target, graph });
    if (kept) this.stale = true;
    else if (partial !== null && graph !== null) {
      const trace = cutRecording(partial);
      const head = headOf(++this.lastId, target, graph, failure.graphs);
      this.put({ ...head, trace, counterpart: null, report: null, positions: null }, stale);
    } else this.sweep = this.whatIf = null;
    this.failure = failure;
    this.refusal = null;
    this.running = false;
    this.sendAll();
  }

  /** The text on screen cannot be run as it stands (it is being typed): what is shown is older than it, and stays. */
  outdated(): void {
    this.running = false;
    if (this.complete) this.failure = null;
    this.stale = this.sweep !== null;
    this.sendAll();
  }

  private put(sweep: SweepView, stale: boolean): void {
    this.sweep = sweep;
    this.marks = [];
    this.whatIf = null;
    this.standing.leave();
    this.refusal = null;
    this.running = false;
    this.stale = stale;
  }

  /** There is nothing to run, and why. */
  refuse(detail: string, reason: "no-graph" | "passes" = "no-graph"): void {
    this.refusal = detail;
    this.reason = reason;
    this.running = false;
    this.sendAll();
  }

  /** The fault that was on screen is gone: so is the sweep that showed it. */
  pass(detail: string): void {
    this.sweep = this.whatIf = this.failure = null;
    this.refuse(detail, "passes");
  }

  setRunning(running: boolean, graph: string | null = null): void {
    if (running) this.refusal = null;
    this.running = running;
    this.runningGraph = graph;
    this.sendRunning();
    this.changed.fire("running");
  }

  setStale(stale: boolean): void {
    if (this.sweep === null || (this.failure && this.complete)) return;
    this.stale = stale;
    this.send({ type: "stale", stale });
    this.changed.fire("stale");
  }

  /** The editor's cursor is at a node. */
  select(node: number): void {
    if (this.sweep === null) return;
    this.place({ ...this.standing.orStart(this.sweep), selected: node });
    this.send({ type: "select", node });
  }

  /** A debug session is at a step of what was run, with a node in focus. */
  moveTo(step: number, selected: number): void {
    if (this.sweep === null) return;
    const mode = modeOf(this.sweep.trace);
    const other = mode !== this.mode;
    this.place({ step, mode, selected });
    if (other) {
      // the view shows the other of the two sweeps: it is given this one anew
      this.sent = null;
      this.sendAll();
      return;
    }
    this.send({ type: "step", step });
    this.send({ type: "select", node: selected });
  }

  /** Where breakpoints stop in the sweep on screen. */
  mark(steps: readonly number[]): void {
    if (steps.length === this.marks.length && steps.every((step, i) => step === this.marks[i])) return;
    this.marks = steps;
    if (this.sweep !== null) this.send({ type: "breakpoints", steps });
  }

  moved({ sweep, step, mode, selected }: Moved): void {
    if (this.isCurrent(sweep)) this.place({ step, mode, selected });
  }

  private place(position: Position): void {
    this.standing.put(this.sweep!, position);
    this.changed.fire("moved");
  }

  /** The view is there, new or again; what it kept counts where the host knows nothing (after a reload). */
  ready(state: ViewState | null): void {
    this.sent = null;
    if (state) this.standing.learn(state);
    this.sendAll();
  }

  /** Everything that the view has not got yet; it can take all of it at any time, twice. */
  sendAll(): void {
    this.changed.fire("sweep");
    const { panel, sweep, failure } = this;
    if (panel === null) return;
    panel.title = sweep && !this.restricted ? `Backsweep: ${sweep.graph}` : "Backsweep";
    if (!panel.ready) return;
    this.sendTab();
    if (this.restricted) return this.send({ type: "empty", reason: "restricted", detail: RESTRICTED });
    if (sweep && this.sent !== sweep.id) this.send({ type: "sweep", sweep, ...this.position });
    this.sent = sweep?.id ?? null;
    if (sweep) this.send({ type: "stale", stale: this.stale });
    if (sweep) this.send({ type: "whatIf", what: this.whatIf });
    if (sweep) this.send({ type: "breakpoints", steps: this.marks });
    this.send({ type: "failure", failure, partial: sweep !== null && !this.complete, over: this.sent });
    if (!sweep && !failure && !this.running)
      this.send({ type: "empty", reason: this.reason, detail: this.refusal ?? START });
    this.sendRunning();
  }

  /** Brings a picture to the front: at once, or when the view is there. `measure`: schedules, on the graph on screen. */
  showTab(tab: Tab, measure = false): void {
    this.tab = { tab, measure };
    this.sendTab();
  }

  private sendTab(): void {
    if (this.tab === null || this.panel?.ready !== true) return;
    this.send({ type: "tab", ...this.tab });
    this.tab = null;
  }

  private sendRunning(): void {
    this.send({ type: "running", running: this.running, graph: this.runningGraph });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private send(message: HostMessage): void {
    this.panel?.send(message);
  }
}

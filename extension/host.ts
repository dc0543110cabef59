/**
 * What the commands do: one target, one run, one panel. The host is the source of truth; the view is told everything
 * again whenever it asks. Loaded on first use, as a bundle of its own.
 */
import { join } from "node:path";
import * as vscode from "vscode";
import type { AskedOptions } from "../engine/graph/options.js";
import type { ViewState } from "../engine/protocol.js";
import type { RunResult } from "../runner/messages.js";
import { SmallestGraphs } from "./audit/opening.js";
import { Cursor } from "./cursor.js";
import { BreakpointMarks } from "./debug/breakpoint-marks.js";
import { Debugging } from "./debug/debugging.js";
import { DebugStage } from "./debug/stage.js";
import { Features, type TreePlace } from "./features/features.js";
import { attempt, useLog } from "./log.js";
import { Panel, type PanelEvents } from "./panel.js";
import { PanelMessages } from "./panel-messages.js";
import { asViewState, type Position } from "./remembered.js";
import { Sweeps } from "./sweeps.js";
import { chooseTarget, type Target } from "./target.js";
import { TestRuns } from "./test-runs.js";
import { View } from "./view.js";

export interface PanelState {
  readonly visible: boolean;
  /** the view has asked for its content */
  readonly ready: boolean;
  /** one word for what it shows */
  readonly face: string;
  readonly position: Position | null;
  /** steps at which a breakpoint stops, as the view is told them */
  readonly breakpoints: readonly number[];
}

export class Host implements vscode.Disposable {
  private readonly view: View;
  private readonly sweeps: Sweeps;
  private readonly cursor: Cursor;
  private readonly features: Features;
  private readonly debugging: Debugging;
  private readonly marks: BreakpointMarks;
  private readonly messages: PanelMessages;
  private readonly smallest: SmallestGraphs;
  /** what the Test Explorer runs */
  readonly tests: TestRuns;
  private readonly trusted: vscode.Disposable;
  private panel: Panel | null = null;

  constructor(
    private readonly context: vscode.ExtensionContext,
    tree: TreePlace,
  ) {
    const runnerPath = join(context.extensionPath, "dist", "runner.js");
    const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    this.view = new View(folder);
    this.view.restricted = !vscode.workspace.isTrusted;
    this.sweeps = new Sweeps(this.view, runnerPath);
    this.tests = new TestRuns(runnerPath);
    this.cursor = new Cursor({
      trace: () => (this.sweeps.stale ? null : this.view.trace),
      selected: () => this.view.selected,
      select: (node) => this.view.select(node),
      panelColumn: () => this.panel?.viewColumn,
    });
    this.smallest = new SmallestGraphs(folder, this.view, this.sweeps, this.tests, this.cursor, () =>
      this.openPanel(true),
    );
    this.messages = new PanelMessages(this.view, this.sweeps, this.cursor, runnerPath, () => this.runSweep());
    this.features = new Features(this.view, context.extensionPath, tree, {
      select: (node) => this.view.select(node),
      reveal: (node) => {
        if (this.view.trace && !this.sweeps.stale) this.cursor.revealNode(this.view.trace, node);
      },
    });
    this.debugging = new Debugging(
      new DebugStage(
        this.view,
        (target, options) => this.debugRun(target, options),
        (target, options) => this.sweeps.run(target, "restored", options),
        () => this.sweeps.cancel(),
      ),
    );
    this.marks = new BreakpointMarks(this.view, this.debugging);
    this.trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      this.view.restricted = false;
      const { target } = this.sweeps;
      if (target) attempt("run the sweep", () => this.sweeps.runAgain(target, "asked"), true);
      else this.view.sendAll();
    });
  }

  /** Runs the graph given, or the active editor's, and shows its sweep. */
  runSweep(uri?: vscode.Uri, graph?: string): Promise<void> {
    return this.sweeps.runChosen(uri, graph, () => this.openPanel(true));
  }

  /** Runs the last target again; without one, what the active editor shows. */
  async runAgain(): Promise<void> {
    const { target } = this.sweeps;
    if (target === null) return this.runSweep();
    this.openPanel(true);
    await this.sweeps.runAgain(target, "asked");
  }

  /** Runs the graph given, or the active editor's, and measures what its checkpoint schedules keep and compute again. */
  async compareSchedules(uri?: vscode.Uri, graph?: string): Promise<void> {
    const before = this.lastResult;
    this.view.showTab("schedules");
    await this.runSweep(uri, graph);
    // the sweep is on its way to the view, which measures on the graph it shows
    if (this.lastResult !== before && this.lastResult?.ok === true) this.view.showTab("schedules", true);
  }

  /** The adapter of a debug session that VS Code starts. */
  debugAdapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    return this.debugging.adapter(session);
  }

  /** What a command to debug means; null: the user chose nothing, or there is nothing to debug, which was said. */
  async debugTarget(uri?: vscode.Uri, graph?: string): Promise<Target | null> {
    try {
      return await chooseTarget(uri, graph);
    } catch (error) {
      this.sweeps.refuse(error);
      return null;
    }
  }

  /** A run for a debug session: the panel opens and shows it, without taking the focus. */
  private async debugRun(target: Target, options: AskedOptions): Promise<RunResult | string | null> {
    if (!vscode.workspace.isTrusted)
      return "This workspace is not trusted, and a sweep runs the code of the graph.";
    this.openPanel(true);
    return this.sweeps.run(target, "asked", options);
  }

  /** Shows the smallest graph on which an engine fails, its sweep beside ours, and the line at fault. */
  openSmallest(uri: vscode.Uri, engine: string): Promise<void> {
    return this.smallest.open({ uri, engine });
  }

  /** Shows the view with what there is. */
  openView(): void {
    this.openPanel(false);
    this.view.sendAll();
  }

  /** Takes over a panel that VS Code restored after the window was reloaded. */
  async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    this.panel?.dispose();
    this.adopt(new Panel(this.context, panel, this.panelEvents));
    const state = asViewState(saved);
    if (state !== null) await this.resume(state);
  }

  private async resume(state: ViewState): Promise<void> {
    const target = { uri: vscode.Uri.parse(state.uri), graph: state.graph };
    await this.view.remember(target, state);
    if (!(await this.smallest.restore(target))) await this.sweeps.run(target, "restored");
  }

  private openPanel(preserveFocus: boolean): void {
    if (this.panel) this.panel.reveal(preserveFocus);
    else this.adopt(Panel.open(this.context, this.panelEvents, preserveFocus));
  }

  private adopt(panel: Panel): void {
    this.panel = panel;
    this.view.panel = panel;
  }

  private readonly panelEvents: PanelEvents = {
    message: (message) => attempt("answer the view", () => this.messages.receive(message)),
    closed: (panel) => this.closed(panel),
  };

  /** A closed panel wants no result: the run under way ends, what is known stays for the next one. */
  private closed(panel: Panel): void {
    if (panel !== this.panel) return;
    this.sweeps.cancel();
    this.panel = null;
    this.view.panel = null;
    this.view.setRunning(false);
  }

  get lastResult(): RunResult | null {
    return this.sweeps.lastResult;
  }

  /** What gives the hints, for tests. */
  get hints(): vscode.InlayHintsProvider {
    return this.features.hints;
  }

  /** What the status bar says, for tests. */
  get statusText(): string {
    return this.features.statusText;
  }

  /** What is on screen, for tests: null when the panel is closed. */
  get panelState(): PanelState | null {
    const { panel, view } = this;
    if (panel === null) return null;
    const { face, position, marks } = view;
    return { visible: panel.visible, ready: panel.ready, face, position, breakpoints: marks };
  }

  dispose(): void {
    this.panel?.dispose();
    const { sweeps, tests, messages, cursor, features, debugging, marks, view, trusted } = this;
    for (const part of [sweeps, tests, messages, cursor, features, marks, debugging, view, trusted])
      part.dispose();
  }
}

/** Entry of the bundle; `channel` is the extension's log, `tree` the tree view that waits for its data. */
export function createHost(
  context: vscode.ExtensionContext,
  channel: vscode.LogOutputChannel,
  tree: TreePlace,
): Host {
  useLog(channel);
  return new Host(context, tree);
}

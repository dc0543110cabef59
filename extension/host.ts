/**
 * What the commands do: one target, one run, one panel. The host is the source of truth; the view is told everything
 * again whenever it asks. Loaded on first use, as a bundle of its own.
 */
import { join } from "node:path";
import * as vscode from "vscode";
import type { ViewMessage, ViewRequest, ViewState } from "../engine/protocol.js";
import type { RunResult } from "../runner/messages.js";
import { Cursor } from "./cursor.js";
import { Failures, failureView, rangeOf } from "./failures.js";
import { Freshness } from "./freshness.js";
import { attempt, log, useLog } from "./log.js";
import { Panel, type PanelEvents } from "./panel.js";
import { traceFiles, tracePath } from "./places.js";
import { asViewState, type Position } from "./remembered.js";
import { Runs } from "./runs.js";
import { saveExport } from "./save-export.js";
import { runSettings } from "./settings.js";
import { chooseTarget, labelOf, openTarget, Refusal, targetKey, type Target } from "./target.js";
import { View } from "./view.js";

export interface PanelState {
  readonly visible: boolean;
  /** the view has asked for its content */
  readonly ready: boolean;
  /** one word for what it shows */
  readonly face: string;
  readonly position: Position | null;
}

const SAVE_SETTLE_MS = 100;

export class Host implements vscode.Disposable {
  private readonly runs: Runs;
  private readonly failures = new Failures();
  private readonly view = new View();
  private readonly freshness: Freshness;
  private readonly cursor: Cursor;
  private readonly disposables: vscode.Disposable[];
  private panel: Panel | null = null;
  private target: Target | null = null;
  /** counts what was asked for, so that the latest wins however long a file takes to open */
  private asked = 0;
  private saveTimer: NodeJS.Timeout | undefined;
  /** what the last run that was not cancelled gave; for tests and other extensions */
  lastResult: RunResult | null = null;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.runs = new Runs(join(context.extensionPath, "dist", "runner.js"));
    this.freshness = new Freshness(
      (stale) => this.view.setStale(stale),
      () => this.saved(),
    );
    this.cursor = new Cursor({
      trace: () => (this.freshness.stale ? null : this.view.trace),
      selected: () => this.view.selected,
      select: (node) => this.view.select(node),
      panelColumn: () => this.panel?.viewColumn,
    });
    this.disposables = [
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.view.restricted = false;
        if (this.target) attempt("run the sweep", () => this.run(this.target!, true), true);
        else this.view.sendAll();
      }),
    ];
    this.view.restricted = !vscode.workspace.isTrusted;
  }

  /** Runs the graph given, or the active editor's, and shows its sweep. */
  async runSweep(uri?: vscode.Uri, graph?: string): Promise<void> {
    const ticket = ++this.asked;
    try {
      const target = await chooseTarget(uri, graph);
      // opening the file took a while: what was asked for since then goes first, unless this was chosen from a list
      if (target === null || (ticket !== this.asked && graph !== undefined)) return;
      this.openPanel(false);
      await this.run(target, true);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Runs the last target again; without one, what the active editor shows. */
  async runAgain(): Promise<void> {
    if (this.target === null) return this.runSweep();
    this.openPanel(true);
    await this.run(this.target, true);
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
    if (state === null) return;
    await this.resume(state);
  }

  private async resume(state: ViewState): Promise<void> {
    const target = { uri: vscode.Uri.parse(state.uri), graph: state.graph };
    this.view.remember(target, state);
    await this.run(target, false);
  }

  private openPanel(preserveFocus: boolean): void {
    if (this.panel) this.panel.reveal(preserveFocus);
    else this.adopt(Panel.open(this.context, this.panelEvents));
  }

  private adopt(panel: Panel): void {
    this.panel = panel;
    this.view.panel = panel;
  }

  private readonly panelEvents: PanelEvents = {
    message: (message) => attempt("answer the view", () => this.receive(message)),
    closed: (panel) => this.closed(panel),
  };

  /** A closed panel wants no result: the run under way ends, what is known stays for the next one. */
  private closed(panel: Panel): void {
    if (panel !== this.panel) return;
    this.runs.cancel();
    this.panel = null;
    this.view.panel = null;
    this.view.setRunning(false);
  }

  private refuse(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.view.refuse(error.message);
    void vscode.window.showWarningMessage(error.message);
  }

  /** One run, from the request to what is on screen. `loud`: the user asked for it and is told of a failure. */
  private async run(target: Target, loud: boolean): Promise<void> {
    const another = this.target !== null && targetKey(this.target) !== targetKey(target);
    this.target = target;
    if (another) this.view.leave();
    if (!vscode.workspace.isTrusted) {
      this.view.sendAll();
      return;
    }
    const ticket = ++this.asked;
    try {
      await openTarget(target.uri);
      if (ticket !== this.asked) return;
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.failures.clear();
    this.freshness.watch(target.uri.fsPath);
    this.view.setRunning(true);
    const texts = Freshness.snapshot();
    const result = await this.runs.run(target);
    if (result === null) {
      if (!this.runs.busy) this.view.setRunning(false);
      return;
    }
    this.lastResult = result;
    if (result.ok) {
      this.freshness.accept([target.uri.fsPath, ...traceFiles(result.trace)], texts);
      this.target = { uri: target.uri, graph: result.report.graph };
      this.view.show(this.target, result, this.freshness.stale);
      this.failures.notes(result.report.notes, (file) => tracePath(result.trace, file));
      log().info(
        `${labelOf(target.uri)}: ${result.report.graph} swept in ${Math.round(result.elapsedMs)} ms`,
      );
    } else {
      const failure = failureView(result.failure, (file) => labelOf(vscode.Uri.file(file)));
      this.view.fail(failure);
      this.failures.show(result.failure, loud);
      log().warn(`${labelOf(target.uri)}:${failure.line}: ${failure.message}`);
    }
  }

  private saved(): void {
    const { target } = this;
    if (target === null || this.panel === null || runSettings(target.uri).on !== "save") return;
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(
      () => attempt("run the sweep", () => this.run(target, false)),
      SAVE_SETTLE_MS,
    );
  }

  private async receive(message: ViewMessage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.view.ready(message.state);
        return;
      case "moved":
        this.view.moved(message);
        return;
      case "reveal":
        if (this.view.isCurrent(message.sweep)) this.cursor.revealNode(this.view.trace!, message.node);
        return;
      case "revealPlace":
        if (this.target)
          this.cursor.reveal(this.target.uri, rangeOf({ ...message, endLine: 0, endColumn: 0 }));
        return;
      case "run":
        if (this.target === null) return this.runSweep();
        return this.run({ uri: this.target.uri, graph: message.graph ?? this.target.graph }, true);
      case "manageTrust":
        await vscode.commands.executeCommand("workbench.trust.manage");
        return;
      case "error":
        log().error(`the view: ${message.message}`);
        return;
      case "request":
        return this.answer(message.request, message.call);
    }
  }

  private async answer(request: number, call: ViewRequest): Promise<void> {
    const folder = this.target ? vscode.Uri.joinPath(this.target.uri, "..") : null;
    try {
      const value = saveExport(call, folder);
      this.panel?.send({ type: "reply", request, ok: true, value });
    } catch (error) {
      this.panel?.send({
        type: "reply",
        request,
        ok: false,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** What is on screen, for tests: null when the panel is closed. */
  get panelState(): PanelState | null {
    const { panel, view } = this;
    return panel && { visible: panel.visible, ready: panel.ready, face: view.face, position: view.position };
  }

  dispose(): void {
    clearTimeout(this.saveTimer);
    this.panel?.dispose();
    for (const part of [this.runs, this.failures, this.freshness, this.cursor, ...this.disposables])
      part.dispose();
  }
}

/** Entry of the bundle; `channel` is the extension's log. */
export function createHost(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): Host {
  useLog(channel);
  return new Host(context);
}

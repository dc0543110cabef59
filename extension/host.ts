/**
 * What the commands do: one target, one run, one panel. The host is the source of truth; the view is told everything
 * again whenever it asks. Loaded on first use, as a bundle of its own.
 */
import { join } from "node:path";
import * as vscode from "vscode";
import type { AuditResult } from "../engine/audit/result.js";
import type { AskedOptions } from "../engine/graph/options.js";
import type { ViewMessage, ViewRequest, ViewState } from "../engine/protocol.js";
import { bytesOf, pack } from "../engine/trace/columns.js";
import type { RunFailure, RunResult, RunSuccess } from "../runner/messages.js";
import { Audits } from "./audit/audits.js";
import { besideForeign, writeSmallest } from "./audit/smallest.js";
import { Checks } from "./checks.js";
import { Cursor } from "./cursor.js";
import { Debugging } from "./debug/debugging.js";
import { DebugStage } from "./debug/stage.js";
import { Failures, failureView, rangeOf } from "./failures.js";
import { Features, type TreePlace } from "./features/features.js";
import type { TestVerdict } from "./features/verdicts.js";
import { Freshness, type Snapshot } from "./freshness.js";
import { attempt, log, useLog } from "./log.js";
import { Panel, type PanelEvents } from "./panel.js";
import { traceFiles, tracePath } from "./places.js";
import { recogniseDocument } from "./recognise-document.js";
import { asViewState, type Position } from "./remembered.js";
import { Questions } from "./questions.js";
import { Rerun } from "./rerun.js";
import { Runs } from "./runs.js";
import { saveExport } from "./save-export.js";
import { runSettings } from "./settings.js";
import {
  chooseTarget,
  labelOf,
  openDocument,
  openTarget,
  Refusal,
  targetKey,
  type Target,
} from "./target.js";
import { View } from "./view.js";

export interface PanelState {
  readonly visible: boolean;
  /** the view has asked for its content */
  readonly ready: boolean;
  /** one word for what it shows */
  readonly face: string;
  readonly position: Position | null;
}

/** "asked": by the user, who is told of a failure; otherwise of its own accord, and never by a notification. */
type Why = "asked" | "saved" | "typed" | "restored";

type Shown = ReturnType<typeof besideForeign>;

export class Host implements vscode.Disposable {
  private readonly runs: Runs;
  private readonly failures = new Failures();
  private readonly view: View;
  private readonly rerun = new Rerun(
    () => (this.target && this.panel ? runSettings(this.target.uri).on : null),
    (why) => {
      // what the user has asked for is about to run, and goes first
      if (this.choosing === 0) attempt("run the sweep", () => this.run(this.target!, why));
    },
  );
  private readonly freshness: Freshness;
  private readonly cursor: Cursor;
  private readonly features: Features;
  private readonly debugging: Debugging;
  /** a runner of its own, made with the first check */
  private checks: Checks | null = null;
  /** a runner of its own, made with the first audit */
  private audits: Audits | null = null;
  /** a runner of its own, made with the first question of the view */
  private questions: Questions | null = null;
  /** schedules chosen in the view, by target; they hold until another is chosen */
  private readonly schedules = new Map<string, string>();
  private readonly disposables: vscode.Disposable[];
  private panel: Panel | null = null;
  private target: Target | null = null;
  /** counts what was asked for, so that the latest wins however long a file takes to open */
  private asked = 0;
  /** requests of the user's whose file is still being opened */
  private choosing = 0;
  /** absolute path of the place the last failure names, or null */
  private failedFile: string | null = null;
  /** what the last run that was not cancelled gave; for tests and other extensions */
  lastResult: RunResult | null = null;

  constructor(
    private readonly context: vscode.ExtensionContext,
    tree: TreePlace,
  ) {
    this.runs = new Runs(join(context.extensionPath, "dist", "runner.js"));
    this.view = new View((context.storageUri ?? context.globalStorageUri).fsPath);
    this.freshness = new Freshness({
      changed: (stale) => this.view.setStale(stale),
      edited: () => this.rerun.edited(),
      saved: () => this.rerun.saved(),
    });
    this.cursor = new Cursor({
      trace: () => (this.freshness.stale ? null : this.view.trace),
      selected: () => this.view.selected,
      select: (node) => this.view.select(node),
      panelColumn: () => this.panel?.viewColumn,
    });
    this.features = new Features(this.view, context.extensionPath, tree, {
      select: (node) => this.view.select(node),
      reveal: (node) => {
        if (this.view.trace && !this.freshness.stale) this.cursor.revealNode(this.view.trace, node);
      },
    });
    this.debugging = new Debugging(
      new DebugStage(this.view, (target, options) => this.debugRun(target, options)),
    );
    this.disposables = [
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.view.restricted = false;
        if (this.target) attempt("run the sweep", () => this.run(this.target!, "asked"), true);
        else this.view.sendAll();
      }),
    ];
    this.view.restricted = !vscode.workspace.isTrusted;
  }

  /** Runs the graph given, or the active editor's, and shows its sweep. */
  async runSweep(uri?: vscode.Uri, graph?: string): Promise<void> {
    const ticket = ++this.asked;
    this.rerun.cancel();
    try {
      this.choosing++;
      const target = await chooseTarget(uri, graph).finally(() => this.choosing--);
      // opening the file took a while: what was asked for since then goes first, unless this was chosen from a list
      if (target === null || (ticket !== this.asked && graph !== undefined)) return;
      this.openPanel(false);
      await this.run(target, "asked");
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Runs the last target again; without one, what the active editor shows. */
  async runAgain(): Promise<void> {
    if (this.target === null) return this.runSweep();
    this.openPanel(true);
    await this.run(this.target, "asked");
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
      this.refuse(error);
      return null;
    }
  }

  /** A run for a debug session: the panel opens and shows it, without taking the focus. */
  private async debugRun(target: Target, options: AskedOptions): Promise<RunResult | string | null> {
    if (!vscode.workspace.isTrusted)
      return "This workspace is not trusted, and a sweep runs the code of the graph.";
    this.openPanel(true);
    return this.run(target, "asked", options);
  }

  /** Checks the derivatives of one graph of a file, or of all (null). */
  check(uri: vscode.Uri, graph: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    this.checks ??= new Checks(join(this.context.extensionPath, "dist", "runner.js"));
    return this.checks.check(uri, graph, signal);
  }

  /** Audits one engine of a file, or all (null). */
  audit(uri: vscode.Uri, engine: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    this.audits ??= new Audits(join(this.context.extensionPath, "dist", "runner.js"));
    return this.audits.audit(uri, engine, signal);
  }

  /**
   * Shows the smallest graph on which an engine fails, its sweep beside ours, and the line at fault. An engine that was
   * not audited yet is audited first.
   */
  async openSmallest(uri: vscode.Uri, engine: string): Promise<void> {
    const known = (): AuditResult | null => this.audits?.result(uri, engine) ?? null;
    if (known() === null) await this.audit(uri, engine, new AbortController().signal);
    const result = known();
    if (result === null || result.smallest === null) {
      const why =
        result === null || result.verdict === "unusable" ? "cannot be audited" : "fails on no graph";
      void vscode.window.showWarningMessage(`${engine} ${why}, so there is no smallest graph to open.`);
      return;
    }
    const folder = (this.context.storageUri ?? this.context.globalStorageUri).fsPath;
    const target = await writeSmallest(folder, engine, result.smallest);
    this.openPanel(true);
    // most engines sweep their tape backwards: so do we, and contributions arrive in the same order
    await this.run(target, "asked", { order: "tape" }, (run) => besideForeign(run, result));
    const { place } = result;
    if (place !== null) this.cursor.reveal(vscode.Uri.file(place.file), rangeOf(place));
  }

  get hints(): vscode.InlayHintsProvider {
    return this.features.hints;
  }

  /** What the status bar says, for tests. */
  get statusText(): string {
    return this.features.statusText;
  }

  /** Runs the graph given, or the active editor's, and shows what its checkpoint schedules keep and compute again. */
  async compareSchedules(uri?: vscode.Uri, graph?: string): Promise<void> {
    this.view.showTab("schedules");
    await this.runSweep(uri, graph);
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
    await this.view.remember(target, state);
    await this.run(target, "restored");
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

  /** One run, from the request to what is on screen. */
  private async run(
    target: Target,
    why: Why,
    options: AskedOptions = {},
    beside: (run: RunSuccess) => Shown = (run) => ({ run, foreign: null }),
  ): Promise<RunResult | null> {
    this.rerun.cancel();
    this.target = target;
    if (!vscode.workspace.isTrusted) {
      this.view.sendAll();
      return null;
    }
    const ticket = ++this.asked;
    try {
      await openTarget(target.uri);
      if (ticket !== this.asked) return null;
    } catch (error) {
      this.refuse(error);
      return null;
    }
    const loud = why === "asked";
    // what the last run said no longer holds; while typing it stays marked until there is something newer to say
    if (loud) this.failures.clear();
    this.freshness.watch(target.uri.fsPath);
    this.view.setRunning(true, target.graph);
    const texts = this.freshness.snapshot(target.uri.fsPath);
    const schedule = options.schedule ?? this.schedules.get(targetKey(target));
    const result = await this.runs.run(
      target,
      loud,
      schedule === undefined ? options : { ...options, schedule },
    );
    if (result === null) {
      if (!this.runs.busy) this.cancelled();
      return null;
    }
    this.lastResult = result;
    this.failures.clear();
    if (result.ok) this.succeeded(target, beside(result), texts);
    else this.failed(target, result, texts, why);
    return result;
  }

  /** Nothing came of a run: what is on screen is again what the commands are about. */
  private cancelled(): void {
    const { shown } = this.view;
    if (shown) this.target = { uri: vscode.Uri.parse(shown.uri), graph: shown.graph };
    this.view.setRunning(false);
  }

  private succeeded(target: Target, { run: result, foreign }: Shown, texts: Snapshot): void {
    const { trace, report } = result;
    this.freshness.accept([target.uri.fsPath, ...traceFiles(trace)], texts);
    this.target = { uri: target.uri, graph: report.graph };
    this.view.show(this.target, result, this.freshness.stale, foreign);
    this.failures.notes(report.notes, (file) => tracePath(trace, file));
    log().info(`${labelOf(target.uri)}: ${report.graph} swept in ${Math.round(result.elapsedMs)} ms`);
  }

  private failed(target: Target, { failure, partial }: RunFailure, texts: Snapshot, why: Why): void {
    log().warn(`${labelOf(target.uri)}:${failure.line}: ${failure.message}`);
    // unfinished text is no failure: nothing was run, and the next keystroke may mend it
    const typing = why === "typed" && failure.kind === "syntax";
    this.failures.show(failure, typing ? "unsaid" : why === "asked" && !this.view.visible ? "loud" : "quiet");
    if (typing && this.view.shown) return this.view.outdated();
    this.failedFile = failure.file;
    const { graphs } = recogniseDocument(openDocument(target.uri));
    const graph = target.graph ?? partial?.header.options.graph ?? null;
    const view = failureView(
      failure,
      (file) => labelOf(vscode.Uri.file(file)),
      graph,
      graphs.map(({ name }) => name),
    );
    this.view.fail(target, view, partial, false);
    if (!this.view.complete)
      this.freshness.accept([target.uri.fsPath, ...(partial ? traceFiles(partial) : [])], texts);
    this.view.setStale(this.freshness.stale);
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
        this.revealPlace(message);
        return;
      case "run":
        if (this.target === null) return this.runSweep();
        await this.runFromView(this.target, message);
        return;
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

  /** A place the view names: of the failure's file, of a file of the sweep, else of the graph's own. */
  private revealPlace({ file, line, column }: Extract<ViewMessage, { type: "revealPlace" }>): void {
    if (this.target === null) return;
    const { failedFile, view } = this;
    let { uri } = this.target;
    if (file !== null && failedFile !== null && labelOf(vscode.Uri.file(failedFile)) === file)
      uri = vscode.Uri.file(failedFile);
    else if (file !== null && view.trace && traceFiles(view.trace).includes(tracePath(view.trace, file)))
      uri = vscode.Uri.file(tracePath(view.trace, file));
    this.cursor.reveal(uri, rangeOf({ line, column, endLine: 0, endColumn: 0 }));
  }

  private async runFromView(
    { uri, graph }: Target,
    { graph: chosen, schedule }: Extract<ViewMessage, { type: "run" }>,
  ): Promise<void> {
    const target = { uri, graph: chosen ?? graph };
    const key = targetKey(target);
    if (schedule === null) this.schedules.delete(key);
    else if (schedule !== undefined) this.schedules.set(key, schedule);
    await this.run(target, "asked");
  }

  private async answer(request: number, call: ViewRequest): Promise<void> {
    try {
      const value = await this.answerTo(call);
      const { packed, columns } = pack(value);
      this.panel?.send({
        type: "reply",
        request,
        ok: true,
        packed,
        columns: columns.map((column) => bytesOf(column).slice()),
      });
    } catch (error) {
      this.panel?.send({
        type: "reply",
        request,
        ok: false,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private async answerTo(call: ViewRequest): Promise<unknown> {
    const { target, view } = this;
    if (call.kind === "export")
      return saveExport(call, target ? vscode.Uri.joinPath(target.uri, "..") : null);
    this.questions ??= new Questions(join(this.context.extensionPath, "dist", "runner.js"));
    const trusted = vscode.workspace.isTrusted;
    return this.questions.answer(call, {
      target: trusted ? target : null,
      trace: view.trace,
      isCurrent: (sweep) => view.isCurrent(sweep),
    });
  }

  /** What is on screen, for tests: null when the panel is closed. */
  get panelState(): PanelState | null {
    const { panel, view } = this;
    return panel && { visible: panel.visible, ready: panel.ready, face: view.face, position: view.position };
  }

  dispose(): void {
    this.rerun.cancel();
    this.panel?.dispose();
    this.checks?.dispose();
    this.audits?.dispose();
    this.questions?.dispose();
    const { runs, failures, freshness, cursor, features, debugging, view } = this;
    for (const part of [runs, failures, freshness, cursor, features, debugging, view, ...this.disposables])
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

/**
 * One sweep after the other, from what is asked for to what is on screen: which target, which run wins, what its end
 * means for view, diagnostics and the age of the figures.
 */
import * as vscode from "vscode";
import type { AskedOptions } from "../engine/graph/options.js";
import type { RunFailure, RunResult, RunSuccess } from "../runner/messages.js";
import type { ShownRun } from "./audit/smallest.js";
import { Failures, failureView } from "./failures.js";
import { Freshness, type Snapshot } from "./freshness.js";
import { attempt, log } from "./log.js";
import { tracePath } from "./places.js";
import { recogniseDocument } from "./recognise-document.js";
import { Rerun } from "./rerun.js";
import { Runs } from "./runs.js";
import { runSettings } from "./settings.js";
import {
  chooseTarget,
  labelOf,
  openDocument,
  openTarget,
  Refusal,
  sayRefusal,
  targetKey,
  type Target,
} from "./target.js";
import type { View } from "./view.js";

/** "asked": by the user, who is told of a failure; otherwise of its own accord, and never by a notification. */
export type Why = "asked" | "saved" | "typed" | "restored";

/** A target that is run in a way of its own: the smallest graph of an audit, with the audit before it. */
interface Own {
  readonly key: string;
  readonly again: () => Promise<void>;
}

export class Sweeps implements vscode.Disposable {
  private readonly runs: Runs;
  private readonly failures = new Failures();
  private readonly freshness: Freshness;
  private readonly rerun = new Rerun(
    () => (this.target && this.view.panel ? runSettings(this.target.uri).on : null),
    (why) => {
      // what the user has asked for is about to run, and goes first
      if (this.choosing === 0) attempt("run the sweep", () => this.runAgain(this.target!, why));
    },
  );
  /** schedules chosen in the view, by target; they hold until another is chosen */
  private readonly schedules = new Map<string, string>();
  /** counts what was asked for, so that the latest wins however long a file takes to open */
  private asked = 0;
  /** requests of the user's whose file is still being opened */
  private choosing = 0;
  private readonly renamed: vscode.Disposable;
  /** set with a sweep that `run` alone does not make */
  private own: Own | null = null;
  /** what the commands are about */
  target: Target | null = null;
  /** absolute path of the place the last failure names, or null */
  failedFile: string | null = null;
  /** what the last run that was not cancelled gave; for tests and other extensions */
  lastResult: RunResult | null = null;

  /** `runnerPath`: the bundle the runner process is forked from. */
  constructor(
    private readonly view: View,
    runnerPath: string,
  ) {
    this.runs = new Runs(runnerPath);
    this.renamed = vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) this.follow(oldUri, newUri);
    });
    this.freshness = new Freshness({
      changed: (stale) => this.view.setStale(stale),
      edited: () => this.rerun.edited(),
      saved: () => this.rerun.saved(),
    });
  }

  /** The sweep on screen is older than the text it came from. */
  get stale(): boolean {
    return this.freshness.stale;
  }

  /** Runs the graph given, or the active editor's; `chosen` is called once it is known which. */
  async runChosen(uri: vscode.Uri | undefined, graph: string | undefined, chosen: () => void): Promise<void> {
    const ticket = ++this.asked;
    this.rerun.cancel();
    try {
      this.choosing++;
      const target = await chooseTarget(uri, graph).finally(() => this.choosing--);
      // opening the file took a while: what was asked for since then goes first, unless this was chosen from a list
      if (target === null || (ticket !== this.asked && graph !== undefined)) return;
      chosen();
      await this.run(target, "asked");
    } catch (error) {
      this.refuse(error);
    }
  }

  /** The schedule that holds for a target from now on; null: the graph's own. */
  setSchedule(target: Target, schedule: string | null): void {
    const key = targetKey(target);
    if (schedule === null) this.schedules.delete(key);
    else this.schedules.set(key, schedule);
  }

  /** A file, or a folder above it, has another name: what is run again is what it is called now. */
  private follow(from: vscode.Uri, to: vscode.Uri): void {
    const { target } = this;
    if (target === null) return;
    const { path } = target.uri;
    if (path !== from.path && !path.startsWith(`${from.path}/`)) return;
    this.target = { ...target, uri: to.with({ path: to.path + path.slice(from.path.length) }) };
  }

  /** The target is run again by `again` from now on, until another one is run. */
  ownWay(target: Target, again: () => Promise<void>): void {
    this.own = { key: targetKey(target), again };
  }

  /** Runs a target the way its sweep on screen was made. */
  async runAgain(target: Target, why: Why): Promise<void> {
    if (this.own?.key !== targetKey(target)) await this.run(target, why);
    // it may move the cursor and say something, which nobody wants of saving or typing
    else if (why === "asked") await this.own.again();
  }

  /** One run, from the request to what is on screen; null: it was cancelled, overtaken or refused. */
  async run(
    target: Target,
    why: Why,
    options: AskedOptions = {},
    beside: (run: RunSuccess) => ShownRun = (run) => ({ run, foreign: null, files: [] }),
  ): Promise<RunResult | null> {
    this.rerun.cancel();
    this.target = target;
    if (this.own?.key !== targetKey(target)) this.own = null;
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

  /** Nobody waits for the run under way any more. */
  cancel(): void {
    this.runs.cancel();
  }

  /** Nothing came of a run: what is on screen is again what the commands are about. */
  private cancelled(): void {
    const { shown } = this.view;
    if (shown) this.target = { uri: vscode.Uri.parse(shown.uri), graph: shown.graph };
    this.view.setRunning(false);
  }

  /** Says why nothing can be run; any other error is thrown on. */
  refuse(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.view.refuse(error.message);
    attempt("say why nothing is run", () => sayRefusal(error));
  }

  private succeeded(target: Target, { run: result, foreign, files }: ShownRun, texts: Snapshot): void {
    const { trace, report } = result;
    this.freshness.accept([target.uri.fsPath, ...result.files, ...files], texts);
    this.target = { uri: target.uri, graph: report.graph };
    this.view.show(this.target, result, this.freshness.stale, foreign);
    this.failures.notes(report.notes, (file) => tracePath(trace, file));
    log().info(`${labelOf(target.uri)}: ${report.graph} swept in ${Math.round(result.elapsedMs)} ms`);
  }

  private failed(target: Target, result: RunFailure, texts: Snapshot, why: Why): void {
    const { failure, partial } = result;
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
    const files = [target.uri.fsPath, ...(result.files ?? [])];
    // saving any of them may mend it
    if (this.view.complete) for (const file of files) this.freshness.watch(file);
    else this.freshness.accept(files, texts);
    this.view.setStale(this.freshness.stale);
  }

  dispose(): void {
    this.rerun.cancel();
    for (const part of [this.renamed, this.runs, this.failures, this.freshness]) part.dispose();
  }
}

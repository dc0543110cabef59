/**
 * The sessions that are going on, between VS Code and what is on screen: sweeps come from the host's runs, the panel
 * follows a session, and the panel's player moves it.
 */
import { basename, sep } from "node:path";
import * as vscode from "vscode";
import type { AskedOptions } from "../../engine/graph/options.js";
import { isLastWriterWins } from "../../engine/report/overwrites.js";
import type { RunResult, RunSuccess } from "../../runner/messages.js";
import type { Change } from "../features/shown.js";
import { attempt } from "../log.js";
import { openTarget, Refusal, type Target } from "../target.js";
import type { Environment, LaunchArguments, Recorded } from "./environment.js";
import { registerInlineValues } from "./inline-values.js";
import { BacksweepSession } from "./session.js";

/** Milliseconds in which VS Code shows a stop, if it does. */
const FOCUS_MS = 2_000;

/** What the sessions need of the host: runs that are shown in the panel, and the panel's place. */
export interface Stage {
  /** Runs and shows; null: cancelled, or another run took its place. A string: why nothing can be run. */
  run(target: Target, options: AskedOptions): Promise<RunResult | string | null>;
  /** Runs again what a session has left changed; says nothing and opens nothing. */
  restore(target: Target, options: AskedOptions): Promise<unknown>;
  /** Shows a sweep that was made before. */
  show(target: Target, result: RunSuccess): void;
  /** What is on screen is a what-if, and of what; null: it is none. */
  label(whatIf: string | null): void;
  /** Nobody waits for the run under way any more. */
  cancel(): void;
  /** the user is in the panel, whose keys move the index */
  readonly panelActive: boolean;
  focusPanel(): void;
  moveTo(step: number, selected: number): void;
  /** id of the sweep on screen, -1: none */
  readonly sweepId: number;
  readonly step: number | null;
  readonly stale: boolean;
  onDidChange(listener: (change: Change) => void): vscode.Disposable;
}

interface Going {
  readonly vs: vscode.DebugSession;
  readonly session: BacksweepSession;
  /** the sweep on screen that is this session's */
  sweep: number;
  stale: boolean;
  launch: LaunchArguments | null;
  /** what is on screen is a what-if of the session */
  whatIf: boolean;
  /** the last sweep that was none */
  truth: RunSuccess | null;
  /** runs of the session under way */
  runs: number;
}

export class Debugging implements vscode.Disposable {
  private readonly going = new Set<Going>();
  private inline: vscode.Disposable | null = null;
  private readonly listeners: readonly vscode.Disposable[];
  /** the panel is being moved by a session, and does not move it back */
  private telling = false;
  /** files that were given another name while sessions were going on */
  private readonly moves: (readonly [from: string, to: string])[] = [];
  private readonly breakpointsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeBreakpoints = this.breakpointsChanged.event;

  constructor(private readonly stage: Stage) {
    this.listeners = [
      stage.onDidChange((change) => this.changed(change)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.moves.push([oldUri.fsPath, newUri.fsPath]);
      }),
    ];
  }

  /** An adapter for a session that VS Code starts. */
  adapter(vs: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const name = vs.name;
    const environment: Environment = {
      run: (launch, changes) => this.run(going, launch, changes ?? {}),
      moved: (position, focus) => this.tell(going, position, focus),
      renamed: (whatIf) => {
        going.whatIf = whatIf !== null;
        if (going.sweep === this.stage.sweepId) this.stage.label(whatIf);
        vs.name = whatIf === null ? name : `${name}, what if ${whatIf}`;
      },
      marked: () => this.breakpointsChanged.fire(),
      ended: () => this.ended(going),
    };
    const session = new BacksweepSession(environment);
    const nothing = { sweep: -1, stale: false, launch: null, whatIf: false, truth: null, runs: 0 };
    const going: Going = { vs, session, ...nothing };
    this.going.add(going);
    this.inline ??= registerInlineValues();
    return new vscode.DebugAdapterInlineImplementation(going.session as unknown as vscode.DebugAdapter);
  }

  private async run(going: Going, launch: LaunchArguments, changes: AskedOptions): Promise<Recorded> {
    const target = this.targetOf(launch);
    const result = await this.sweep(going, target, { ...optionsOf(launch), ...changes });
    if (result === null)
      return { ok: false, message: "The run was cancelled, or another one took its place." };
    if (typeof result === "string") return { ok: false, message: result };
    if (!result.ok) {
      const { file, line, column, message } = result.failure;
      const place = line > 0 ? `:${line}${column > 0 ? `:${column}` : ""}` : "";
      return { ok: false, message: file === null ? message : `${basename(file)}${place}: ${message}` };
    }
    going.launch = launch;
    going.sweep = this.stage.sweepId;
    going.stale = this.stage.stale;
    if (Object.keys(changes).length === 0) going.truth = result;
    const { trace, counterpart } = result;
    return { ok: true, trace, right: isLastWriterWins(trace) ? counterpart : null };
  }

  /** A run of the session; a string: why there is nothing to run. */
  private async sweep(
    going: Going,
    target: Target,
    options: AskedOptions,
  ): Promise<RunResult | string | null> {
    going.runs++;
    try {
      // a file that is gone is said where the session asks for it, before the panel lets go of what it shows
      await openTarget(target.uri);
      return await this.stage.run(target, options);
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    } finally {
      going.runs--;
    }
  }

  /** What a configuration means by now: a file that was given another name is the same graph. */
  private targetOf({ program, graph }: LaunchArguments): Target {
    const path = this.moves.reduce(
      (at, [from, to]) => (at === from || at.startsWith(from + sep) ? to + at.slice(from.length) : at),
      program,
    );
    return { uri: vscode.Uri.file(path), graph: graph ?? null };
  }

  /** The panel's player moved the index of the sweep that a session debugs. */
  private follow({ vs, session }: Going, step: number): void {
    const { panelActive } = this.stage;
    if (!session.follow(step) || !panelActive) return;
    // VS Code gives the source the focus at a stop, and the next key is meant for the panel
    const back = vscode.debug.onDidChangeActiveStackItem((item) => {
      if (!(item instanceof vscode.DebugStackFrame) || item.session.id !== vs.id) return;
      back.dispose();
      this.stage.focusPanel();
    });
    setTimeout(() => back.dispose(), FOCUS_MS);
  }

  /** Steps at which the session that debugs the sweep on screen stops; null: there is none. */
  marks(): number[] | null {
    for (const { session, sweep } of this.going) if (sweep === this.stage.sweepId) return session.marks;
    return null;
  }

  private tell(going: Going, position: number, focus: number): void {
    if (going.sweep !== this.stage.sweepId) return;
    this.telling = true;
    this.stage.moveTo(position, focus);
    this.telling = false;
  }

  private changed(change: Change): void {
    if (this.telling) return;
    const { sweepId, step, stale } = this.stage;
    for (const going of this.going) {
      if (going.sweep !== sweepId) continue;
      if (change === "moved" && step !== null) this.follow(going, step);
      if (going.stale === stale) continue;
      going.stale = stale;
      going.session.sourceChanged(stale);
    }
  }

  private ended(going: Going): void {
    this.going.delete(going);
    this.breakpointsChanged.fire();
    const { launch, whatIf, sweep, truth } = going;
    if (going.runs > 0) this.stage.cancel();
    // nobody knows any more that what is on screen was changed: the true sweep comes back, at once and whatever the text
    // has become by now, then that of the text
    if (whatIf && launch !== null && sweep === this.stage.sweepId) {
      const target = this.targetOf(launch);
      if (truth !== null) this.stage.show(target, truth);
      attempt("show the true sweep", () => this.stage.restore(target, optionsOf(launch)));
    }
    if (this.going.size > 0) return;
    this.moves.length = 0;
    this.inline?.dispose();
    this.inline = null;
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.inline?.dispose();
    this.breakpointsChanged.dispose();
    this.going.clear();
  }
}

/** The options of a run among what launch.json says. */
function optionsOf(launch: LaunchArguments): AskedOptions {
  const keys = ["set", "seed", "schedule", "dtype", "cotangentDtype", "accumulate", "order"] as const;
  return Object.fromEntries(keys.filter((key) => launch[key] !== undefined).map((key) => [key, launch[key]]));
}

/**
 * The sessions that are going on, between VS Code and what is on screen: sweeps come from the host's runs, the panel
 * follows a session, and the panel's player moves it.
 */
import { basename } from "node:path";
import * as vscode from "vscode";
import type { AskedOptions } from "../../engine/graph/options.js";
import { isLastWriterWins } from "../../engine/report/overwrites.js";
import type { RunResult } from "../../runner/messages.js";
import type { Change } from "../features/shown.js";
import { attempt } from "../log.js";
import type { Target } from "../target.js";
import type { Environment, LaunchArguments, Recorded } from "./environment.js";
import { registerInlineValues } from "./inline-values.js";
import { BacksweepSession } from "./session.js";

/** What the sessions need of the host: runs that are shown in the panel, and the panel's place. */
export interface Stage {
  /** Runs and shows; null: cancelled, or another run took its place. A string: why nothing can be run. */
  run(target: Target, options: AskedOptions): Promise<RunResult | string | null>;
  /** Runs again what a session has left changed; says nothing and opens nothing. */
  restore(target: Target, options: AskedOptions): Promise<unknown>;
  moveTo(step: number, selected: number): void;
  /** id of the sweep on screen, -1: none */
  readonly sweepId: number;
  readonly step: number | null;
  readonly stale: boolean;
  onDidChange(listener: (change: Change) => void): vscode.Disposable;
}

interface Going {
  readonly session: BacksweepSession;
  /** the sweep on screen that is this session's */
  sweep: number;
  stale: boolean;
  launch: LaunchArguments | null;
  /** what is on screen is a what-if of the session */
  whatIf: boolean;
}

export class Debugging implements vscode.Disposable {
  private readonly going = new Set<Going>();
  private inline: vscode.Disposable | null = null;
  private readonly listener: vscode.Disposable;
  /** the panel is being moved by a session, and does not move it back */
  private telling = false;
  private readonly breakpointsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeBreakpoints = this.breakpointsChanged.event;

  constructor(private readonly stage: Stage) {
    this.listener = stage.onDidChange((change) => this.changed(change));
  }

  /** An adapter for a session that VS Code starts. */
  adapter(vs: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const name = vs.name;
    const environment: Environment = {
      run: (launch, changes) => this.run(going, launch, changes ?? {}),
      moved: (position, focus) => this.tell(going, position, focus),
      renamed: (whatIf) => {
        going.whatIf = whatIf !== null;
        vs.name = whatIf === null ? name : `${name}, what if ${whatIf}`;
      },
      marked: () => this.breakpointsChanged.fire(),
      ended: () => this.ended(going),
    };
    const session = new BacksweepSession(environment);
    const going: Going = { session, sweep: -1, stale: false, launch: null, whatIf: false };
    this.going.add(going);
    this.inline ??= registerInlineValues();
    return new vscode.DebugAdapterInlineImplementation(going.session as unknown as vscode.DebugAdapter);
  }

  private async run(going: Going, launch: LaunchArguments, changes: AskedOptions): Promise<Recorded> {
    going.launch = launch;
    const result = await this.stage.run(targetOf(launch), { ...optionsOf(launch), ...changes });
    if (result === null) return { ok: false, message: "The run was cancelled." };
    if (typeof result === "string") return { ok: false, message: result };
    if (!result.ok) {
      const { file, line, message } = result.failure;
      const where = file === null ? "" : `${basename(file)}${line > 0 ? `:${line}` : ""}: `;
      return { ok: false, message: where + message };
    }
    going.sweep = this.stage.sweepId;
    going.stale = this.stage.stale;
    const { trace, counterpart } = result;
    return { ok: true, trace, right: isLastWriterWins(trace) ? counterpart : null };
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
      if (change === "moved" && step !== null) going.session.follow(step);
      if (going.stale === stale) continue;
      going.stale = stale;
      going.session.sourceChanged(stale);
    }
  }

  private ended(going: Going): void {
    this.going.delete(going);
    this.breakpointsChanged.fire();
    const { launch, whatIf, sweep } = going;
    // nobody knows any more that what is on screen was changed: the true sweep comes back
    if (whatIf && launch !== null && sweep === this.stage.sweepId)
      attempt("show the true sweep", () => this.stage.restore(targetOf(launch), optionsOf(launch)));
    if (this.going.size > 0) return;
    this.inline?.dispose();
    this.inline = null;
  }

  dispose(): void {
    this.listener.dispose();
    this.inline?.dispose();
    this.breakpointsChanged.dispose();
    this.going.clear();
  }
}

function targetOf({ program, graph }: LaunchArguments): Target {
  return { uri: vscode.Uri.file(program), graph: graph ?? null };
}

/** The options of a run among what launch.json says. */
function optionsOf(launch: LaunchArguments): AskedOptions {
  const keys = ["set", "seed", "schedule", "dtype", "cotangentDtype", "accumulate", "order"] as const;
  return Object.fromEntries(keys.filter((key) => launch[key] !== undefined).map((key) => [key, launch[key]]));
}

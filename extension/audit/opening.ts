/** Opens the smallest graph on which an engine fails: its sweep beside ours, and the line at fault. */
import * as vscode from "vscode";
import type { Cursor } from "../cursor.js";
import { rangeOf } from "../failures.js";
import type { Sweeps } from "../sweeps.js";
import type { Target } from "../target.js";
import type { TestRuns } from "../test-runs.js";
import type { View } from "../view.js";
import { auditedIn, besideForeign, writeSmallest, type AuditedIn } from "./smallest.js";

export class SmallestGraphs {
  /** `folder`: of the extension's own, where the graphs are written. */
  constructor(
    private readonly folder: string,
    private readonly view: View,
    private readonly sweeps: Sweeps,
    private readonly tests: TestRuns,
    private readonly cursor: Cursor,
    private readonly openPanel: () => void,
  ) {}

  /** An engine that was not audited yet, or whose text has changed since, is audited first. */
  async open(audited: AuditedIn): Promise<void> {
    const failing = await this.tests.failingAudit(audited.uri, audited.engine, true);
    // what is on screen may be of the engine as it was: then it is marked as older than the text, and stays so
    if (failing === null) return;
    if (typeof failing === "string") return this.none(audited, failing);
    const target = await writeSmallest(this.folder, audited, failing.smallest);
    this.openPanel();
    this.sweeps.ownWay(target, () => this.open(audited));
    await this.sweeps.run(target, "asked", ORDER, (run) => besideForeign(run, failing, false));
    const { place } = failing;
    if (place !== null) this.cursor.reveal(vscode.Uri.file(place.file), rangeOf(place));
  }

  /** There is no failing graph, and why. One that was on screen is gone with the fault: it was the engine's as it was. */
  private async none(audited: AuditedIn, why: string): Promise<void> {
    const { shown } = this.view;
    const known = shown === null ? null : await auditedIn(this.folder, vscode.Uri.parse(shown.uri));
    const own = known?.engine === audited.engine && known.uri.toString() === audited.uri.toString();
    const passes = own ? this.passes(audited) : null;
    if (passes === null) void vscode.window.showWarningMessage(why);
    else this.view.pass(passes);
  }

  /** That the engine passes; null: that is not known of it. */
  private passes({ uri, engine }: AuditedIn): string | null {
    const result = this.tests.audited(uri, engine);
    if (result?.verdict !== "clean") return null;
    const graphs = `${result.cases.toLocaleString("en")} random graphs (seed ${result.seed})`;
    return `${engine} passes: every gradient is right on ${graphs}.`;
  }

  /**
   * A view of such a graph was there when the window was closed: the engine is audited again as it is now, and its sweep is
   * there where it was. False: the target is a graph like any other.
   */
  async restore(target: Target): Promise<boolean> {
    const audited = await auditedIn(this.folder, target.uri);
    if (audited === null) return false;
    const { view, sweeps } = this;
    sweeps.ownWay(target, () => this.open(audited));
    sweeps.target = target;
    // nothing of the engine runs before the workspace is trusted; then it is opened as if it had been asked for
    if (!vscode.workspace.isTrusted) {
      view.sendAll();
      return true;
    }
    view.setRunning(true, target.graph);
    const failing = await this.tests.failingAudit(audited.uri, audited.engine, false);
    // something else was asked for meanwhile
    if (sweeps.target !== target) return true;
    const passes = typeof failing === "string" ? this.passes(audited) : null;
    if (passes !== null) view.pass(passes);
    else if (failing === null || typeof failing === "string")
      view.refuse(failing ?? `The audit of ${audited.engine} was cancelled.`);
    else {
      await writeSmallest(this.folder, audited, failing.smallest);
      await sweeps.run(target, "restored", ORDER, (run) => besideForeign(run, failing, true));
    }
    return true;
  }
}

/** Most engines sweep their tape backwards: so do we, and contributions arrive in the same order. */
const ORDER = { order: "tape" } as const;

/** The panel and the host's runs, as the debug sessions see them. */
import type * as vscode from "vscode";
import type { AskedOptions } from "../../engine/graph/options.js";
import type { RunResult, RunSuccess } from "../../runner/messages.js";
import type { Change } from "../features/shown.js";
import type { Target } from "../target.js";
import type { View } from "../view.js";
import type { Stage } from "./debugging.js";

export class DebugStage implements Stage {
  constructor(
    private readonly view: View,
    readonly run: (target: Target, options: AskedOptions) => Promise<RunResult | string | null>,
    readonly restore: (target: Target, options: AskedOptions) => Promise<unknown>,
    readonly cancel: () => void,
  ) {}

  show(target: Target, result: RunSuccess): void {
    this.view.show({ ...target, graph: result.report.graph }, result, this.view.isStale);
  }

  label(whatIf: string | null): void {
    this.view.whatIf = whatIf;
    this.view.sendAll();
  }

  get panelActive(): boolean {
    return this.view.panel?.active ?? false;
  }

  focusPanel(): void {
    this.view.panel?.reveal(false);
  }

  moveTo(step: number, selected: number): void {
    this.view.moveTo(step, selected);
  }

  get sweepId(): number {
    return this.view.sweep?.id ?? -1;
  }

  get step(): number | null {
    return this.view.position?.step ?? null;
  }

  get stale(): boolean {
    return this.view.isStale;
  }

  onDidChange(listener: (change: Change) => void): vscode.Disposable {
    return this.view.onDidChange(listener);
  }
}

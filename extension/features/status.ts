/** The status bar item: which graph is shown, what its gradient is worth, and whether it is older than the text. */
import * as vscode from "vscode";
import { inputQuantities } from "../../engine/report/input-quantities.js";
import type { Quantity } from "../../engine/report/quantity.js";
import { full, short } from "../../engine/report/text/format.js";
import { featureEnabled } from "../settings.js";
import type { Shown, ShownSweep } from "./shown.js";
import { besideRight } from "./wrong.js";

/** inputs whose gradient the tooltip names */
const INPUTS = 12;

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "backsweep.sweep",
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private readonly listeners: vscode.Disposable[];
  private told: ShownSweep | null = null;

  constructor(private readonly shown: Shown) {
    this.item.name = "Backsweep";
    this.item.command = "backsweep.openView";
    this.listeners = [
      shown.onDidChange((change) => {
        if (change !== "moved") this.draw();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("backsweep.statusBar")) this.draw();
      }),
    ];
    this.draw();
  }

  private draw(): void {
    const { screen, sweep } = this.shown;
    if ((sweep === null && !screen.isRunning) || !featureEnabled("statusBar", undefined)) {
      this.item.hide();
      return;
    }
    // what runs may be another graph than the one on screen
    const running = screen.isRunning ? screen.runningGraph : null;
    const graph = running ?? sweep?.view.graph ?? "Backsweep";
    const { icon, word } = state(this.shown);
    this.item.text = `$(${icon}) ${graph}${word === "" ? "" : `: ${word}`}`;
    this.item.accessibilityInformation = { label: `Backsweep, ${graph}${word === "" ? "" : `, ${word}`}` };
    if (sweep !== this.told) this.item.tooltip = sweep ? gradientText(sweep) : undefined;
    this.told = sweep;
    this.item.show();
  }

  /** What is shown, for tests. */
  get text(): string {
    return this.item.text;
  }

  dispose(): void {
    this.item.dispose();
    for (const listener of this.listeners) listener.dispose();
  }
}

function state({ screen, sweep }: Shown): { readonly icon: string; readonly word: string } {
  if (screen.isRunning) return { icon: "sync~spin", word: "running" };
  if (screen.failed !== null) return { icon: "error", word: "the run failed" };
  if (screen.whatIf !== null) return { icon: "beaker", word: `what if ${screen.whatIf}` };
  if (screen.isStale) return { icon: "history", word: "older than the text" };
  if (sweep !== null && sweep.wrong !== null) return { icon: "warning", word: sweep.wrong };
  const report = sweep?.view.report;
  if (report?.finding === true) return { icon: "warning", word: "NaN or infinite" };
  if (report?.notes.some(({ severity }) => severity === "warning"))
    return { icon: "info", word: "gradient with remarks" };
  return { icon: "check", word: "gradient" };
}

function gradientText(sweep: ShownSweep): vscode.MarkdownString {
  const { timeline, view } = sweep;
  const { trace, graph, fileLabel } = view;
  const text = new vscode.MarkdownString(`**${graph}** in ${fileLabel}\n\n`);
  const { inputs } = trace.header;
  for (const input of inputs.slice(0, INPUTS)) {
    const { bar } = inputQuantities(timeline, input);
    const show = (of: Quantity | undefined): string => (typeof of === "number" ? full(of) : short(of));
    const wrong = besideRight(sweep, (of) => inputQuantities(of, input).bar, show);
    const value = wrong ?? (bar === "unswept" ? "not swept" : show(bar));
    text.appendMarkdown("- d/d ").appendText(`${input.name}: ${value}`).appendMarkdown("\n");
  }
  if (inputs.length > INPUTS) text.appendMarkdown(`- and ${inputs.length - INPUTS} more inputs`);
  return text;
}

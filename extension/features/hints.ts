/** Inlay hints: value and cotangent beside each named node, of the lines on screen only. */
import * as vscode from "vscode";
import { hintAt, hintText, type NodeHint } from "../../engine/report/hints.js";
import { inputQuantities } from "../../engine/report/input-quantities.js";
import { full } from "../../engine/report/text/format.js";
import { isInput } from "../../engine/report/overwrites.js";
import { cotangent, type Quantity } from "../../engine/report/quantity.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { languages } from "../lens.js";
import { featureEnabled } from "../settings.js";
import type { Documents } from "./documents.js";
import type { Shown } from "./shown.js";
import { besideRight } from "./wrong.js";

const STALE = "from a sweep of an older text: run it again";

export class Hints implements vscode.InlayHintsProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];
  readonly onDidChangeInlayHints = this.changed.event;

  constructor(
    private readonly shown: Shown,
    private readonly documents: Documents,
  ) {
    let selected = shown.screen.selected;
    this.disposables = [
      this.changed,
      vscode.debug.onDidChangeActiveDebugSession(() => this.changed.fire()),
      shown.onDidChange((change) => {
        // a step of the player changes no hint, unless it selects another iteration
        if (change === "running" || (change === "moved" && selected === shown.screen.selected)) return;
        selected = shown.screen.selected;
        this.changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("backsweep.inlayHints")) this.changed.fire();
      }),
      vscode.languages.registerInlayHintsProvider(
        languages.map((language) => ({ language, scheme: "file" })),
        this,
      ),
    ];
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    // a session shows its own values beside the lines, as of its step: final ones beside them would contradict
    if (vscode.debug.activeDebugSession?.type === "backsweep") return [];
    const { sweep } = this.shown;
    const placed = this.documents.of(document);
    if (sweep === null || placed === null || !featureEnabled("inlayHints", document.uri)) return [];
    const stale = this.shown.screen.isStale || placed.edited;
    const hints: vscode.InlayHint[] = [];
    const from = document.offsetAt(range.start);
    const to = document.offsetAt(range.end);
    for (const { site, end } of placed.within(from, to)) {
      if (end < from || end > to || placed.insideWord(end)) continue;
      const hint = hintAt(sweep.index, sweep.timeline, site, this.shown.screen.selected);
      // an input is no operation: its hint stands at its name
      if (hint === null || isInput(sweep.trace, hint.node)) continue;
      const wrong = besideRight(sweep, (timeline) => cotangent(timeline, hint.node));
      const label = labelOf(hint.value, hint.bar, stale, wrong) + countLabel(hint);
      hints.push(this.hint(document.positionAt(end), label, this.tooltip(hint, stale, wrong)));
    }
    for (const { input, place } of placed.inputs) {
      const at = placed.range(place);
      if (at === null || at.end < from || at.end > to || placed.insideWord(at.end)) continue;
      const { value, bar } = inputQuantities(sweep.timeline, input);
      const wrong = besideRight(sweep, (timeline) => inputQuantities(timeline, input).bar);
      const gradient = bar === "unswept" ? "" : `, gradient ${wrong ?? full(bar)}`;
      const tooltip = `input ${input.name}: value ${full(value)}${gradient}`;
      hints.push(
        this.hint(
          document.positionAt(at.end),
          labelOf(value, bar, stale, wrong),
          tooltip + (stale ? `; ${STALE}` : ""),
        ),
      );
    }
    return hints;
  }

  private hint(position: vscode.Position, label: string, tooltip: string): vscode.InlayHint {
    const hint = new vscode.InlayHint(position, label);
    hint.tooltip = tooltip;
    hint.paddingLeft = true;
    return hint;
  }

  private tooltip(
    { node, value, bar, instance, of }: NodeHint,
    stale: boolean,
    wrong: string | null,
  ): string {
    const { trace } = this.shown.sweep!;
    const parts = [`${nodeTitle(trace, node)}: value ${full(value)}`];
    if (bar === "unswept") parts.push("not swept: the run stopped before its sweep");
    else if (wrong !== null) parts.push(`cotangent ${wrong}`);
    else parts.push(bar === undefined ? "no derivative flows here" : `cotangent ${full(bar)}`);
    if (of > 1) {
      const which = instance === of ? `the last of ${of}` : `${instance} of ${of}`;
      parts.push(`${which} computed here; select another in the panel to see it`);
    }
    if (stale) parts.push(STALE);
    return parts.join("; ");
  }

  dispose(): void {
    for (const part of this.disposables) part.dispose();
  }
}

/** The figures beside a place; `wrong`: what is said of a cotangent that is not the right one. */
function labelOf(
  value: Quantity,
  bar: Quantity | undefined | "unswept",
  stale: boolean,
  wrong: string | null,
): string {
  if (wrong === null) return hintText(value, bar, stale);
  return `${hintText(value, "unswept", stale)}\u00A0∂\u00A0${wrong.replaceAll(" ", "\u00A0")}`;
}

/** "3/6": which of the nodes made at one place is shown. */
function countLabel({ instance, of }: NodeHint): string {
  return of > 1 ? `\u00A0${String(instance).padStart(String(of).length, "\u00A0")}/${of}` : "";
}

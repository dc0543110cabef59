/** Hover on any name or operation of a graph: value, cotangent, who handed what, the strongest paths. */
import * as vscode from "vscode";
import { storyMarkdown, storyOf, type NodeStory } from "../../engine/report/hover.js";
import { cotangent } from "../../engine/report/quantity.js";
import { retentionText } from "../../engine/report/retention.js";
import { languages } from "../lens.js";
import { featureEnabled } from "../settings.js";
import type { Documents } from "./documents.js";
import { pointedAt, type Pointed } from "./named.js";
import type { Shown, ShownSweep } from "./shown.js";
import { besideRight } from "./wrong.js";

export class Hovers implements vscode.HoverProvider, vscode.Disposable {
  /** counting paths takes time that grows with the graph: hovering the same node again costs nothing */
  private readonly told = new WeakMap<ShownSweep, Map<number, NodeStory>>();
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly shown: Shown,
    private readonly documents: Documents,
  ) {
    this.registration = vscode.languages.registerHoverProvider(
      languages.map((language) => ({ language, scheme: "file" })),
      this,
    );
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const { sweep } = this.shown;
    const placed = this.documents.of(document);
    if (sweep === null || placed === null || !featureEnabled("hover", document.uri)) return null;
    const range = document.getWordRangeAtPosition(position);
    const word = range && {
      text: document.getText(range),
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
    };
    const pointed = pointedAt(
      sweep.index,
      placed,
      document.offsetAt(position),
      word ?? null,
      this.shown.screen.selected,
    );
    if (pointed === null) return null;
    const { timeline } = sweep;
    const wrong = besideRight(sweep, (of) => cotangent(of, pointed.node));
    const kept = retentionText(timeline, pointed.node, this.shown.screen.step ?? timeline.steps);
    const markdown = new vscode.MarkdownString(
      storyMarkdown(sweep.timeline, this.story(sweep, pointed.node), [
        ...remarks(pointed, this.shown.screen.isStale || placed.edited),
        ...(wrong === null ? [] : [`${wrong} (the panel shows this sweep)`]),
        ...(kept === null ? [] : [`checkpointing: ${kept}`]),
      ]),
    );
    return new vscode.Hover(
      markdown,
      new vscode.Range(document.positionAt(pointed.start), document.positionAt(pointed.end)),
    );
  }

  private story(sweep: ShownSweep, node: number): NodeStory {
    let stories = this.told.get(sweep);
    if (stories === undefined) this.told.set(sweep, (stories = new Map()));
    let story = stories.get(node);
    if (story === undefined) stories.set(node, (story = storyOf(sweep.timeline, node, sweep.uses)));
    return story;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function remarks({ instance, of }: Pointed, stale: boolean): string[] {
  const out: string[] = [];
  if (of > 1) out.push(`${instance} of ${of} computed here`);
  if (stale) out.push("older than the text: run the sweep again");
  return out;
}

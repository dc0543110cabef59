/** The language features that show a sweep in the editor. Made with the host at the first run: before it there is nothing to show. */
import type * as vscode from "vscode";
import type { DeferredTree } from "./deferred-tree.js";
import { Documents } from "./documents.js";
import { FanOuts } from "./fan-out.js";
import { Hints } from "./hints.js";
import { Hovers } from "./hover.js";
import { ContextKeys } from "./keys.js";
import { Shown, type Screen } from "./shown.js";
import { Status } from "./status.js";
import { GraphTree, type Branch, type TreeEvents } from "./tree.js";

/** The tree view as activation made it, waiting for its data. */
export interface TreePlace {
  readonly view: vscode.TreeView<Branch>;
  readonly data: DeferredTree<Branch>;
}

export class Features implements vscode.Disposable {
  private readonly shown: Shown;
  private readonly parts: readonly vscode.Disposable[];
  private readonly status: Status;
  /** for tests, which measure it without the way to the window and back */
  readonly hints: Hints;

  constructor(screen: Screen, extensionPath: string, tree: TreePlace, events: TreeEvents) {
    this.shown = new Shown(screen);
    const documents = new Documents(this.shown);
    this.status = new Status(this.shown);
    this.hints = new Hints(this.shown, documents);
    this.parts = [
      this.hints,
      new Hovers(this.shown, documents),
      new FanOuts(this.shown, documents, extensionPath),
      new GraphTree(this.shown, tree.view, tree.data, events),
      new ContextKeys(this.shown),
      this.status,
      documents,
      this.shown,
    ];
  }

  /** What the status bar says, for tests. */
  get statusText(): string {
    return this.status.text;
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}

/**
 * The webview panel: its html, its messages both ways, and nothing about what they mean. It holds no truth: the view is
 * thrown away when hidden, and says `ready` when it is there (again).
 */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as vscode from "vscode";
import type { HostMessage, ViewMessage } from "../engine/protocol.js";
import { shellHtml } from "../webview/shell.js";
import { attempt } from "./log.js";
import { parcels } from "./parcels.js";

export const VIEW_TYPE = "backsweep";

export interface PanelEvents {
  message(message: ViewMessage): void;
  closed(panel: Panel): void;
}

export class Panel implements vscode.Disposable {
  private live = false;
  /** what waits until the pieces of a big message are sent */
  private readonly queue: HostMessage[] = [];
  private sending = false;
  private readonly folder: vscode.Uri;

  /**
   * A new panel beside the editor. With the focus in it, the next file from the Explorer would open on top of it: only
   * who asked for the panel itself is taken there.
   */
  static open(context: vscode.ExtensionContext, events: PanelEvents, preserveFocus: boolean): Panel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus };
    return new Panel(context, vscode.window.createWebviewPanel(VIEW_TYPE, "Backsweep", column), events);
  }

  /** Takes over a panel: one just made, or one that VS Code restored. */
  constructor(
    context: vscode.ExtensionContext,
    private readonly panel: vscode.WebviewPanel,
    events: PanelEvents,
  ) {
    const { webview } = panel;
    this.folder = vscode.Uri.joinPath(context.extensionUri, "dist", "webview");
    webview.options = { enableScripts: true, localResourceRoots: [this.folder] };
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, "media", "icon.svg");
    webview.onDidReceiveMessage((message: ViewMessage) => {
      if (message.type === "ready") {
        this.live = true;
        this.queue.length = 0;
      }
      events.message(message);
    });
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.live = false;
    });
    panel.onDidDispose(() => {
      this.live = false;
      events.closed(this);
    });
    this.load();
  }

  /** Loads the page anew: the view forgets what it showed, and asks again. */
  load(): void {
    const { webview } = this.panel;
    const file = (name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.folder, name)).toString();
    this.live = false;
    webview.html = shellHtml({
      nonce: randomBytes(16).toString("base64url"),
      cspSource: webview.cspSource,
      scriptUri: file("main.js"),
      styleUri: file("main.css"),
      title: "Backsweep",
    });
  }

  /** The view is on screen and has asked for its content. */
  get ready(): boolean {
    return this.live;
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  /** The user is in it. */
  get active(): boolean {
    return this.panel.active;
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  set title(text: string) {
    this.panel.title = text;
  }

  /** Sends a message; one sent to a view that is not there is dropped, since `ready` gets everything again. */
  send(message: HostMessage): void {
    if (!this.live) return;
    this.queue.push(message);
    if (!this.sending) attempt("send to the view", () => this.pump());
  }

  /** Sends what is queued, in order; between the pieces of a big message the event loop turns. */
  private async pump(): Promise<void> {
    this.sending = true;
    try {
      for (let message = this.queue.shift(); message && this.live; message = this.queue.shift()) {
        let first = true;
        for (const parcel of parcels(message)) {
          if (!first) await nextTurn();
          // the view went away, or a later sweep is on its way: the rest is of no use
          if (!this.live || (!first && this.queue.some(({ type }) => type === "sweep"))) break;
          first = false;
          attempt("send to the view", () => this.panel.webview.postMessage(parcel));
        }
      }
    } finally {
      this.sending = false;
    }
  }

  reveal(preserveFocus: boolean): void {
    this.panel.reveal(undefined, preserveFocus);
  }

  dispose(): void {
    this.panel.dispose();
  }
}

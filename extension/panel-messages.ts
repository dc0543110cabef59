/** What the view says and asks, and what comes of it: a place is shown, a graph is run, a question is answered. */
import * as vscode from "vscode";
import type { ViewMessage, ViewRequest } from "../engine/protocol.js";
import { bytesOf, pack } from "../engine/trace/columns.js";
import type { Cursor } from "./cursor.js";
import { rangeOf } from "./failures.js";
import { log } from "./log.js";
import { traceFiles, tracePath } from "./places.js";
import { Questions } from "./questions.js";
import { saveExport } from "./save-export.js";
import type { Sweeps } from "./sweeps.js";
import { labelOf } from "./target.js";
import type { View } from "./view.js";

export class PanelMessages implements vscode.Disposable {
  /** a runner of its own, made with the first question */
  private questions: Questions | null = null;

  /** `runActive`: runs what the active editor shows. */
  constructor(
    private readonly view: View,
    private readonly sweeps: Sweeps,
    private readonly cursor: Cursor,
    private readonly runnerPath: string,
    private readonly runActive: () => Promise<void>,
  ) {}

  async receive(message: ViewMessage): Promise<void> {
    const { view, cursor } = this;
    switch (message.type) {
      case "ready":
        view.ready(message.state);
        return;
      case "moved":
        view.moved(message);
        return;
      case "reveal":
        if (view.isCurrent(message.sweep)) cursor.revealNode(view.trace!, message.node);
        return;
      case "revealPlace":
        this.revealPlace(message);
        return;
      case "run":
        await this.run(message);
        return;
      case "manageTrust":
        await vscode.commands.executeCommand("workbench.trust.manage");
        return;
      case "error":
        log().error(`the view: ${message.message}`);
        return;
      case "request":
        return this.answer(message.request, message.call);
    }
  }

  /** A place the view names: of the failure's file, of a file of the sweep, else of the graph's own. */
  private revealPlace({ file, line, column }: Extract<ViewMessage, { type: "revealPlace" }>): void {
    const { target, failedFile } = this.sweeps;
    if (target === null) return;
    const { trace } = this.view;
    let { uri } = target;
    // of an audited engine
    if (file !== null && file === this.view.sweep?.fault?.place?.file) uri = vscode.Uri.file(file);
    else if (file !== null && failedFile !== null && labelOf(vscode.Uri.file(failedFile)) === file)
      uri = vscode.Uri.file(failedFile);
    else if (file !== null && trace && traceFiles(trace).includes(tracePath(trace, file)))
      uri = vscode.Uri.file(tracePath(trace, file));
    this.cursor.reveal(uri, rangeOf({ line, column, endLine: 0, endColumn: 0 }));
  }

  private async run({ graph, schedule }: Extract<ViewMessage, { type: "run" }>): Promise<void> {
    const { sweeps } = this;
    if (sweeps.target === null) return this.runActive();
    const target = { uri: sweeps.target.uri, graph: graph ?? sweeps.target.graph };
    if (schedule === undefined) return sweeps.runAgain(target, "asked");
    sweeps.setSchedule(target, schedule);
    await sweeps.run(target, "asked");
  }

  private async answer(request: number, call: ViewRequest): Promise<void> {
    const { view } = this;
    try {
      const value = await this.answerTo(call);
      const { packed, columns } = pack(value);
      const bytes = columns.map((column) => bytesOf(column).slice());
      view.panel?.send({ type: "reply", request, ok: true, packed, columns: bytes });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      view.panel?.send({ type: "reply", request, ok: false, error: text });
    }
  }

  private async answerTo(call: ViewRequest): Promise<unknown> {
    const { view } = this;
    const { target } = this.sweeps;
    if (call.kind === "export")
      return saveExport(call, target ? vscode.Uri.joinPath(target.uri, "..") : null);
    this.questions ??= new Questions(this.runnerPath);
    return this.questions.answer(call, {
      target: vscode.workspace.isTrusted ? target : null,
      trace: view.trace,
      isCurrent: (sweep) => view.isCurrent(sweep),
    });
  }

  dispose(): void {
    this.questions?.dispose();
  }
}

/**
 * Entry of the extension: registers providers and commands and nothing else. Whatever a run needs (panel, runner) is a
 * bundle of its own, `host.cjs`, loaded on first use.
 */
import * as vscode from "vscode";
import type { RunResult } from "../runner/messages.js";
import { watchContext } from "./context.js";
import type { Host, PanelState } from "./host.js";
import { GraphLenses, languages } from "./lens.js";
import { attempt, disposeLog, log } from "./log.js";

/** What other extensions, and the tests, can ask. */
export interface BacksweepApi {
  /** result of the last run that was not cancelled */
  lastResult(): RunResult | null;
  /** the panel, or null when it is closed */
  panelState(): PanelState | null;
}

let host: Promise<Host> | null = null;
let loaded: Host | null = null;

export function activate(context: vscode.ExtensionContext): BacksweepApi {
  const load = (): Promise<Host> => {
    host ??= import("./host.js").then(({ createHost }) => {
      loaded = createHost(context, log());
      context.subscriptions.push(loaded);
      return loaded;
    });
    return host;
  };
  const command = (
    name: string,
    doing: string,
    work: (...args: unknown[]) => Promise<unknown> | void,
  ): vscode.Disposable =>
    vscode.commands.registerCommand(name, async (...args: unknown[]) => {
      const done = Promise.resolve().then(() => work(...args));
      attempt(doing, () => done, true);
      // the caller learns when it is over; a failure was told already
      await done.catch(() => {});
    });
  const lenses = new GraphLenses();
  context.subscriptions.push(
    lenses,
    watchContext(),
    new vscode.Disposable(disposeLog),
    vscode.languages.registerCodeLensProvider(
      languages.flatMap((language) => [{ language, scheme: "file" }]),
      lenses,
    ),
    command("backsweep.runSweep", "run the sweep", async (uri, graph) =>
      (await load()).runSweep(
        uri instanceof vscode.Uri ? uri : undefined,
        typeof graph === "string" ? graph : undefined,
      ),
    ),
    command("backsweep.runAgain", "run the sweep again", async () => (await load()).runAgain()),
    command("backsweep.openView", "open the view", async () => (await load()).openView()),
    command("backsweep.showLog", "show the log", () => log().show()),
    vscode.window.registerWebviewPanelSerializer("backsweep", {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        // VS Code waits for this promise: the run that follows is not its business
        const restored = (await load()).restore(panel, state);
        attempt("restore the view", () => restored, true);
      },
    }),
  );
  return { lastResult: () => loaded?.lastResult ?? null, panelState: () => loaded?.panelState ?? null };
}

export function deactivate(): void {
  host = null;
  loaded = null;
}

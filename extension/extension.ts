/**
 * Entry of the extension: registers providers and commands and nothing else. Whatever a run needs (panel, runner) is a
 * bundle of its own, `host.cjs`, loaded on first use.
 */
import * as vscode from "vscode";
import type { RunResult } from "../runner/messages.js";
import { auditEngine, chooseEngine } from "./audit/command.js";
import { AuditLenses } from "./audit/lens.js";
import { watchContext } from "./context.js";
import { registerDebugger } from "./debug/register.js";
import { checkGradient } from "./features/check-gradient.js";
import { DeferredTree } from "./features/deferred-tree.js";
import { fillGraph, newGraph } from "./features/new-graph.js";
import { GraphTests } from "./features/tests.js";
import type { Branch } from "./features/tree.js";
import type { Host, PanelState } from "./host.js";
import { later } from "./later.js";
import { GraphLenses, languages } from "./lens.js";
import { registerLint } from "./lint/register.js";
import { attempt, disposeLog, log } from "./log.js";

/** What other extensions, and the tests, can ask. */
export interface BacksweepApi {
  /** result of the last run that was not cancelled */
  lastResult(): RunResult | null;
  /** the panel, or null when it is closed */
  panelState(): PanelState | null;
  /** what the status bar says, "" before the first run */
  statusText(): string;
  /** what gives the hints, null before the first run */
  hints(): vscode.InlayHintsProvider | null;
  /** milliseconds the lint took for the last text that it read, null before the first */
  lintElapsed(): number | null;
  /** the data of the tree view */
  readonly tree: vscode.TreeDataProvider<unknown>;
}

let host: Promise<Host> | null = null;
let loaded: Host | null = null;

export function activate(context: vscode.ExtensionContext): BacksweepApi {
  const data = new DeferredTree<Branch>();
  const view = vscode.window.createTreeView("backsweep.graphTree", { treeDataProvider: data });
  const load = (): Promise<Host> => {
    host ??= import("./host.js").then(({ createHost }) => {
      loaded = createHost(context, log(), { view, data });
      loaded.tests.explorer = () => tests();
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
  const lenses = new GraphLenses(commandsOf(context));
  // a test controller takes VS Code longer than everything else here together, and nobody asks for tests or lint at once
  const tests = once(
    context,
    () =>
      new GraphTests(
        async (uri, name, signal) => (await load()).tests.check(uri, name, signal),
        async (uri, name, signal, told) => (await load()).tests.audit(uri, name, signal, told),
        [context.storageUri, context.globalStorageUri].filter((folder) => folder !== undefined),
      ),
  );
  const lint = once(context, () => registerLint(context.extensionPath));
  const auditLenses = new AuditLenses();
  context.subscriptions.push(
    view,
    later("list the tests", () => void tests()),
    later("lint what is open", () => void lint()),
    lenses,
    auditLenses,
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
    command("backsweep.compareSchedules", "compare schedules", async (uri, graph) =>
      (await load()).compareSchedules(
        uri instanceof vscode.Uri ? uri : undefined,
        typeof graph === "string" ? graph : undefined,
      ),
    ),
    command("backsweep.openView", "open the view", async () => (await load()).openView()),
    command("backsweep.checkGradient", "check the gradient", async (uri, graph) =>
      checkGradient(
        tests(),
        uri instanceof vscode.Uri ? uri : undefined,
        typeof graph === "string" ? graph : undefined,
      ),
    ),
    vscode.languages.registerCodeLensProvider(
      languages.map((language) => ({ language, scheme: "file" })),
      auditLenses,
    ),
    command("backsweep.auditEngine", "audit the engine", async (uri, engine) =>
      auditEngine(
        tests(),
        uri instanceof vscode.Uri ? uri : undefined,
        typeof engine === "string" ? engine : undefined,
      ),
    ),
    command("backsweep.openSmallestGraph", "open the smallest failing graph", async (given, engine) => {
      // from the Test Explorer it is the test that is given
      const test = given as vscode.TestItem | undefined;
      const chosen = await chooseEngine(
        given instanceof vscode.Uri ? given : test?.uri,
        typeof engine === "string" ? engine : test?.parent === undefined ? undefined : test.label,
        (await load()).tests,
      );
      if (chosen !== null) await (await load()).openSmallest(chosen.uri, chosen.engine);
    }),
    command("backsweep.newGraph", "make a new graph definition", (uri, where) =>
      where === "here" && uri instanceof vscode.Uri
        ? fillGraph(uri)
        : newGraph(uri instanceof vscode.Uri ? uri : undefined),
    ),
    ...registerDebugger(load, command),
    command("backsweep.showLog", "show the log", () => log().show()),
    vscode.window.registerWebviewPanelSerializer("backsweep", {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        // VS Code waits for this promise: the run that follows is not its business
        const restored = (await load()).restore(panel, state);
        attempt("restore the view", () => restored, true);
      },
    }),
  );
  return {
    lastResult: () => loaded?.lastResult ?? null,
    panelState: () => loaded?.panelState ?? null,
    statusText: () => loaded?.statusText ?? "",
    hints: () => loaded?.hints ?? null,
    lintElapsed: () => lint().linter.lastElapsed,
    tree: data as vscode.TreeDataProvider<unknown>,
  };
}

/** What is made when it is needed first, and disposed of with the extension. */
function once<T extends vscode.Disposable>(context: vscode.ExtensionContext, make: () => T): () => T {
  let made: T | null = null;
  return () => {
    if (made === null) {
      made = make();
      context.subscriptions.push(made);
    }
    return made;
  };
}

/** The commands this version has: a CodeLens for another would be a dead button. */
function commandsOf(context: vscode.ExtensionContext): ReadonlySet<string> {
  const { contributes } = context.extension.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  return new Set(contributes.commands.map(({ command }) => command));
}

export function deactivate(): void {
  host = null;
  loaded = null;
}

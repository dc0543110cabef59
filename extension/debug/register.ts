/** What activation registers of the debugger: names and commands. The adapter comes with the host, on first use. */
import * as vscode from "vscode";
import { Configurations, sweepOf, TYPE } from "./configurations.js";

type Command = (
  name: string,
  doing: string,
  work: (...args: unknown[]) => Promise<unknown> | void,
) => vscode.Disposable;

/** What the host does for the debugger. */
export interface AdapterMaker {
  debugAdapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor;
  /** The file and graph a command means: those given, else the active editor's; asks where there are several. */
  debugTarget(
    uri?: vscode.Uri,
    graph?: string,
  ): Promise<{ readonly uri: vscode.Uri; readonly graph: string | null } | null>;
}

export function registerDebugger(load: () => Promise<AdapterMaker>, command: Command): vscode.Disposable[] {
  const configurations = new Configurations();
  const { Initial, Dynamic } = vscode.DebugConfigurationProviderTriggerKind;
  const step = async (request: string): Promise<void> => {
    const session = vscode.debug.activeDebugSession;
    if (session?.type === TYPE) await session.customRequest(request);
  };
  return [
    vscode.debug.registerDebugConfigurationProvider(TYPE, configurations, Initial),
    vscode.debug.registerDebugConfigurationProvider(
      TYPE,
      { provideDebugConfigurations: () => configurations.provideDebugConfigurations() },
      Dynamic,
    ),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: async (session) => (await load()).debugAdapter(session),
    }),
    command("backsweep.debugSweep", "debug the sweep", async (uri, graph) => {
      const target = await (
        await load()
      ).debugTarget(
        uri instanceof vscode.Uri ? uri : undefined,
        typeof graph === "string" ? graph : undefined,
      );
      if (target === null) return;
      const folder = vscode.workspace.getWorkspaceFolder(target.uri);
      const configuration = sweepOf(target.uri, target.graph ?? undefined);
      // the CodeLens "Step backward" names its graph, and means the sweep
      const entry = typeof graph === "string" ? { stopOnEntry: "sweep" } : {};
      await vscode.debug.startDebugging(folder, { ...configuration, ...entry });
    }),
    command("backsweep.stepContribution", "step one contribution", () => step("stepContribution")),
    command("backsweep.stepContributionBack", "step one contribution back", () =>
      step("stepContributionBack"),
    ),
  ];
}

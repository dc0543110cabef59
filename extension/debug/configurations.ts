/** What is debugged when: launch.json, or without one the graph in the active editor. */
import { basename } from "node:path";
import * as vscode from "vscode";
import { isGraphDocument } from "../context.js";
import { recogniseDocument } from "../recognise-document.js";

export const TYPE = "backsweep";

type Configuration = vscode.DebugConfiguration;

export class Configurations implements vscode.DebugConfigurationProvider {
  /** The first launch.json; and one entry a graph of the active editor under "Run and Debug". */
  provideDebugConfigurations(): Configuration[] {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isGraphDocument(document))
      return [{ type: TYPE, request: "launch", name: "Debug sweep", program: "${file}" }];
    return recogniseDocument(document).graphs.map(({ name }) => ({
      type: TYPE,
      request: "launch",
      name: `Debug sweep of ${name}`,
      program: document.uri.fsPath,
      graph: name,
    }));
  }

  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: Configuration,
  ): Configuration | undefined {
    if (configuration.type || configuration.request || configuration.name) {
      return { ...configuration, program: (configuration.program as unknown) ?? "${file}" };
    }
    // F5 without a launch.json, and Backsweep chosen
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isGraphDocument(document)) {
      void vscode.window.showWarningMessage(
        "Open a graph definition first: the active editor has none to debug.",
      );
      return undefined;
    }
    return sweepOf(document.uri, undefined);
  }

  resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: Configuration,
  ): Configuration | undefined {
    const { program } = configuration as { readonly program?: unknown };
    if (typeof program === "string" && program !== "" && !program.includes("${")) return configuration;
    void vscode.window.showWarningMessage(
      'The launch configuration needs "program": the path of a file that exports a graph.',
    );
    return undefined;
  }
}

/** The configuration that debugs a graph of a file (the first, without a name). */
export function sweepOf(uri: vscode.Uri, graph: string | undefined): Configuration {
  return {
    type: TYPE,
    request: "launch",
    name: `Sweep of ${graph ?? basename(uri.fsPath)}`,
    program: uri.fsPath,
    ...(graph === undefined ? {} : { graph }),
  };
}

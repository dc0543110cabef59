/** The settings as typed values; package.json describes them and gives the defaults. */
import * as vscode from "vscode";

/** When the shown sweep is run again of its own accord. */
export type RunOn = "demand" | "save" | "type";

export interface RunSettings {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly on: RunOn;
  readonly allowImports: boolean;
}

const MIB = 1024 * 1024;

function within(value: unknown, low: number, high: number, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(high, Math.max(low, value))
    : otherwise;
}

/** How to run the graph in this file. Values outside the stated range are brought into it. */
export function runSettings(uri: vscode.Uri): RunSettings {
  const settings = vscode.workspace.getConfiguration("backsweep.run", uri);
  return {
    timeoutMs: within(settings.get("timeout"), 0.1, 3600, 5) * 1000,
    memoryBytes: within(settings.get("memory"), 32, 65_536, 512) * MIB,
    on: runOn(settings.get("on")),
    allowImports: settings.get("allowImports") === true,
  };
}

function runOn(value: unknown): RunOn {
  return value === "save" || value === "type" ? value : "demand";
}

/** Features that can be switched off; each is the setting `backsweep.NAME.enabled`. */
export type Feature = "codeLens" | "inlayHints" | "hover" | "fanOut" | "statusBar";

export function featureEnabled(feature: Feature, uri: vscode.Uri | undefined): boolean {
  return vscode.workspace.getConfiguration(`backsweep.${feature}`, uri).get("enabled") !== false;
}

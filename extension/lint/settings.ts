/** The settings `backsweep.lint.*` as options of the lint; what cannot be used is left out and said in the log. */
import * as vscode from "vscode";
import type { LintOptions } from "../../engine/lint/options.js";
import type { Severity } from "../../engine/lint/report.js";
import { log } from "../log.js";

const SEVERITIES: readonly unknown[] = ["error", "warning", "info", "off"];

/** Null: the lint is switched off for this document. */
export function lintSettings(document: vscode.TextDocument): LintOptions | null {
  const settings = vscode.workspace.getConfiguration("backsweep.lint", document);
  if (settings.get("enabled") === false) return null;
  const severities = settings.get<Record<string, unknown>>("severity") ?? {};
  return {
    gradientNames: names(settings, "gradientNames"),
    resetNames: names(settings, "resetNames"),
    helperNames: names(settings, "helperNames"),
    assumeChain: settings.get("assumeChain") === true,
    severities: Object.fromEntries(
      Object.entries(severities).filter((entry): entry is [string, Severity | "off"] =>
        SEVERITIES.includes(entry[1]),
      ),
    ),
  };
}

function names(settings: vscode.WorkspaceConfiguration, key: string): string[] {
  const given = settings.get<unknown>(key);
  if (!Array.isArray(given)) return [];
  return given.filter((name): name is string => {
    if (typeof name !== "string" || name === "") return false;
    const pattern = /^\/(.+)\/([imsu]*)$/.exec(name);
    if (pattern === null) return true;
    try {
      new RegExp(pattern[1], pattern[2]);
      return true;
    } catch {
      log().warn(`backsweep.lint.${key}: ${name} is no regular expression`);
      return false;
    }
  });
}

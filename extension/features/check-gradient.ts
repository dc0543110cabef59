/** The command "Check Gradient": the graph's test, run from its CodeLens, with one sentence about how it went. */
import * as vscode from "vscode";
import { chooseTarget, Refusal, sayRefusal } from "../target.js";
import type { GraphTests } from "./tests.js";
import { sentenceOf } from "./verdicts.js";

export async function checkGradient(tests: GraphTests, uri?: vscode.Uri, graph?: string): Promise<void> {
  const target = await chooseTarget(uri, graph).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    void sayRefusal(error);
    return null;
  });
  if (target === null) return;
  const verdict =
    target.graph === null
      ? null
      : await tests.runNamed(target.uri, target.graph, `Checking the gradient of ${target.graph}`);
  if (verdict === "cancelled") return;
  if (verdict === null) {
    void vscode.window.showWarningMessage("There is no graph here that can be checked: export one by name.");
    return;
  }
  const { name, outcome, output } = verdict;
  if (outcome === "passed" || outcome === "skipped") {
    const icon = outcome === "passed" ? "$(check)" : "$(question)";
    vscode.window.setStatusBarMessage(`${icon} Backsweep: ${output[0] ?? name}`, 10_000);
    return;
  }
  const sentence = sentenceOf(verdict) ?? "the check failed";
  const choice = await vscode.window.showErrorMessage(`${name}: ${sentence}`, "Show Tests");
  if (choice !== undefined) await vscode.commands.executeCommand("workbench.view.testing.focus");
}

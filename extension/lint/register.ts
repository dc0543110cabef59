/** The lint in the editor: diagnostics and quick fixes. It runs nothing of the user's, so it works in Restricted Mode. */
import { join } from "node:path";
import * as vscode from "vscode";
import { LintActions } from "./actions.js";
import { lintedLanguages } from "./documents.js";
import { Linter } from "./linter.js";

/** Registers; what is given has to be disposed of. */
export function registerLint(extensionPath: string): { readonly linter: Linter; dispose(): void } {
  const linter = new Linter(
    join(extensionPath, "dist", "lint-worker.js"),
    vscode.Uri.file(join(extensionPath, "docs", "rules")),
  );
  const actions = vscode.languages.registerCodeActionsProvider(
    lintedLanguages.map((language) => ({ language })),
    new LintActions(linter),
    LintActions.metadata,
  );
  return {
    linter,
    dispose() {
      actions.dispose();
      linter.dispose();
    },
  };
}

/** Values beside the source and under the mouse, registered only while a session of ours is going on. */
import * as vscode from "vscode";
import type { InlineValue } from "../../engine/debug/inline.js";
import { languages } from "../lens.js";

const selector = languages.flatMap((language) => [{ language, scheme: "file" }]);

/** A name as an expression knows it: with the indices that stand behind it. */
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:\[\d+\])*/u;

function session(): vscode.DebugSession | undefined {
  const active = vscode.debug.activeDebugSession;
  return active?.type === "backsweep" ? active : undefined;
}

export function registerInlineValues(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerInlineValuesProvider(selector, {
      async provideInlineValues(document, viewport, { frameId }) {
        const answer = (await session()?.customRequest("inlineValues", {
          path: document.uri.fsPath,
          line: viewport.start.line + 1,
          endLine: viewport.end.line + 1,
          frameId,
        })) as { readonly values: readonly InlineValue[] } | undefined;
        return (answer?.values ?? []).map(({ line, column, endColumn, text }) => {
          const range = new vscode.Range(
            line - 1,
            Math.max(0, column - 1),
            line - 1,
            Math.max(0, endColumn - 1),
          );
          return new vscode.InlineValueText(range, text);
        });
      },
    }),
    vscode.languages.registerEvaluatableExpressionProvider(selector, {
      provideEvaluatableExpression(document, position) {
        const range = document.getWordRangeAtPosition(position, NAME);
        return session() && range && new vscode.EvaluatableExpression(range, document.getText(range));
      },
    }),
  );
}

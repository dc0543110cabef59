/** Types of `backsweep` where the package is not installed: VS Code's own TypeScript, no red underline. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { withFile } from "./workspace.js";

const TEXT = `import { graph } from "backsweep";
export const g = graph({ x: 2 }, ({ x }) => x * x);
export const wrong: string = 1;
`;

/** Numbers of TypeScript's errors in the file, once it has found the one that is there on purpose. */
async function errors(uri: vscode.Uri): Promise<unknown[]> {
  const all = (): unknown[] =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === "ts")
      .map(({ code }) => (typeof code === "object" ? code.value : code));
  await until("TypeScript's answer", () => all().includes(2322), 100_000);
  return all();
}

test("TypeScript knows the types without an installed package", async () => {
  if (vscode.extensions.getExtension("vscode.typescript-language-features") === undefined) {
    console.log("  | not tried: this VS Code comes without its TypeScript extension");
    return;
  }
  await withFile("types.graph.ts", TEXT, async (uri) => {
    await vscode.window.showTextDocument(uri);
    assert.deepEqual(await errors(uri), [2322], "only the mistake that is there on purpose");
    const document = await vscode.workspace.openTextDocument(uri);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uri,
      document.positionAt(TEXT.indexOf("graph(")),
    );
    const text = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === "string" ? content : content.value))
      .join("\n");
    assert.match(text, /graph/);
    assert.doesNotMatch(text, /import graph\n.*any/);
  });
});

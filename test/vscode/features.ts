/** What the tests of the language features ask the editor. */
import * as vscode from "vscode";
import { api, run } from "./workspace.js";

export const SEED = `import { graph } from "backsweep";

export const g = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  return b * c;
});
`;

/** Inlay hints of Backsweep as "line: text"; blanks folded. */
export async function hints(uri: vscode.Uri, range?: vscode.Range): Promise<string[]> {
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    "vscode.executeInlayHintProvider",
    uri,
    range ?? whole,
  );
  return found
    .map(({ position, label }) => ({ position, text: typeof label === "string" ? label : label[0].value }))
    .filter(({ text }) => /^[=~]/.test(text))
    .map(({ position, text }) => `${position.line + 1}: ${text.replace(/\s+/g, " ").trim()}`);
}

/** Text of Backsweep's hover at the first place of `before` in the document, `after` characters on; "" without one. */
export async function hover(uri: vscode.Uri, before: string, after = 0): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  const position = document.positionAt(document.getText().indexOf(before) + after);
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    uri,
    position,
  );
  return found
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === "string" ? content : content.value))
    .filter((text) => text.includes("cotangent") || text.includes("derivative"))
    .join("\n");
}

export async function shown(uri: vscode.Uri, graph = "g"): Promise<void> {
  await api();
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  const result = await run(uri, graph);
  if (!result.ok) throw new Error(result.failure.message);
}

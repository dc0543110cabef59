/** CodeLens on recognised graphs, and on nothing else. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { EXAMPLE, api, uriOf, withFile } from "./workspace.js";

async function lenses(uri: vscode.Uri): Promise<string[]> {
  await api();
  await vscode.workspace.openTextDocument(uri);
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
  );
  return found
    .filter(({ command }) => command?.command === "backsweep.runSweep")
    .map(({ range, command }) => `${range.start.line + 1}: ${String(command!.arguments![1])}`);
}

test("the example has one CodeLens over its graph", async () => {
  assert.deepEqual(await lenses(uriOf(EXAMPLE)), ["3: fanOut"]);
});

test("comments, strings, templates and another library's graph have none", async () => {
  const text = [
    'import { graph } from "backsweep";',
    'import { graph as other } from "somewhere";',
    "// export const no1 = graph({}, () => 0);",
    "/* export const no2 = graph({}, () => 0);",
    "   export default graph({}, () => 0); */",
    'const s = "export const no3 = graph(";',
    "const t = `",
    "export const no4 = graph({}, () => ${`",
    "export const no5 = graph(`});",
    "`;",
    "const r = /export const no6 = graph(`/;",
    "export const no7 = other({}, () => 0);",
    "const no8 = graph({ x: 1 }, ({ x }) => x);",
    "export const yes = graph({ x: 1 }, ({ x }) => x);",
    "export default graph<{ x: number }>({ x: 1 }, ({ x }) => x);",
    "",
  ].join("\n");
  await withFile("lens.graph.ts", text, async (uri) => {
    assert.deepEqual(await lenses(uri), ["14: yes", "15: default"]);
  });
});

test("a file that does not import from backsweep has none", async () => {
  await withFile("other.ts", 'import { graph } from "d3";\nexport const a = graph(1);\n', async (uri) => {
    assert.deepEqual(await lenses(uri), []);
  });
});

test("the setting turns it off and on", async () => {
  const settings = vscode.workspace.getConfiguration("backsweep.codeLens");
  await settings.update("enabled", false, vscode.ConfigurationTarget.Global);
  try {
    await until("no CodeLens", async () => (await lenses(uriOf(EXAMPLE))).length === 0);
  } finally {
    await settings.update("enabled", undefined, vscode.ConfigurationTarget.Global);
  }
  await until("the CodeLens again", async () => (await lenses(uriOf(EXAMPLE))).length === 1);
});

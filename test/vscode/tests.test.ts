/** The Test Explorer and its command: a right gradient passes, a wrong rule fails with what was expected. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { api, graphText, uriOf, withFile } from "./workspace.js";

/** What the command says in notifications while `body` runs. */
async function said(body: () => Thenable<unknown>): Promise<string[]> {
  const out: string[] = [];
  const { window } = vscode;
  const { showErrorMessage, setStatusBarMessage } = window;
  const patch = window as unknown as Record<string, unknown>;
  patch.showErrorMessage = (text: string) => {
    out.push(text);
    return Promise.resolve(undefined);
  };
  patch.setStatusBarMessage = (text: string) => {
    out.push(text);
    return new vscode.Disposable(() => {});
  };
  try {
    await body();
    await until("an answer", () => out.length > 0);
  } finally {
    patch.showErrorMessage = showErrorMessage;
    patch.setStatusBarMessage = setStatusBarMessage;
  }
  return out;
}

test("Check gradient says that the example's derivatives agree", async () => {
  await api();
  const words = await said(() =>
    vscode.commands.executeCommand("backsweep.checkGradient", uriOf("fan-out.graph.ts"), "fanOut"),
  );
  assert.match(words[0], /fanOut: derivatives agree/);
});

test("Check gradient names the wrong rule", async () => {
  const text = `import { custom, graph } from "backsweep";

const square = custom({ name: "square", forward: (x: number) => x * x, vjp: (g: number, _y: number, x: number) => [x * g] });
export const wrong = graph({ x: 3 }, ({ x }) => square(x));
`;
  await withFile("wrong.graph.ts", text, async (uri) => {
    const words = await said(() => vscode.commands.executeCommand("backsweep.checkGradient", uri, "wrong"));
    assert.match(words[0], /wrong: The derivative by x is 3, its difference quotient 6/);
  });
});

test("a check does not cancel a run", async () => {
  await withFile("both.graph.ts", graphText("  return x * y;"), async (uri) => {
    const { lastResult } = await api();
    const before = lastResult();
    const words = said(() => vscode.commands.executeCommand("backsweep.checkGradient", uri, "g"));
    await vscode.commands.executeCommand("backsweep.runSweep", uri, "g");
    const result = await until("a result", () => (lastResult() === before ? null : lastResult()));
    assert.ok(result.ok);
    assert.match((await words)[0], /derivatives agree/);
  });
});

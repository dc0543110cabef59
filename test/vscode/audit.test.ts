/** Audits in the editor: the CodeLens, the test's verdict, and the smallest failing graph beside the line at fault. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { api, face, folder, insert, remove, uriOf } from "./workspace.js";

/** What is said in notifications while `body` runs; `answer` is what the user chooses. */
async function said(body: () => Thenable<unknown>, answer?: string): Promise<string[]> {
  const out: string[] = [];
  const patch = vscode.window as unknown as Record<string, unknown>;
  const { showErrorMessage, showWarningMessage, setStatusBarMessage } = vscode.window;
  patch.showErrorMessage = (text: string) => {
    out.push(text);
    return Promise.resolve(answer);
  };
  patch.showWarningMessage = (text: string) => {
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
    patch.showWarningMessage = showWarningMessage;
    patch.setStatusBarMessage = setStatusBarMessage;
  }
  return out;
}

const ENGINE = (operator: string): string => `export class Value {
  grad = 0;
  back: () => void = () => {};
  constructor(readonly data: number, readonly children: readonly Value[] = []) {}
}
export function add(a: Value, b: Value): Value {
  const out = new Value(a.data + b.data, [a, b]);
  out.back = () => {
    a.grad += out.grad;
    b.grad += out.grad;
  };
  return out;
}
export function exp(a: Value): Value {
  const out = new Value(Math.exp(a.data), [a]);
  out.back = () => {
    a.grad ${operator} out.data * out.grad;
  };
  return out;
}
export function backward(root: Value): void {
  const order: Value[] = [];
  const seen = new Set<Value>();
  const visit = (v: Value): void => {
    if (seen.has(v)) return;
    seen.add(v);
    v.children.forEach(visit);
    order.push(v);
  };
  visit(root);
  root.grad = 1;
  for (const v of order.reverse()) v.back();
}
`;
const AT_FAULT = 16;

const AUDIT = `import { audit } from "backsweep";
import { add, backward, exp, Value } from "./own-engine";

export const own = audit({
  leaf: (value) => new Value(value),
  operations: { add, exp },
  backward,
  gradient: (node: Value) => node.grad,
  value: (node: Value) => node.data,
});
`;

async function withEngine(operator: string, body: (uri: vscode.Uri) => Promise<void>): Promise<void> {
  await mkdir(join(folder(), "engines"), { recursive: true });
  const uri = uriOf("engines/own.audit.ts");
  await writeFile(uriOf("engines/own-engine.ts").fsPath, ENGINE(operator));
  await writeFile(uri.fsPath, AUDIT);
  try {
    await body(uri);
  } finally {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(join(folder(), "engines"), { recursive: true, force: true });
  }
}

test("audit: a CodeLens stands over each engine", async () => {
  await api();
  await withEngine("=", async (uri) => {
    await vscode.window.showTextDocument(uri);
    const lenses = await until("lenses", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        uri,
        10,
      );
      const ours = found.filter(({ command }) => command?.command === "backsweep.auditEngine");
      return ours.length > 0 ? ours : null;
    });
    assert.equal(lenses.length, 1);
    assert.equal(lenses[0].command!.title, "$(beaker) Audit this engine");
    assert.equal(lenses[0].range.start.line, 3);
  });
});

test("audit: a faulty engine is named, and its smallest graph opens beside the line that overwrites", async () => {
  const { panelState } = await api();
  await withEngine("=", async (uri) => {
    const words = await said(
      () => vscode.commands.executeCommand("backsweep.auditEngine", uri, "own"),
      "Open Smallest Graph",
    );
    assert.match(words[0], /^own: overwrite: .*\(own-engine\.ts:17\)$/);
    await face("sweep");
    await until("the engine's sweep is on screen", () => panelState()?.position?.mode === "last-writer-wins");
    assert.ok(panelState()!.position!.selected >= 0, "the node that lost is selected");
    await until("the line is revealed", () => {
      const shown = vscode.window.visibleTextEditors.find(({ document }) =>
        document.uri.path.endsWith("/own-engine.ts"),
      );
      return shown?.selection.start.line === AT_FAULT;
    });
    // the engine on screen is the one that was audited: an edit makes it old, and running again audits it anew
    const engine = uriOf("engines/own-engine.ts");
    await insert(engine, "= out.data * out.grad", "+");
    await face("stale");
    await vscode.commands.executeCommand("backsweep.runAgain");
    await face("passes");
    await remove(engine, "+= out.data");
    await insert(engine, " * out.grad", "= out.data");
    await vscode.commands.executeCommand("backsweep.runAgain");
    await face("sweep");
    assert.equal(panelState()?.position?.mode, "last-writer-wins", "the engine's sweep again");
    assert.ok(await (await vscode.workspace.openTextDocument(engine)).save());
  });
});

test("audit: a right engine is said to be clean, and has no smallest graph", async () => {
  await api();
  await withEngine("+=", async (uri) => {
    const words = await said(() => vscode.commands.executeCommand("backsweep.auditEngine", uri, "own"));
    assert.match(words[0], /own: every gradient is right on 200 random graphs/);
  });
});

/** The lint as one types: diagnostics, quick fixes, fix-all, suppression, and what it costs. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { lagDuring, lagText, test, until } from "./harness.js";
import { api, diagnostics, insert, remove, withFile } from "./workspace.js";

const FAULTY = `export class Value {
  grad = 0;
  back = () => {};
  constructor(data, children) {
    this.data = data;
    this.children = children;
  }
  add(other) {
    const out = new Value(this.data + other.data, [this, other]);
    out.back = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }
  mul(other) {
    const out = new Value(this.data * other.data, [this, other]);
    out.back = () => {
      this.grad = other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }
}
`;
const LINE = 18;

const lints = (uri: vscode.Uri): vscode.Diagnostic[] =>
  diagnostics(uri).filter(
    ({ code }) => typeof code === "object" && code.value === "overwriting-accumulation",
  );

async function shown(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return until(`${count} lint diagnostics`, () => {
    const found = lints(uri);
    return found.length === count ? found : null;
  });
}

async function actions(uri: vscode.Uri, kind?: string): Promise<vscode.CodeAction[]> {
  const range = new vscode.Range(LINE, 6, LINE, 10);
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    kind,
  );
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

test("lint: an overwriting write is marked as one types, with its rule, its siblings and its page", async () => {
  await api();
  await withFile("value.js", FAULTY.replace("this.grad = other", "this.grad += other"), async (uri) => {
    await vscode.window.showTextDocument(uri);
    await until("the file is linted", async () => lints(uri).length === 0);
    await remove(uri, "+= other.data");
    await insert(uri, " * out.grad;\n      other.grad += this.data", "= other.data");
    const [found] = await shown(uri, 1);
    assert.equal(found.range.start.line, LINE);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(found.source, "backsweep");
    const code = found.code as { value: string; target: vscode.Uri };
    assert.equal(code.value, "overwriting-accumulation");
    const page = Buffer.from(await vscode.workspace.fs.readFile(code.target)).toString("utf8");
    assert.match(page, /^# overwriting-accumulation/, "the code opens the rule's page");
    assert.ok((found.relatedInformation ?? []).length > 0, "siblings are named");
    assert.ok(found.relatedInformation!.every(({ location }) => location.uri.toString() === uri.toString()));
  });
});

test("lint: the proven fix is preferred, and makes the mark go away", async () => {
  await api();
  await withFile("value.js", FAULTY, async (uri) => {
    await vscode.window.showTextDocument(uri);
    await shown(uri, 1);
    // a check that a newer one overtakes answers with nothing: asked again
    const preferred = await until("one preferred fix", async () => {
      const found = (await actions(uri, "quickfix")).filter(({ isPreferred }) => isPreferred);
      return found.length === 1 ? found : null;
    });
    assert.ok(await vscode.workspace.applyEdit(preferred[0].edit!));
    assert.match(await textOf(uri), /this\.grad \+= other\.data \* out\.grad/);
    await shown(uri, 0);
  });
});

test("lint: a comment silences a line, and one that silences nothing is shown as unneeded", async () => {
  await api();
  await withFile("value.js", FAULTY, async (uri) => {
    await vscode.window.showTextDocument(uri);
    await shown(uri, 1);
    const silence = await until("a comment to silence it", async () =>
      (await actions(uri, "quickfix")).find(({ title }) => title.startsWith("Disable")),
    );
    assert.ok(await vscode.workspace.applyEdit(silence.edit!));
    assert.match(
      await textOf(uri),
      /\n {6}\/\/ backsweep-disable-next-line overwriting-accumulation\n {6}this\.grad = /,
    );
    await shown(uri, 0);
    await remove(uri, "this.grad = other.data * out.grad;");
    await until("a hint", () =>
      diagnostics(uri).some(({ code, tags }) => code === "unused-suppression" && tags?.length === 1),
    );
  });
});

test("lint: source.fixAll applies what siblings prove, and nothing else", async () => {
  await api();
  const structural = FAULTY.replace(/\+=/g, "=");
  await withFile("value.js", FAULTY, async (uri) => {
    await vscode.window.showTextDocument(uri);
    const all = await until("fix-all", async () => (await actions(uri, "source.fixAll.backsweep"))[0]);
    assert.equal(all.kind?.value, "source.fixAll.backsweep");
    const asked = await Promise.all([1, 2, 3].map(() => actions(uri, "source.fixAll.backsweep")));
    assert.deepEqual(
      asked.map(({ length }) => length),
      [1, 1, 1],
      "each of those who ask at the same time is answered",
    );
    assert.ok(await vscode.workspace.applyEdit(all.edit!));
    assert.equal(await textOf(uri), FAULTY.replace("this.grad = other", "this.grad += other"));
  });
  await withFile("structural.js", structural, async (uri) => {
    await vscode.window.showTextDocument(uri);
    await until("warnings", () => lints(uri).length > 0);
    assert.ok(lints(uri).every(({ severity }) => severity === vscode.DiagnosticSeverity.Warning));
    assert.deepEqual(await actions(uri, "source.fixAll.backsweep"), []);
    assert.ok((await actions(uri, "quickfix")).every(({ isPreferred }) => !isPreferred));
  });
});

test("lint: text without a file is linted, and settings are heeded at once", async () => {
  await api();
  const document = await vscode.workspace.openTextDocument({ language: "typescript", content: FAULTY });
  await shown(document.uri, 1);
  const settings = vscode.workspace.getConfiguration("backsweep.lint");
  const target = vscode.ConfigurationTarget.Global;
  try {
    await settings.update("severity", { "overwriting-accumulation": "warning" }, target);
    await until("a warning", () => lints(document.uri)[0]?.severity === vscode.DiagnosticSeverity.Warning);
    await settings.update("enabled", false, target);
    await shown(document.uri, 0);
  } finally {
    await settings.update("severity", undefined, target);
    await settings.update("enabled", undefined, target);
  }
  await shown(document.uri, 1);
});

test("lint: 1,000 lines do not hold the extension host", async () => {
  const { lintElapsed } = await api();
  const classes = Array.from({ length: 42 }, (_, i) => FAULTY.replace("class Value", `class Value${i}`));
  const text = classes.join("").replaceAll(/new Value\b/g, "new Value0");
  assert.ok(text.split("\n").length > 1000);
  await withFile("long.js", text, async (uri) => {
    await vscode.window.showTextDocument(uri);
    await until("diagnostics", () => lints(uri).length > 0);
    const times: number[] = [];
    let most = { worked: 0, waited: 0 };
    for (let i = 0; i < 8; i++) {
      const { lag } = await lagDuring(async () => {
        const before = lintElapsed();
        await insert(uri, "export class Value0", " ");
        await until("a lint", () => lintElapsed() !== before);
      });
      times.push(lintElapsed()!);
      if (lag.worked > most.worked) most = lag;
    }
    const median = times.slice(2).sort((a, b) => a - b)[3];
    console.log(
      `  lint of ${text.split("\n").length} lines: median ${median.toFixed(1)} ms; lag ${lagText(most)}`,
    );
    assert.ok(most.worked < 50, `the extension host was held for ${lagText(most)}`);
  });
});

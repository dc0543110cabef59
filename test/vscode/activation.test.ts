/** Activation, and package.json held to the code. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { EXAMPLE, api, extension, uriOf } from "./workspace.js";

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
    }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly default: unknown; readonly markdownDescription?: string }>
      >;
    };
  };
}

function manifest(): Manifest {
  return extension().packageJSON as Manifest;
}

test("a TypeScript file activates the extension", async () => {
  await vscode.window.showTextDocument(uriOf(EXAMPLE));
  await until("activation", () => extension().isActive);
});

test("every command of package.json is registered, and every registered one is in package.json", async () => {
  await api();
  const registered = (await vscode.commands.getCommands(true)).filter((name) =>
    // VS Code makes commands of its own for a view: `backsweep.graphTree.focus` and more
    /^backsweep\.(?!graphTree\.)/.test(name),
  );
  const declared = manifest().contributes.commands.map(({ command }) => command);
  assert.deepEqual(registered.sort(), [...declared].sort());
  for (const { title, category } of manifest().contributes.commands) {
    assert.equal(category, "Backsweep");
    assert.match(title, /^[A-Z]/);
  }
});

test("menus name declared commands only", () => {
  const declared = new Set(manifest().contributes.commands.map(({ command }) => command));
  for (const [menu, items] of Object.entries(manifest().contributes.menus)) {
    for (const { command } of items) assert.ok(declared.has(command), `${menu}: ${command}`);
  }
});

test("every setting is described, and its default is what the code sees", () => {
  const { properties } = manifest().contributes.configuration;
  assert.deepEqual(Object.keys(properties).sort(), [
    "backsweep.codeLens.enabled",
    "backsweep.fanOut.enabled",
    "backsweep.hover.enabled",
    "backsweep.inlayHints.enabled",
    "backsweep.lint.assumeChain",
    "backsweep.lint.enabled",
    "backsweep.lint.gradientNames",
    "backsweep.lint.helperNames",
    "backsweep.lint.resetNames",
    "backsweep.lint.severity",
    "backsweep.run.allowImports",
    "backsweep.run.memory",
    "backsweep.run.on",
    "backsweep.run.timeout",
    "backsweep.statusBar.enabled",
  ]);
  for (const [name, property] of Object.entries(properties)) {
    assert.ok((property.markdownDescription ?? "").length > 20, `${name} is described`);
    assert.deepEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, property.default, name);
  }
});

test("nothing activates on everything, and what activation loads is small", () => {
  assert.ok(!manifest().activationEvents.includes("*"));
  assert.ok(!manifest().activationEvents.includes("onStartupFinished"));
  const entry = join(extension().extensionPath, "dist", "extension.cjs");
  assert.ok(statSync(entry).size < 100_000, "extension.cjs is under 100 kB");
  assert.doesNotMatch(readFileSync(entry, "utf8"), /cytoscape/);
  assert.ok(statSync(join(extension().extensionPath, manifest().icon)).size > 0, "the icon is there");
});

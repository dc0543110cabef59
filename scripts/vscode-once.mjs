/**
 * One `require("vscode")` for a whole bundle, and the module as VS Code gives it.
 *
 * For every file's `import * as vscode` esbuild would make a namespace of its own, a getter for each of the some four hundred
 * names of the API: with twenty files that was three quarters of what loading the extension costs (23 ms against 6 with a
 * stand-in for the API). A namespace import needs no copy of a module that has no default export.
 */
import { readFileSync } from "node:fs";

const imported = /^import \* as vscode from "vscode";$/m;

/** @type {import("esbuild").Plugin} */
export const vscodeOnce = {
  name: "vscode-once",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]extension[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(imported, 'import { vscode } from "vscode-once";'),
      loader: "ts",
    }));
    onResolve({ filter: /^vscode-once$/ }, ({ path }) => ({ path, namespace: "vscode-once" }));
    onLoad({ filter: /.*/, namespace: "vscode-once" }, () => ({
      contents: 'export const vscode = require("vscode");',
      loader: "js",
    }));
  },
};

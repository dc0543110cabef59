/**
 * The Python grammar of the lint: a bundle of its own, loaded with the first Python file. Beside the bundle stand the two
 * WebAssembly files; in the sources they are where the packages have them.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { loadGrammar } from "../engine/lint/python/grammar.js";
import type { PythonParser } from "../engine/lint/python/syntax.js";

let loading: Promise<PythonParser> | null = null;

/** Loads the grammar once. */
export const pythonParser = (): Promise<PythonParser> =>
  (loading ??= loadGrammar({
    runtime: bytes("web-tree-sitter.wasm", "web-tree-sitter/web-tree-sitter.wasm"),
    grammar: bytes("tree-sitter-python.wasm", "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm"),
  }));

function bytes(file: string, inPackage: string): Uint8Array {
  const beside = fileURLToPath(new URL(file, import.meta.url));
  return readFileSync(existsSync(beside) ? beside : createRequire(import.meta.url).resolve(inPackage));
}

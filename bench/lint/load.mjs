/** The lint as the command line runs it, bundled anew from the sources. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "../..");

/** The exports of engine/lint/lint.ts, engine/lint/parse.ts, and of what reads Python. */
export async function loadLint() {
  const folder = mkdtempSync(join(tmpdir(), "backsweep-lint-"));
  const file = join(folder, "lint.mjs");
  try {
    await build({
      stdin: {
        contents: `export * from "./engine/lint/lint.ts"; export * from "./engine/lint/parse.ts"; export * from "./engine/lint/rules/index.ts"; export * from "./engine/lint/python/lint-python.ts"; export * from "./engine/lint/python/grammar.ts"; export * from "./engine/lint/python/parse.ts";`,
        resolveDir: root,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      outfile: file,
      logLevel: "error",
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lint and the parser alone (without what the lint makes of its tree) of a file by its ending, Python among them. */
export async function loadLinter() {
  const { lintText, lintPython, isPython, loadGrammar, parseAlone } = await loadLint();
  const bytes = (file) => readFileSync(createRequire(import.meta.url).resolve(file));
  const parser = await loadGrammar({
    runtime: bytes("web-tree-sitter/web-tree-sitter.wasm"),
    grammar: bytes("@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm"),
  });
  return {
    lint: (text, path) => (isPython(path) ? lintPython(text, parser) : lintText(text, path)),
    parse: (text, path) => (isPython(path) ? parser.parse(text) : parseAlone(text, path)),
  };
}

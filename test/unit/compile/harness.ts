/**
 * Runs modules natively, as files in a temporary folder: rewritten by the loader, or with their types stripped by
 * TypeScript and nothing else. The rewritten ones get this process's own runtime and engine.
 */
import { createRequire } from "node:module";
import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { compileModule, type CompiledModule, type Language } from "../../../engine/compile/index.js";
import * as runtime from "../../../engine/compile/runtime/index.js";
import * as engine from "../../../engine/index.js";

const shared = globalThis as unknown as { backsweepTest?: { runtime: object; engine: object } };
shared.backsweepTest ??= { runtime, engine };

let folder: string | null = null;
let count = 0;

function workspace(): string {
  if (folder === null) {
    // where the bundles of this run of the tests are, which goes when it ends: files that share a worker share this
    folder = mkdtempSync(join(process.env.BACKSWEEP_TEST_BUNDLES!, "compile-"));
    for (const [name, module] of [
      ["runtime", runtime],
      ["engine", engine],
    ] as const) {
      const lines = Object.keys(module).map(
        (key) => `export const ${key} = globalThis.backsweepTest.${name}.${key};`,
      );
      writeFileSync(join(folder, `${name}.mjs`), lines.join("\n"));
    }
  }
  return folder;
}

/** Node's own `import`: the test runner takes over the one written in this file. */
function nativeImport(url: string): Promise<Record<string, unknown>> {
  const path = join(workspace(), "native-import.cjs");
  writeFileSync(path, "module.exports = (url) => import(url);");
  return (createRequire(import.meta.url)(path) as typeof nativeImport)(url);
}

export type Mode = "rewritten" | "stripped";

/** The text a module becomes; imports of `./x.ts` name the files written below. */
export function toJavaScript(
  text: string,
  file: string,
  language: Language,
  mode: Mode,
): { code: string; compiled: CompiledModule | null } {
  const root = workspace();
  let compiled: CompiledModule | null = null;
  let code: string;
  if (mode === "rewritten") {
    compiled = compileModule(text, {
      file,
      language,
      runtime: pathToFileURL(join(root, "runtime.mjs")).href,
    });
    code = compiled.code;
  } else if (language === "js") {
    code = text;
  } else {
    code = ts.transpileModule(text, {
      compilerOptions: {
        target: ts.ScriptTarget.ESNext,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        useDefineForClassFields: true,
      },
    }).outputText;
  }
  code = code.replace(
    /(from\s+|import\(?\s*)"backsweep"/g,
    `$1${JSON.stringify(pathToFileURL(join(root, "engine.mjs")).href)}`,
  );
  code = code.replace(/"(\.\/[^"]+)\.ts"/g, '"$1.ts.mjs"');
  return { code, compiled };
}

export interface Loaded {
  readonly namespace: Record<string, unknown>;
  readonly compiled: ReadonlyMap<string, CompiledModule>;
  readonly url: string;
}

/** Writes all files of a small program and imports the first. */
export async function load(files: Readonly<Record<string, string>>, mode: Mode): Promise<Loaded> {
  const root = join(workspace(), String(count++));
  mkdirSync(root);
  const compiled = new Map<string, CompiledModule>();
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, `${name}.mjs`);
    const result = toJavaScript(text, path, name.endsWith("js") ? "js" : "ts", mode);
    if (result.compiled) compiled.set(path, result.compiled);
    writeFileSync(path, result.code);
  }
  const url = pathToFileURL(join(root, `${Object.keys(files)[0]}.mjs`)).href;
  return { namespace: await nativeImport(url), compiled, url };
}

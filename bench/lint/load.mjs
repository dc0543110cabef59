/** The lint as the command line runs it, bundled anew from the sources. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "../..");

/** The exports of engine/lint/lint.ts and engine/lint/parse.ts. */
export async function loadLint() {
  const folder = mkdtempSync(join(tmpdir(), "backsweep-lint-"));
  const file = join(folder, "lint.mjs");
  try {
    await build({
      stdin: {
        contents: `export * from "./engine/lint/lint.ts"; export * from "./engine/lint/parse.ts"; export * from "./engine/lint/rules/index.ts";`,
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

/**
 * Packages the extension as one VSIX for every platform: `out/backsweep.vsix`. Needs no network. Lists what is in it
 * and refuses a package that is too large or holds what does not belong there. `--no-build` packages dist/ as it is.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, ensureDependencies, fail, Plain, root, say } from "./setup.mjs";
import { pluginFiles } from "./types-plugin.mjs";
import { appendToZip } from "./zip-append.mjs";

const LIMIT = 1_500_000;
const required = [
  "package.json",
  "dist/extension.cjs",
  "dist/host.cjs",
  "dist/lint-worker.js",
  "dist/runner.js",
  "dist/tree-sitter-python.wasm",
  "dist/web-tree-sitter.wasm",
  "dist/types/engine/index.d.ts",
  "dist/webview/main.js",
  "dist/webview/plots.js",
  "docs/rules/overwriting-accumulation.md",
  "media/icon.png",
];

/** Packages dist/ as it is; resolves to the path of the VSIX. */
export async function packageExtension({ quiet = false } = {}) {
  const { createVSIX, listFiles } = await import("@vscode/vsce");
  const files = await listFiles({ cwd: root, dependencies: false });
  const missing = required.filter((file) => !files.includes(file));
  if (missing.length > 0)
    throw new Plain(`The package would lack ${missing.join(", ")}: build first (npm run build).`);
  const packagePath = join(root, "out", "backsweep.vsix");
  mkdirSync(join(root, "out"), { recursive: true });
  await silence(quiet, () =>
    createVSIX({
      cwd: root,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      // the README's links are for the repository it stands in; it has no address that could be written before them
      rewriteRelativeLinks: false,
    }),
  );
  // the packager leaves node_modules out, and the TypeScript server looks for plugins nowhere else
  const plugin = pluginFiles(root).map(({ path, contents }) => ({ path: `extension/${path}`, contents }));
  appendToZip(packagePath, plugin);
  const { size } = statSync(packagePath);
  if (size > LIMIT) throw new Plain(`The package has ${size} bytes, more than the ${LIMIT} allowed.`);
  if (!quiet) {
    for (const file of files)
      if (existsSync(join(root, file)))
        say(`  ${String(statSync(join(root, file)).size).padStart(8)}  ${file}`);
    say(`${relative(process.cwd(), packagePath)}: ${files.length} files, ${size} bytes`);
  }
  return packagePath;
}

/** vsce speaks on the console whether asked or not. */
async function silence(quiet, work) {
  const { log, warn } = console;
  const kept = [];
  if (quiet) console.log = console.warn = (...parts) => kept.push(parts.join(" "));
  try {
    return await work();
  } catch (error) {
    for (const line of kept) say(line);
    throw error;
  } finally {
    Object.assign(console, { log, warn });
  }
}

async function main() {
  checkNode();
  await ensureDependencies();
  if (!process.argv.includes("--no-build")) await build();
  await packageExtension();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main().catch(fail);

/**
 * What lets the editor know the types of `backsweep` where the package is not installed: the declarations a graph
 * definition can see, in dist/types, and the plugin of the TypeScript server, which that server looks for in node_modules
 * beside the extension's manifest and nowhere else.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import * as esbuild from "esbuild";

/** Where the plugin stands in an extension. */
const PLUGIN = "node_modules/backsweep-types";
/** Where it is built: an installation of the dependencies empties node_modules. */
const BUILT = "dist/types-plugin";
const names = ["package.json", "index.js"];

const entries = ["engine/index.d.ts", "runner/register.d.ts"];

/** Files of the plugin, to be put into the package; the packager leaves node_modules out. */
export function pluginFiles(root) {
  return names.map((name) => ({
    path: `${PLUGIN}/${name}`,
    contents: readFileSync(join(root, BUILT, name)),
  }));
}

/** Builds the plugin, also into this repository's own node_modules, where an extension under development has it. */
export async function buildPlugin({ root, common }) {
  const folder = join(root, BUILT);
  mkdirSync(folder, { recursive: true });
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = { name: "backsweep-types", version, license, private: true, main: "index.js" };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const { outdir: _, ...options } = common;
  await esbuild.build({
    ...options,
    entryPoints: [join(root, "extension/typescript-plugin/plugin.ts")],
    outfile: join(folder, "index.js"),
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    // the server calls the module itself
    footer: { js: "module.exports = module.exports.default;" },
  });
  mkdirSync(join(root, PLUGIN), { recursive: true });
  for (const name of names) cpSync(join(folder, name), join(root, PLUGIN, name));
}

/** Copies from the npm package's declarations those that its entries lead to. */
export function copyTypes(root) {
  const from = join(root, "dist/npm/types");
  const out = join(root, "dist/types");
  rmSync(out, { recursive: true, force: true });
  const seen = new Set();
  const queue = entries.map((entry) => join(from, entry));
  while (queue.length > 0) {
    const file = queue.pop();
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    const to = join(out, relative(from, file));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
    for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)) {
      const target = resolve(dirname(file), specifier.replace(/\.js$/, ".d.ts"));
      if (existsSync(target)) queue.push(target);
    }
  }
  // without a "type" they may be imported by modules of either kind
  writeFileSync(join(out, "package.json"), "{}\n");
}

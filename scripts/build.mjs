/**
 * Builds everything that is shipped: the command line, the runner and its worker, the extension, the webview and the npm
 * package. `--only=cli` builds what `backsweep run` needs; `--watch` rebuilds on change; `--no-types` leaves out the
 * package's declarations.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, join } from "node:path";
import * as esbuild from "esbuild";
import { generateRecording } from "./generate-recording.mjs";
import { buildCache } from "./build-cache.mjs";
import { buildPackage, libraryBundle } from "./build-npm.mjs";
import { formulas } from "./formulas-plugin.mjs";
import { buildPlugin, copyTypes } from "./types-plugin.mjs";
import { vscodeOnce } from "./vscode-once.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);

/** What every bundle has in common. `process.env` of bundled libraries is settled here: user code's realm has none. */
export function common(outdir = at("dist")) {
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  return {
    absWorkingDir: root,
    outdir,
    bundle: true,
    target: "node20",
    platform: "node",
    format: "esm",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env.BABEL_8_BREAKING": "false",
      BACKSWEEP_VERSION: JSON.stringify(version),
    },
    alias: { backsweep: at("engine/index.ts") },
  };
}

/** The command line and what runs user code. */
export function nodeBundles(outdir) {
  return [
    {
      ...common(outdir),
      entryPoints: [{ in: at("cli/main.ts"), out: "cli" }],
      // a command loads its own; beside cli.js, so that all files find what stands there
      splitting: true,
      chunkNames: "cli-[name]-[hash]",
      minifySyntax: true,
      minifyWhitespace: true,
    },
    { ...common(outdir), entryPoints: [{ in: at("runner/process.ts"), out: "runner" }], minifySyntax: true },
    { ...common(outdir), entryPoints: [{ in: at("runner/worker-start.ts"), out: "worker" }] },
    {
      ...common(outdir),
      entryPoints: [{ in: at("runner/worker.ts"), out: "worker-main" }],
      format: "cjs",
      // a text of one byte a sign is read without being decoded
      charset: "ascii",
      minify: true,
      define: { ...common().define, "import.meta.resolve": "importMetaResolve" },
    },
  ];
}

/** The view, and what it loads when a picture with a plot is wanted first. */
export function viewBundles() {
  const view = {
    ...common(),
    platform: "browser",
    target: ["chrome128"],
    minify: true,
    loader: { ".svg": "text" },
  };
  const apart = {
    name: "plots-apart",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/plots\.js$/ }, () => ({ path: "./plots.js", external: true })),
  };
  return [
    {
      ...view,
      entryPoints: [{ in: at("webview/main.ts"), out: "webview/main" }],
      format: "iife",
      plugins: [apart],
    },
    { ...view, entryPoints: [{ in: at("webview/plots.ts"), out: "webview/plots" }], plugins: [formulas] },
  ];
}

function editorBundles() {
  const bundles = [];
  if (existsSync(at("extension/extension.ts"))) {
    const cjs = {
      ...common(),
      outExtension: { ".js": ".cjs" },
      format: "cjs",
      minify: true,
    };
    // what activation loads is small: the host comes as a second file on first use, by `require` so that its
    // `require("vscode")` is answered by VS Code
    bundles.push({
      ...cjs,
      entryPoints: [{ in: at("extension/extension.ts"), out: "extension" }],
      external: ["vscode"],
      supported: { "dynamic-import": false },
      plugins: [
        vscodeOnce,
        {
          name: "host-apart",
          setup: ({ onResolve }) =>
            onResolve({ filter: /^\.\/host\.js$/ }, () => ({ path: "./host.cjs", external: true })),
        },
      ],
    });
    bundles.push({
      ...cjs,
      entryPoints: [{ in: at("extension/host.ts"), out: "host" }],
      external: ["vscode"],
      plugins: [vscodeOnce],
    });
    bundles.push({
      ...common(),
      entryPoints: [{ in: at("extension/lint/worker.ts"), out: "lint-worker" }],
      minify: true,
    });
  }
  if (existsSync(at("webview/main.ts"))) bundles.push(...viewBundles());
  return bundles;
}

/** The npm package's bundles, for tests of it. */
export function npmBundle(outdir) {
  return libraryBundle(root, common(outdir), outdir);
}

/** The npm package in a folder, for tests of it. */
export function npmPackage(options) {
  return buildPackage({ root, common: common(), ...options });
}

/** `npx backsweep` inside the repository is the repository's own. */
function linkBin() {
  const bin = at("node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  if (process.platform === "win32") {
    writeFileSync(join(bin, "backsweep.cmd"), '@node "%~dp0..\\..\\dist\\cli.js" %*\r\n');
    return;
  }
  rmSync(join(bin, "backsweep"), { force: true });
  symlinkSync("../../dist/cli.js", join(bin, "backsweep"));
}

/** Parts of the command line that an earlier build left: their names change with what is in them. */
function removeStale(outputs) {
  const made = new Set(outputs.map((path) => basename(path)));
  for (const name of readdirSync(at("dist")))
    if (/^cli-.*\.js$/.test(name) && !made.has(name)) rmSync(at("dist", name));
}

/** The grammar of Python and its runtime, which the lint loads with the first Python file. */
export const grammar = [
  "web-tree-sitter/web-tree-sitter.wasm",
  "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
];

const copyGrammar = () => {
  for (const file of grammar) cpSync(at("node_modules", file), at("dist", basename(file)));
};

function finish() {
  if (process.platform !== "win32") chmodSync(at("dist/cli.js"), 0o755);
  linkBin();
}

/** Builds once. */
export async function build({ only = null, types = true } = {}) {
  await generateRecording();
  mkdirSync(at("dist"), { recursive: true });
  const bundles = only === "cli" ? nodeBundles() : [...nodeBundles(), ...editorBundles()];
  const built = await Promise.all(bundles.map((options) => esbuild.build({ ...options, metafile: true })));
  removeStale(built.flatMap(({ metafile }) => Object.keys(metafile.outputs)));
  copyGrammar();
  finish();
  await buildCache(root);
  if (only === "cli") return;
  await buildPlugin({ root, common: common() });
  await buildPackage({ root, common: common(), types });
  if (types) copyTypes(root);
}

async function watch() {
  await build({ types: false });
  for (const options of [...nodeBundles(), ...editorBundles()]) {
    const context = await esbuild.context({ ...options, logLevel: "info" });
    await context.watch();
  }
}

if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const args = process.argv.slice(2);
  const only = args.find((arg) => arg.startsWith("--only="))?.slice(7) ?? null;
  try {
    if (args.includes("--watch")) await watch();
    else await build({ only, types: !args.includes("--no-types") });
  } catch (error) {
    // esbuild has printed its own errors by now
    if (!error.errors) console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

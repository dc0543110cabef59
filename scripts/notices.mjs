// Writes THIRD-PARTY-NOTICES.md from what the bundles really contain: node scripts/notices.mjs [--check]
import { readFileSync, writeFileSync, existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = [
  "cli/main.ts",
  "runner/process.ts",
  "runner/worker.ts",
  "runner/register.ts",
  "webview/main.ts",
  "webview/plots.ts",
  "extension/extension.ts",
  "extension/lint/worker.ts",
  "engine/index.ts",
];
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries.filter((entry) => existsSync(`${root}${entry}`)),
  bundle: true,
  write: false,
  metafile: true,
  platform: "node",
  format: "esm",
  outdir: "out/notices",
  external: ["vscode"],
  loader: { ".css": "empty", ".tex": "empty" },
  logLevel: "error",
});

const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found !== null) packages.add(found[1]);
}

// shipped as it is, beside the bundles
packages.add("@vscode/tree-sitter-wasm");

let text =
  "# Third-party notices\n\nWhat the bundles of Backsweep contain beside our own code. Written by `node scripts/notices.mjs`.\n";
for (const name of [...packages].sort()) {
  const folder = `${root}node_modules/${name}`;
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  text += `\n## ${name} ${manifest.version} (${manifest.license})\n`;
  if (licence !== undefined)
    text += `\n\`\`\`\n${readFileSync(`${folder}/${licence}`, "utf8").trim()}\n\`\`\`\n`;
}

// the grammar itself is of others than the package that ships it
const grammar = readFileSync(`${root}node_modules/web-tree-sitter/LICENSE`, "utf8")
  .replace(/^Copyright \(c\).*$/m, "Copyright (c) 2016 Max Brunsfeld")
  .trim();
text += `\n## tree-sitter-python 0.25.0 (MIT), built by @vscode/tree-sitter-wasm\n\n\`\`\`\n${grammar}\n\`\`\`\n`;

const target = `${root}THIRD-PARTY-NOTICES.md`;
if (process.argv.includes("--check")) {
  const same = existsSync(target) && readFileSync(target, "utf8") === text;
  console.log(
    same
      ? "THIRD-PARTY-NOTICES.md is up to date"
      : "THIRD-PARTY-NOTICES.md is out of date: run node scripts/notices.mjs",
  );
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(target, text);
  console.log(`THIRD-PARTY-NOTICES.md: ${[...packages].sort().join(", ")}`);
}

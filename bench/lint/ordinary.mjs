/**
 * The lint over code that has nothing to do with it: no report may come out, and it has to be fast.
 *
 *   node bench/lint/ordinary.mjs FOLDER... [--limit N] [--python]
 *
 * Every .js .mjs .cjs .jsx .ts .mts .tsx file (no .d.ts), or with --python every .py file, below the folders up to 2 MB is parsed, and linted, in turns;
 * printed are files a second of both, their ratio, and every report.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { loadLinter } from "./load.mjs";

const args = process.argv.slice(2);
const limitAt = args.indexOf("--limit");
const limit = limitAt === -1 ? Infinity : Number(args[limitAt + 1]);
const folders = args.filter((arg, i) => !arg.startsWith("--") && (limitAt === -1 || i !== limitAt + 1));
if (folders.length === 0) {
  console.error("usage: node bench/lint/ordinary.mjs FOLDER... [--limit N] [--python]");
  process.exit(2);
}

const ending = args.includes("--python") ? /\.py$/ : /\.(?:[mc]?[jt]s|[jt]sx)$/;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (ending.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name)) yield path;
  }
}

const { lint: lintFile, parse: parseFile } = await loadLinter();
const batch = 200;
const paths = [];
for (const folder of folders)
  for (const path of files(folder))
    if (paths.length < limit && statSync(path).size <= 2 * 1024 * 1024) paths.push(path);

let parseMs = 0;
let lintMs = 0;
let unread = 0;
let reports = 0;
let bytes = 0;
const slow = [];
for (let from = 0; from < paths.length; from += batch) {
  const texts = paths.slice(from, from + batch).map((path) => [path, readFileSync(path, "utf8")]);
  const parse = () => {
    const start = performance.now();
    for (const [path, text] of texts) {
      try {
        parseFile(text, path);
      } catch {
        unread++;
      }
    }
    parseMs += performance.now() - start;
  };
  const lint = () => {
    for (const [path, text] of texts) {
      const start = performance.now();
      const result = lintFile(text, path);
      const took = performance.now() - start;
      lintMs += took;
      bytes += text.length;
      if (took > 200) slow.push([path, took, text.length]);
      for (const report of result.reports) {
        if (report.severity === "info") continue;
        reports++;
        console.log(
          `${path}:${report.line} ${report.rule} ${report.message}\n    ${text.split("\n")[report.line - 1].trim().slice(0, 120)}`,
        );
      }
    }
  };
  // in turns, so that a warm or a busy machine favours neither
  if ((from / batch) % 2 === 0) {
    parse();
    lint();
  } else {
    lint();
    parse();
  }
}
const rate = (ms) => Math.round((1000 * paths.length) / ms);
console.log(`${paths.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${unread} that the parser cannot read`);
console.log(
  `parsing alone ${rate(parseMs)} files/s, linting ${rate(lintMs)} files/s: ${(parseMs / lintMs).toFixed(2)} of the speed`,
);
console.log(`${reports} reports`);
for (const [path, ms, size] of slow.sort((a, b) => b[1] - a[1]).slice(0, 10))
  console.log(`slow: ${path} ${ms.toFixed(0)} ms, ${size} bytes`);
process.exitCode = reports > 0 ? 1 : 0;

/**
 * The lint over code that has nothing to do with it: no report may come out, and it has to be fast.
 *
 *   node bench/lint/ordinary.mjs FOLDER... [--from N] [--limit N] [--tally FILE] [--python]
 *
 * Every .js .mjs .cjs .jsx .ts .mts .tsx file (no .d.ts), or with --python every .py file, below the folders up to 2 MB
 * is parsed, and linted, in turns; printed are files a second of both, their ratio (of processor time and by the clock),
 * and every report. `--from` and `--limit` take a part of the files, which are sorted by their paths; `--tally FILE` adds
 * up what the parts gave and goes on after the last of them, so that a long run may be stopped at any time. Progress goes
 * to stderr. Processor time is that of the process: compiling and collecting garbage in other threads count.
 */
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { loadLinter } from "./load.mjs";

const BATCH = 200;
const SLOW_MS = 200;

const { folders, from, limit, tallyFile, python } = options(process.argv.slice(2));
const ending = python ? /\.py$/ : /\.(?:[mc]?[jt]s|[jt]sx)$/;
const paths = folders.flatMap((folder) => [...files(folder)]);
const tally = {
  next: from,
  files: 0,
  bytes: 0,
  unread: 0,
  parse: { cpu: 0, wall: 0 },
  lint: { cpu: 0, wall: 0 },
  reports: [],
  slow: [],
};
if (tallyFile !== null && existsSync(tallyFile))
  Object.assign(tally, JSON.parse(readFileSync(tallyFile, "utf8")));

const { lint, parse } = await loadLinter();
const end = Math.min(paths.length, tally.next + limit);
for (let turn = 0; tally.next < end; turn++) {
  const texts = paths
    .slice(tally.next, Math.min(end, tally.next + BATCH))
    .map((path) => [path, readFileSync(path, "utf8")]);
  // in turns, so that a warm or a busy machine favours neither
  const works = [
    () => timed(tally.parse, () => parseAll(texts)),
    () => timed(tally.lint, () => lintAll(texts)),
  ];
  for (const work of turn % 2 === 0 ? works : works.reverse()) work();
  tally.next += texts.length;
  tally.files += texts.length;
  if (tallyFile !== null) {
    writeFileSync(`${tallyFile}.part`, JSON.stringify(tally));
    renameSync(`${tallyFile}.part`, tallyFile);
  }
  process.stderr.write(
    `${tally.next} of ${paths.length} files, ${ratio("cpu")} of the speed of parsing, ${tally.reports.length} reports\n`,
  );
}

for (const { path, line, rule, message, code } of tally.reports)
  console.log(`${path}:${line} ${rule} ${message}\n    ${code}`);
console.log(
  `${tally.files} files, ${(tally.bytes / 1e6).toFixed(1)} MB, ${tally.unread} that the parser cannot read`,
);
for (const [kind, name] of [
  ["cpu", "processor time"],
  ["wall", "by the clock"],
])
  console.log(
    `${name}: parsing alone ${rate(tally.parse[kind])} files/s, linting ${rate(tally.lint[kind])} files/s: ${ratio(kind)} of the speed`,
  );
console.log(`${tally.reports.length} reports`);
for (const [path, ms, size] of tally.slow)
  console.log(`slow: ${path} ${ms.toFixed(0)} ms of processor time, ${size} bytes`);
process.exitCode = tally.reports.length > 0 ? 1 : 0;

function options(args) {
  const given = { folders: [], from: 0, limit: Infinity, tallyFile: null, python: false };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--from") given.from = Number(args[++i]);
    else if (args[i] === "--limit") given.limit = Number(args[++i]);
    else if (args[i] === "--tally") given.tallyFile = args[++i];
    else if (args[i] === "--python") given.python = true;
    else given.folders.push(args[i]);
  }
  if (given.folders.length === 0 || Number.isNaN(given.from + given.limit) || given.tallyFile === undefined) {
    console.error(
      "usage: node bench/lint/ordinary.mjs FOLDER... [--from N] [--limit N] [--tally FILE] [--python]",
    );
    process.exit(2);
  }
  return given;
}

function* files(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile() && ending.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name)) {
      if (statSync(path).size <= 2 * 1024 * 1024) yield path;
    }
  }
}

function timed(into, work) {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  work();
  into.cpu += msSince(cpu);
  into.wall += performance.now() - wall;
}

function msSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function parseAll(texts) {
  for (const [path, text] of texts) {
    try {
      parse(text, path);
    } catch {
      tally.unread++;
    }
  }
}

function lintAll(texts) {
  for (const [path, text] of texts) {
    const before = process.cpuUsage();
    const { reports } = lint(text, path);
    const took = msSince(before);
    tally.bytes += text.length;
    if (took > SLOW_MS) tally.slow.push([path, took, text.length]);
    for (const { line, rule, message, severity } of reports)
      if (severity !== "info")
        tally.reports.push({
          path,
          line,
          rule,
          message,
          code: text.split("\n")[line - 1].trim().slice(0, 120),
        });
  }
  tally.slow.sort((a, b) => b[1] - a[1]).splice(10);
}

function rate(ms) {
  return Math.round((1000 * tally.files) / ms);
}

function ratio(kind) {
  return (tally.parse[kind] / tally.lint[kind]).toFixed(2);
}

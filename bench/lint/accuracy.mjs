/**
 * Precision and recall of the lint over a folder of engines with known labels.
 *
 *   node bench/lint/accuracy.mjs FOLDER CORPUS.json [--rule NAME] [--python] [--markdown]
 *
 * FOLDER holds the files as OWNER/NAME/REVISION/PATH; CORPUS.json has a row a file with its sites and bugs. A report
 * counts as found when a bug of its rule is labelled on its line, else as false; a bug without a report is missed.
 * `--python` takes the Python files of the corpus, otherwise those are left out.
 * Sites whose label says that nobody knows count for neither. Info is no report.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadLinter } from "./load.mjs";

const UNKNOWN = new Set(["uncertain", "overwrite-uncertain", "property-value", "publish-or-accumulate"]);

const [folder, corpusFile, ...rest] = process.argv.slice(2);
if (folder === undefined || corpusFile === undefined) {
  console.error(
    "usage: node bench/lint/accuracy.mjs FOLDER CORPUS.json [--rule NAME] [--python] [--markdown]",
  );
  process.exit(2);
}
const ruleAt = rest.indexOf("--rule");
const rule = ruleAt === -1 ? "overwriting-accumulation" : rest[ruleAt + 1];
const markdown = rest.includes("--markdown");

const python = rest.includes("--python");
const { lint } = await loadLinter();
const rows = JSON.parse(readFileSync(corpusFile, "utf8")).filter(({ lang }) => (lang === "py") === python);
const errors = [];
const count = {
  files: 0,
  missing: 0,
  sites: 0,
  bugs: 0,
  found: 0,
  false: 0,
  missed: 0,
  info: 0,
  clean: 0,
  cleanSilent: 0,
};

for (const row of rows) {
  const path = join(folder, row.repo, row.revision, row.path);
  if (!existsSync(path)) {
    count.missing++;
    continue;
  }
  count.files++;
  const text = readFileSync(path, "utf8");
  const result = lint(text, row.path);
  const reports = result.reports.filter(({ severity }) => severity !== "info");
  count.info += result.reports.length - reports.length;
  const bugs = new Set(row.bugs.filter((bug) => bug.rule === rule).map(({ line }) => line));
  const unknown = new Set(row.sites.filter(([, kind]) => UNKNOWN.has(kind)).map(([line]) => line));
  count.sites += row.sites.filter(([, kind]) => !UNKNOWN.has(kind)).length;
  count.bugs += bugs.size;
  const place = (line) => `${row.repo} ${row.path}:${line}`;
  const code = (line) => text.split("\n")[line - 1].trim().slice(0, 100);
  const seen = new Set();
  for (const report of reports) {
    if (report.rule !== rule || unknown.has(report.line) || seen.has(report.line)) continue;
    seen.add(report.line);
    if (bugs.has(report.line)) count.found++;
    else {
      count.false++;
      errors.push({
        kind: "false report",
        at: place(report.line),
        code: code(report.line),
        message: report.message,
      });
    }
  }
  for (const line of bugs) {
    if (seen.has(line)) continue;
    count.missed++;
    errors.push({ kind: "missed", at: place(line), code: code(line), message: "" });
  }
  if (row.bugs.length === 0) {
    count.clean++;
    if (reports.length === 0) count.cleanSilent++;
    else
      for (const { line, message, rule: by } of reports)
        if (by !== rule)
          errors.push({ kind: `clean file, ${by}`, at: place(line), code: code(line), message });
  }
  for (const note of result.notes)
    errors.push({ kind: note.kind, at: place(note.line), code: "", message: note.message });
}

const precision = count.found / (count.found + count.false || 1);
const recall = count.found / (count.bugs || 1);
const lines = [
  ["files (not there: " + count.missing + ")", count.files],
  ["labelled writes", count.sites],
  ["labelled faults of " + rule, count.bugs],
  ["found", count.found],
  ["missed", count.missed],
  ["false reports", count.false],
  ["precision", precision.toFixed(3)],
  ["recall", recall.toFixed(3)],
  [
    "clean files without any report",
    `${count.cleanSilent} of ${count.clean} (${((100 * count.cleanSilent) / (count.clean || 1)).toFixed(1)} %)`,
  ],
  ["shown as information only", count.info],
];
if (markdown)
  console.log(
    ["| | |", "| --- | --- |", ...lines.map(([name, value]) => `| ${name} | ${value} |`)].join("\n"),
  );
else for (const [name, value] of lines) console.log(`${String(value).padStart(18)}  ${name}`);
for (const { kind, at, code, message } of errors)
  console.log(`\n${kind}: ${at}\n    ${code}${message === "" ? "" : `\n    ${message}`}`);

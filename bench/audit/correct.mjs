// Correct engines must never be accused: node bench/audit/correct.mjs [GRAPHS] [FOLDER...]. Audits every engine that the
// `*.audit.ts` files of the folders export (default examples/correct-engines) on that many random graphs (default 20,000)
// and prints graphs, reports and seconds of CPU time. Exit code 1 where there is a report.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [graphs = "20000", ...given] = process.argv.slice(2);
const cases = Number(graphs);
if (!Number.isInteger(cases) || cases < 1) {
  console.error(`GRAPHS must be a whole number of at least 1, not ${graphs}`);
  process.exit(2);
}
const folders =
  given.length > 0 ? given.map((name) => resolve(name)) : [join(root, "examples/correct-engines")];
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".audit.ts"))
    .sort()
    .map((name) => join(folder, name)),
);

const out = mkdtempSync(join(tmpdir(), "audit-"));
await build({
  absWorkingDir: root,
  stdin: {
    resolveDir: root,
    contents: [
      'export { runAudit } from "./engine/audit/audit.js";',
      'export { isAudit } from "./engine/audit/definition.js";',
      ...files.map((file, i) => `export * as file${i} from ${JSON.stringify(file)};`),
    ].join("\n"),
  },
  alias: { backsweep: join(root, "engine/index.ts") },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile: join(out, "audit.mjs"),
  logLevel: "error",
});
const built = await import(pathToFileURL(join(out, "audit.mjs")).href);
rmSync(out, { recursive: true, force: true });

let reports = 0;
let engines = 0;
const row = (...cells) =>
  console.log(
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(36) : String(cell).padStart(9))).join(" "),
  );
row("engine", "graphs", "reports", "seconds");
for (const [i, file] of files.entries())
  for (const [name, definition] of Object.entries(built[`file${i}`]).filter(([, one]) =>
    built.isAudit(one),
  )) {
    const before = process.cpuUsage();
    const result = built.runAudit(name, definition, { cases, seed: 7 });
    const { user, system } = process.cpuUsage(before);
    const wrong = result.verdict === "clean" ? 0 : 1;
    engines++;
    reports += wrong;
    row(`${basename(file, ".audit.ts")}: ${name}`, result.cases, wrong, ((user + system) / 1e6).toFixed(1));
    if (wrong === 1) console.log(`${result.message}\n${result.smallest?.definition ?? ""}`);
  }
console.log(`${engines} engines, ${reports} reports`);
if (reports > 0) process.exitCode = 1;

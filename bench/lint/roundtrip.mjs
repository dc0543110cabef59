/**
 * The lint while one types, as the editor sees it: from the changed text to the answer of the extension's worker.
 *
 *   node bench/lint/roundtrip.mjs [FILE...] [--runs N]
 *
 * The extension's own client and worker are bundled and used as the extension uses them; each run changes the text in
 * another place. Not in it: the pause after the last keystroke, and showing the diagnostics. Printed are the median and the
 * best of N runs (50, after 40 that warm up) by the clock, in milliseconds, and how many processes wanted the machine meanwhile.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { engine } from "./engine.mjs";

const root = resolve(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const runsAt = args.indexOf("--runs");
const runs = runsAt === -1 ? 50 : Number(args[runsAt + 1]);
const files = args.filter((arg, i) => !arg.startsWith("--") && (runsAt === -1 || i !== runsAt + 1));
const WARM = 40;

const out = mkdtempSync(join(tmpdir(), "backsweep-lint-"));
const bundle = (entry, outfile, format) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(out, outfile),
    bundle: true,
    platform: "node",
    format,
    target: "node20",
    logLevel: "error",
  });
try {
  await bundle("extension/lint/client.ts", "client.mjs", "esm");
  await bundle("extension/lint/worker.ts", "worker.cjs", "cjs");
  const { LintClient } = await import(pathToFileURL(join(out, "client.mjs")).href);
  const client = new LintClient(join(out, "worker.cjs"), console.error);
  const texts =
    files.length > 0
      ? files.map((file) => [file, readFileSync(file, "utf8")])
      : [["engine.ts", engine(1000)]];
  for (const [file, text] of texts) {
    const lines = text.split("\n");
    const times = [];
    for (let run = 0; run < WARM + runs; run++) {
      // a digit at the end of a line, as somebody types a comment
      const typed = lines.map((line, i) => (i === (run * 37) % lines.length ? `${line} // ${run}` : line));
      const began = performance.now();
      const answer = await client.ask(file, {
        kind: "lint",
        text: typed.join("\n"),
        file,
        options: {},
      });
      if (answer?.kind !== "lint") throw new Error(`${file}: no answer`);
      if (run >= WARM) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.floor(times.length * part)].toFixed(1);
    console.log(
      `${file}: ${lines.length} lines, ${at(0.5)} ms from the text to the answer (median), ${at(0)} ms at best, nine of ten within ${at(0.9)} ms; load ${loadavg()[0].toFixed(1)}`,
    );
  }
  client.dispose();
} finally {
  rmSync(out, { recursive: true, force: true });
}

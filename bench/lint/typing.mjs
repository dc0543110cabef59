/**
 * The lint while one types: processor time of a warm lint of one file, all rules, as the editor's worker runs it.
 *
 *   node bench/lint/typing.mjs [FILE...] [--runs N]
 *
 * Without a file an engine of 1,000 lines is written: operations as closures over a class, a tape, a topological sweep.
 * Printed are lines, and the median and the best of N runs (100, after 40 that warm up) of parsing alone and of the whole lint, in milliseconds of
 * processor time: wall-clock time on a busy machine says nothing.
 */
import { readFileSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
import { engine } from "./engine.mjs";
import { loadLint } from "./load.mjs";

/** Runs until what is hot is compiled. */
const WARM = 40;
/** As extension/lint/client.ts. */
const YOUNG_MB = 96;

const args = process.argv.slice(2);
const runsAt = args.indexOf("--runs");
const runs = runsAt === -1 ? 100 : Number(args[runsAt + 1]);
const files = args.filter((arg, i) => !arg.startsWith("--") && (runsAt === -1 || i !== runsAt + 1));

/** A worker with the memory that the extension gives to its own. */
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    argv: args,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.on("error", (error) => {
    throw error;
  });
} else {
  const { lintText, parseForLint } = await loadLint();
  const texts =
    files.length > 0
      ? files.map((file) => [file, readFileSync(file, "utf8")])
      : [["engine.ts", engine(1000)]];
  for (const [file, text] of texts) {
    const parse = median(() => parseForLint(text, file));
    const all = median(() => lintText(text, file));
    console.log(
      `${file}: ${text.split("\n").length} lines, parsing ${parse} ms, lint with all rules ${all} ms of processor time (median; best)`,
    );
  }
}

/** "median; best" of the runs, in milliseconds of processor time. */
function median(work) {
  for (let i = 0; i < WARM; i++) work();
  const times = [];
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return `${times[Math.floor(times.length / 2)].toFixed(1)}; ${times[0].toFixed(1)}`;
}

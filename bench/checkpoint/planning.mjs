// Times planning: node bench/checkpoint/planning.mjs [ROUNDS]. CPU time of this process, median over rounds that take turns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "planning-"));
const outfile = join(folder, "planning.mjs");
await build({
  absWorkingDir: root,
  stdin: {
    resolveDir: root,
    contents: `
      export { parseSchedule } from "./engine/checkpoint/parse.js";
      export { countStream } from "./engine/checkpoint/count.js";
      export { planSchedule } from "./engine/checkpoint/plan.js";`,
  },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  logLevel: "error",
});
const { parseSchedule, countStream, planSchedule } = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true, force: true });

const drain = (name, steps) => {
  let actions = 0;
  for (const action of parseSchedule(name).actions(steps)) if (action !== null) actions++;
  return actions;
};
const checked = (name, steps) => countStream(name, steps, parseSchedule(name).actions(steps)).totalForwards;

const jobs = [
  ["stream of 10^6 steps, revolve:10", () => drain("revolve:10", 1e6)],
  ["stream of 10^6 steps, revolve:100", () => drain("revolve:100", 1e6)],
  ["the same, every action checked and counted, revolve:10", () => checked("revolve:10", 1e6)],
  ["the same, revolve:100", () => checked("revolve:100", 1e6)],
  [
    "closed form of 10^15 steps, revolve:50",
    () => planSchedule(parseSchedule("revolve:50"), 1e15).executed.advances,
  ],
  ["two levels of 2000 steps, hrevolve:3,5,1,1,2,2", () => drain("hrevolve:3,5,1,1,2,2", 2000)],
  ["two levels of 2000 steps, hrevolve:10,20,1,1,5,5", () => drain("hrevolve:10,20,1,1,5,5", 2000)],
  ["two levels of 2000 steps, hrevolve:10,100,1,1,.1,.1", () => drain("hrevolve:10,100,1,1,.1,.1", 2000)],
  ["disk-revolve:5 of 2000 steps", () => drain("disk-revolve:5", 2000)],
  ["mixed:10 of 2000 steps", () => drain("mixed:10", 2000)],
];
const rounds = Number(process.argv[2] ?? 7);
const times = jobs.map(() => []);
for (let round = 0; round < rounds; round++)
  jobs.forEach(([, work], i) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times[i].push((user + system) / 1000);
  });
const width = Math.max(...jobs.map(([name]) => name.length));
jobs.forEach(([name], i) => {
  const sorted = times[i].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(
    `${name.padEnd(width)}  median ${median.toFixed(1).padStart(7)} ms   best ${sorted[0].toFixed(1).padStart(7)} ms`,
  );
});

/**
 * The lint while one types: processor time of a warm lint of one file, all rules, as the editor's worker runs it.
 *
 *   node bench/lint/typing.mjs [FILE...] [--runs N]
 *
 * Without a file an engine of 1,000 lines is written: operations as closures over a class, a tape, a topological sweep.
 * Printed are lines, and the median and the best of N runs (50) of parsing alone and of the whole lint, in milliseconds of
 * processor time: wall-clock time on a busy machine says nothing.
 */
import { readFileSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
import { loadLint } from "./load.mjs";

/** As extension/lint/client.ts. */
const YOUNG_MB = 96;

const args = process.argv.slice(2);
const runsAt = args.indexOf("--runs");
const runs = runsAt === -1 ? 50 : Number(args[runsAt + 1]);
const files = args.filter((arg, i) => !arg.startsWith("--") && (runsAt === -1 || i !== runsAt + 1));

/** `lines` lines of an engine that is right, every operation of another kind of closure. */
function engine(lines) {
  const out = [
    "export class Value {",
    "  grad = 0;",
    "  backwardStep: () => void = () => {};",
    "  constructor(readonly data: number, readonly inputs: readonly Value[] = []) {}",
    "  backward(): void {",
    "    const order: Value[] = [];",
    "    const seen = new Set<Value>();",
    "    const visit = (node: Value): void => {",
    "      if (seen.has(node)) return;",
    "      seen.add(node);",
    "      node.inputs.forEach(visit);",
    "      order.push(node);",
    "    };",
    "    visit(this);",
    "    this.grad = 1;",
    "    for (const node of order.reverse()) node.backwardStep();",
    "  }",
    "}",
  ];
  for (let k = 0; out.length < lines; k++)
    out.push(
      `export function op${k}(a: Value, b: Value): Value {`,
      `  const left = Math.sin(a.data * ${k + 1});`,
      `  const right = Math.exp(-b.data / ${k + 1});`,
      "  const out = new Value(left * right, [a, b]);",
      "  out.backwardStep = () => {",
      `    const da = ${k + 1} * Math.cos(a.data * ${k + 1}) * right;`,
      `    const db = (-left * right) / ${k + 1};`,
      "    a.grad += da * out.grad;",
      "    b.grad += db * out.grad;",
      "  };",
      "  return out;",
      "}",
    );
  return out.slice(0, out.length).join("\n");
}

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
  for (let i = 0; i < 15; i++) work();
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

/** docs/performance.md */
import { cpus } from "node:os";
import type { Section } from "../extra/section.js";
import type { GoalResult } from "../goals.js";
import type { Options } from "../options.js";
import type { ItemResult } from "../rounds.js";
import { itemHead, itemRows } from "./items.js";
import { goalHead, goalRows, sectionHead, sectionRows } from "./sections.js";
import { markdownTable } from "./table.js";

export interface Results {
  readonly items: readonly ItemResult[];
  readonly sections: readonly Section[];
  readonly goals: readonly GoalResult[];
  /** processes that wanted a core in the minute before, 0 where the system does not tell */
  readonly load: number;
  /** ISO day */
  readonly date: string;
}

function machine(): string {
  const list = cpus();
  const model = (list[0]?.model ?? "").replace(/\s+/g, " ").trim();
  return `${list.length} cores (${model || process.arch}), Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** Every engine uses one core, and npm's own processes a little of another. */
function quiet(load: number): string {
  if (load <= 0.5) return "Nothing else ran.";
  const busy = load > cpus().length ? ": a busy machine, where no goal can be judged" : "";
  return `The load before it was ${load.toFixed(1)}${busy}.`;
}

const reading = `How to read it. One process an engine and work item. All are warmed up, then take turns in rounds, another one first each
round, so that what disturbs the machine disturbs all of them; *x hand JS* is the median over the rounds of the ratio to hand-written
JavaScript in the same round, with its quartiles. A call goes from the parameters as a \`Float64Array\` to the value and the gradient as numbers
of JavaScript: recording, copying into an engine's memory and out of it included. *First call* is the median of fresh processes, after
the engine's code was loaded. *Error* is the largest |a - b| / max(1, |a| + |b|) over the value and all components of the gradient against
GradBench's reference values, or against hand-written JavaScript where there are none; an engine beyond its tolerance (1e-10 in double
precision, 1e-3 in single, 1e-4 for jax-js in double) is not timed. All engines use one thread.`;

const engines = `- **hand JavaScript**: value and hand-derived adjoint over typed arrays, nothing allocated in the loops (\`bench/hand/\`); **hand C**: the same
  with \`cc -O3 -march=native\`, when there is a compiler.
- **handles**: \`recording()\`, explicit calls over integer handles, recorded anew for every gradient, all contributions written. **replay**: one
  recording, replayed at the parameters and swept. **plain arithmetic**: the text in \`bench/programs/\` through the loader. **graph()**: explicit
  calls on traced numbers; both through \`valueAndGradient\`. **arrays**: tensors, one node an array operation.
- **tfjs**: eager, \`valueAndGrad\`. **jax-js**: \`jit(valueAndGrad(f))\`. **adnn**: tensors, scalars for the chain. **object graph**: one object
  and one closure a node, written for this benchmark in the style of teaching engines.`;

export function performanceDocument(results: Results, { rounds, roundMs }: Options): string {
  const { items, sections, goals, date, load } = results;
  const titleOf = (id: string): string => items.find((item) => item.id === id)?.title ?? id;
  const parts = [
    "# Performance",
    `Measured on ${date}: ${machine()}. ${rounds} rounds of ${roundMs} ms an engine. ${quiet(load)}`,
    "Repeat it with `npm run bench -- --write` (about ten minutes on a quiet machine; the libraries compared with are installed into `out/bench/peers` at " +
      "first use). `npm run bench -- --help` lists what can be left out. How it is built, and the licences of the peers: " +
      "[decision 0010](decisions/0010-bench.md).",
    "## Goals",
    markdownTable(goalHead, goalRows(goals, titleOf)),
    "## Value and gradient",
    reading,
    engines,
    ...items.flatMap((item) => [
      `### ${item.title}`,
      `${item.operations.toLocaleString("en-US")} scalar operations, about; reference: ${item.reference}.`,
      markdownTable(itemHead, itemRows(item)),
    ]),
    "## Beside it",
    ...sections.flatMap((section) => [
      `### ${section.title}`,
      markdownTable(sectionHead, sectionRows(section)),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

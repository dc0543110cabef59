/** `run --memory-card`: the seed's four questions to a gradient-memory claim, answered for this run, as Markdown. */
import { megabytes } from "../runner/lost.js";
import type { RunSuccess } from "../runner/messages.js";
import type { CheckpointReport, MemoryFigure } from "../engine/report/report.js";
import { show } from "./style.js";

function row(name: string, what: string, { peakCount, peakBytes, atStep }: MemoryFigure): string {
  return `| ${name} | ${what} | ${show(peakCount)} | ${megabytes(peakBytes)} | ${atStep} |\n`;
}

export function* memoryCard(result: RunSuccess, file: string): Generator<string> {
  const { report, trace } = result;
  const { options } = trace.header;
  const { memory, flops } = report;
  yield `# Memory card: ${report.graph}\n\n`;
  yield `\`${file}\`, ${trace.nodes.n} nodes, ${trace.edges.n} edges; schedule \`${options.schedule}\`, `;
  yield `values \`${options.dtype}\`, cotangents \`${options.cotangentDtype}\`, accumulation \`${options.accumulation}\`, order \`${options.order}\`.\n\n`;
  yield `## What is retained?\n\n`;
  yield `| kind | what it is | peak count | peak bytes | first at step |\n|---|---|---:|---:|---:|\n`;
  yield row("instructions", "operations on the tape, with operands and source places", memory.instructions);
  yield row("primal states", "values that a remaining reverse rule still reads", memory.primalStates);
  yield row(
    "cotangent buffers",
    "cotangents begun and not yet handed on, and the inputs' gradient",
    memory.cotangentBuffers,
  );
  yield row("metadata", "recorded decisions and random draws", memory.metadata);
  yield `\n## What is replayed?\n\n`;
  const storeAll = report.checkpoint === undefined || options.schedule === "store-all";
  if (storeAll)
    yield `Nothing: under store-all every primal that a reverse rule reads is kept until its last reader has run. `;
  else yield* replayed(report.checkpoint!);
  const operations = `${show(flops.forward + flops.other.forward)} unit operations of the forward pass`;
  yield storeAll
    ? `Each of the ${operations} runs once; `
    : `Counted once each, the ${operations} are followed by the sweep: `;
  yield `the reverse sweep takes ${show(flops.reverse)} more for + - * /`;
  yield flops.ratio > 0 ? ` (ratio ${show(flops.ratio)}, bound 5)` : "";
  yield flops.other.reverse > 0 ? ` and ${show(flops.other.reverse)} for the other primitives.\n\n` : ".\n\n";
  yield `## What state makes replay deterministic?\n\n`;
  yield `Not needed for this schedule. A replay of this run would have to reproduce:\n\n`;
  yield `- number formats: values \`${options.dtype}\`, cotangents \`${options.cotangentDtype}\`, accumulation \`${options.accumulation}\`\n`;
  yield `- random stream: seed ${options.seed}, ${trace.draws.n === 0 ? "never drawn from" : `${trace.draws.n} draws`}\n`;
  yield `- control flow: ${trace.decisions.n === 0 ? "no decision on a traced value" : `${trace.decisions.n} recorded decisions on traced values`}\n`;
  yield `- running statistics: none in this version\n\n`;
  yield `## Count model, allocated bytes or measured?\n\n`;
  yield `Counted from this run's own recorded events: counts are of objects, bytes are those counts times the size of an entry `;
  yield `in the engine's columns. They are not a textbook count model, and not the process's memory as the system measures it.\n`;
}

/** What ran how often under a schedule, region by region. */
function* replayed({ schedule, regions, allocatedBytes, remarks }: CheckpointReport): Generator<string> {
  yield `Schedule \`${schedule}\`. Executed:\n\n`;
  yield `| part | steps | schedule | peak states | peak tapes | advances | records | replays |\n`;
  yield `|---|---:|---|---:|---:|---:|---:|---:|\n`;
  for (const { kind, name, steps, schedule: own, executed: done } of regions) {
    const cells =
      done === null
        ? ["-", "-", "-", "-", "-"]
        : [done.peakStates, done.peakTapes, done.advances, done.records, done.replays].map(show);
    yield `| ${name === kind ? name : `${name} (${kind})`} | ${steps} | ${own} | ${cells.join(" | ")} |\n`;
  }
  yield `\nPrimals held at once, in allocated bytes: ${allocatedBytes.peak}; everything kept: ${allocatedBytes.storeAll}.\n\n`;
  for (const remark of remarks) yield `- ${remark}\n`;
  if (remarks.length > 0) yield "\n";
}

/** `run --memory-card`: the seed's four questions to a gradient-memory claim, answered for this run, as Markdown. */
import { megabytes } from "../runner/lost.js";
import type { RunSuccess } from "../runner/messages.js";
import type { CheckpointReport, MemoryFigure } from "../engine/report/report.js";
import { parseSchedule } from "../engine/checkpoint/parse.js";
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
  const checked = report.checkpoint?.replay ?? null;
  const { decisions, draws } = trace;
  yield checked === null || checked.replays === 0
    ? storeAll
      ? `Not needed for this schedule. A replay of this run would have to reproduce:\n\n`
      : `No code of the user's ran again: recorded instructions were. They reproduce:\n\n`
    : `${show(checked.replays)} replays of steps were compared with the first run, by value: ${show(checked.values)} primals, ${show(checked.draws)} draws, ${show(checked.decisions)} decisions, all the same. They reproduce:\n\n`;
  yield `- number formats: values \`${options.dtype}\`, cotangents \`${options.cotangentDtype}\`, accumulation \`${options.accumulation}\`\n`;
  yield `- random stream: seed ${options.seed}, ${draws.n === 0 ? "never drawn from" : `${draws.n} draws, keyed by seed, place and count`}\n`;
  yield `- control flow: ${decisions.n === 0 ? "no decision on a traced value" : `${decisions.n} recorded decisions on traced values`}\n`;
  const updates = checked?.stateUpdates ?? 0;
  yield `- running statistics: ${updates === 0 ? (storeAll ? "counted under a schedule only" : "no update of a runningState") : `${show(updates)} updates, each once: saved and restored round replays`}\n`;
  yield `- arrays: tensors are copies of the arrays they are made from, so a later write cannot reach a saved primal\n\n`;
  yield `## Count model, allocated bytes or measured?\n\n`;
  yield `Counted from this run's own recorded events: counts are of objects, bytes are those counts times the size of an entry `;
  yield `in the engine's columns. They are not a textbook count model, and not the process's memory as the system measures it.\n`;
  if (!storeAll) yield* figures(report.checkpoint!);
  yield* paperAudit(result, storeAll);
}

/** The same claim as each way of counting has it. */
function* figures({ regions, allocatedBytes }: CheckpointReport): Generator<string> {
  yield `\n| part | count model (textbook) | executed (counted) |\n|---|---|---|\n`;
  for (const { name, steps, schedule, executed } of regions) {
    const model = modelOf(schedule, steps);
    const textbook =
      model === null ? "none" : `${String(model.peakStates)} states, ${String(model.replays)} replays`;
    const done =
      executed === null
        ? "everything kept"
        : `${executed.peakStates} states and ${executed.peakTapes} tapes, ${executed.extraForwards} extra forwards`;
    yield `| ${name} | ${textbook} | ${done} |\n`;
  }
  yield `\nAllocated: ${allocatedBytes.peak} bytes of primals at once, ${allocatedBytes.storeAll} with everything kept. `;
  yield `Measured: not by this run; \`backsweep compare\` runs each schedule in a process of its own and measures it.\n`;
}

function modelOf(schedule: string, steps: number): { peakStates: unknown; replays: unknown } | null {
  try {
    return parseSchedule(schedule).model?.(steps) ?? null;
  } catch {
    // a schedule of single nodes, or one made for this graph, has no textbook model
    return null;
  }
}

/** The four lines of docs/paper-audit.md that a run can fill. */
function* paperAudit({ report, trace }: RunSuccess, storeAll: boolean): Generator<string> {
  const { checkpoint } = report;
  const chains = checkpoint?.regions ?? [];
  const graphClass =
    chains.length === 0
      ? "general graph, no chain declared"
      : chains
          .map(({ kind, name, steps }) => `${name === kind ? kind : `${kind} ${name}`} of ${steps} steps`)
          .join(", ");
  yield `\n## For an audit of a paper's claim\n\n`;
  yield `- graph class: ${graphClass}\n`;
  yield `- activations or device memory: primals of the graph alone, in counts and allocated bytes; no device memory\n`;
  yield `- stochastic replay: ${trace.draws.n === 0 ? "no draw, so nothing to match" : storeAll ? "draws are made once; nothing is replayed" : "draws are matched, and compared by value"}\n`;
  yield `- arithmetic or wall clock: forward evaluations and unit operations; no time is claimed\n`;
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

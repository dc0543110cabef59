/** `backsweep compare`: schedules side by side, each in a process of its own. */
import { resolve } from "node:path";
import { compareSchedules, type CompareRow, type Comparison } from "../runner/compare.js";
import type { CompareCall } from "./args.js";
import { runnerFiles } from "./ahead.js";
import { reportFailure, requestOf, untilSignal } from "./execute.js";
import { jsonDocument } from "./json-document.js";
import { writeAll } from "./output.js";
import { shownPath } from "./paths.js";
import { remarkRows, remarks } from "./remarks.js";
import { withProgress } from "./progress.js";
import { alignColumns, count, show, styleFor, type Style } from "./style.js";
import { wrapped } from "./usage.js";

/** Compares and prints; returns the exit code. */
export async function compareCommand(call: CompareCall): Promise<number> {
  const file = resolve(call.file);
  const request = requestOf(call, file);
  const answer = await withProgress(`compare ${shownPath(file)}`, (progress) =>
    untilSignal((signal) => {
      let done = 0;
      return compareSchedules(runnerFiles(), request, call.schedules, signal, ({ schedule }) =>
        progress.say(`${count(++done, "schedule")} measured, ${schedule} last`),
      );
    }),
  );
  if ("ok" in answer) return reportFailure(answer);
  const out = process.stdout;
  const shown = shownPath(file);
  await writeAll(
    out,
    call.print === "json"
      ? jsonDocument(document(answer, shown))
      : page(answer, shown, styleFor(out, process.env)),
  );
  return answer.rows.some(differs) ? 1 : 0;
}

function differs({ distance, reversible }: CompareRow): boolean {
  return distance !== null && !distance.equal && !reversible;
}

function document(
  { graph, settings, reference, rows, notes }: Comparison,
  file: string,
): Record<string, unknown> {
  return {
    graph,
    file,
    ...settings,
    reference,
    rows: rows.map(({ failure, ...row }) => ({
      ...row,
      failure: failure === null ? null : { kind: failure.kind, message: failure.message },
    })),
    notes: remarkRows(notes, (path) => shownPath(path)),
  };
}

const HEAD = [
  "schedule",
  "states",
  "tapes",
  "forwards",
  "extra",
  "allocated",
  "measured",
  "seconds",
  "gradient",
];

function* page({ graph, reference, rows, notes }: Comparison, file: string, style: Style): Generator<string> {
  yield `${style.bold(graph)}  ${style.dim(file)}\n\n`;
  const cells = rows.map(cellsOf(reference));
  const table = alignColumns([HEAD, ...cells], [false, true, true, true, true, true, true, true, false]);
  for (const [i, line] of table.entries()) {
    const text = `  ${line.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(text) : text}\n`;
  }
  yield "\n";
  for (const { schedule, failure } of rows)
    if (failure !== null) yield `  ${style.bad(schedule)}: ${failure.message}\n`;
  for (const remark of saidOf(rows)) yield* paragraph(remark, style);
  for (const line of LEGEND) yield* paragraph(line, style);
  yield* remarks(notes, style, (path) => shownPath(path));
}

const LEGEND = [
  "states, tapes: counted, the most at once; forwards: evaluations of a step, extra: beyond one each",
  "allocated: bytes of primals held at once; measured: resident memory of the process at its peak, and how much of that came on top of the engine, loaded and warm; garbage is collected as it comes, in time that is not counted",
];
const WIDTH = 110;

/** What was said of the schedules, each sentence once, with all it was said of. */
function saidOf(rows: readonly CompareRow[]): string[] {
  const of = new Map<string, string[]>();
  for (const { schedule, remarks } of rows) {
    for (const remark of remarks) {
      // a planner names itself
      const text = remark.startsWith(`${schedule}: `) ? remark.slice(schedule.length + 2) : remark;
      of.set(text, [...(of.get(text) ?? []), schedule]);
    }
  }
  const others = rows.filter(({ schedule }) => schedule !== "store-all").length;
  return Array.from(of, ([remark, schedules]) => {
    const all = others > 2 && schedules.length === others && !schedules.includes("store-all");
    return `${all ? "all but store-all" : schedules.join(", ")}: ${remark}`;
  });
}

/** A remark over as many lines as it takes, all but the first indented. */
function* paragraph(text: string, style: Style): Generator<string> {
  for (const [i, line] of wrapped(text, WIDTH).entries())
    yield style.dim(`${i === 0 ? "  " : "    "}${line}\n`);
}

function cellsOf(reference: string): (row: CompareRow) => string[] {
  return ({ schedule, failure, counts, allocatedBytes, measured, distance, reversible }) => {
    if (failure !== null) return [schedule, ...new Array<string>(7).fill("-"), failure.kind];
    const counted = (key: "peakStates" | "peakTapes" | "totalForwards" | "extraForwards"): string =>
      counts === null ? "-" : String(counts[key]);
    const grown = Math.max(0, measured!.peak - measured!.before);
    return [
      schedule,
      counted("peakStates"),
      counted("peakTapes"),
      counted("totalForwards"),
      counted("extraForwards"),
      allocatedBytes === null ? "-" : bytes(allocatedBytes),
      `${bytes(measured!.peak)} (+${bytes(grown)})`,
      (measured!.elapsedMs / 1000).toFixed(3),
      gradientText(schedule === reference, distance, reversible),
    ];
  };
}

function gradientText(isReference: boolean, distance: CompareRow["distance"], reversible: boolean): string {
  if (isReference) return "the reference";
  if (distance!.equal) return "equal, bit for bit";
  const { name, ulps } = distance!.worst!;
  return `${reversible ? "inverse: " : "differs: "}d/d${name} by ${show(ulps)} ULPs`;
}

function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 2 ** 20) return `${(n / 1024).toFixed(1)} KiB`;
  return `${(n / 2 ** 20).toFixed(1)} MiB`;
}

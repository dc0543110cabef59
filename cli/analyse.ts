/** Commands that ask for one analysis: asked in the runner, printed under one heading, as one JSON document. */
import { resolve } from "node:path";
import type { AnalysisOf } from "../engine/analysis/analysis.js";
import type { AnalysedGraph, AnalysisSettings, AnalysisSuccess } from "../runner/messages.js";
import type { AnalysisCall } from "./args.js";
import type { AnalysisCommand, Page } from "./command.js";
import { analysisCommands, type CommandKind } from "./commands.js";
import { failureText, reportFailure, requestOf, withRunner } from "./execute.js";
import { jsonDocument } from "./json-document.js";
import { writeAll } from "./output.js";
import { shownPath } from "./paths.js";
import { plainStyle, styleFor, type Style } from "./style.js";

/** Commands whose reverse sweeps run under `--schedule`; the others keep everything, and say so. */
const scheduled: ReadonlySet<string> = new Set(["check", "steps", "replay", "compare"]);

/** Asks and prints; returns the exit code. */
export async function analyseCommand(call: AnalysisCall): Promise<number> {
  const kind = call.analysis.kind;
  return run(analysisCommands[kind] as AnalysisCommand<typeof kind>, call);
}

async function run<K extends CommandKind>(command: AnalysisCommand<K>, call: AnalysisCall): Promise<number> {
  const file = resolve(call.file);
  const every = command.everyGraph === true && call.options.graph === undefined;
  const request = {
    ...requestOf(call, file),
    analysis: call.analysis as AnalysisOf<K>,
    everyGraph: every,
  };
  const answer = await withRunner(`${command.name} ${shownPath(file)}`, (runner, signal) =>
    runner.analyse<K>(request, signal),
  );
  if (!answer.ok) return reportFailure(answer);
  for (const note of notes(command.name, answer)) process.stderr.write(note);
  const out = process.stdout;
  const pieces =
    call.print === "json"
      ? jsonDocument(document(command, answer, file, every))
      : page(command, answer, file, styleFor(out, process.env));
  await writeAll(out, pieces);
  return exitCode(command, answer);
}

/** That a schedule is not used, whether the command line or the graph's own options ask for it; one line a schedule. */
export function notes<K extends CommandKind>(
  name: K,
  { analysed }: Pick<AnalysisSuccess<K>, "analysed">,
): string[] {
  if (scheduled.has(name)) return [];
  const asked = analysed.flatMap((one) => (one.failure === null ? [one.settings.schedule] : []));
  return [...new Set(asked)]
    .filter((schedule) => schedule !== "store-all")
    .map((schedule) => `note: ${name} keeps everything; the schedule ${schedule} is not used\n`);
}

function exitCode<K extends CommandKind>(command: AnalysisCommand<K>, answer: AnalysisSuccess<K>): number {
  if (answer.analysed.some(({ failure }) => failure !== null)) return 2;
  return answer.analysed.some((one) => one.failure === null && command.isFinding(one.result)) ? 1 : 0;
}

function pageOf<K extends CommandKind>({ graph }: AnalysedGraph<K>, style: Style): Page {
  return { graph, style, showPath: (path) => shownPath(path) };
}

function* page<K extends CommandKind>(
  command: AnalysisCommand<K>,
  answer: AnalysisSuccess<K>,
  file: string,
  style: Style,
): Generator<string> {
  let gap = "";
  for (const analysed of answer.analysed) {
    yield gap;
    gap = "\n";
    yield `${style.bold(analysed.graph)}  ${style.dim(shownPath(file))}\n`;
    if (analysed.failure !== null) {
      process.stderr.write(failureText(analysed.failure, styleFor(process.stderr, process.env)));
      yield style.bad("  cannot be used: see the message\n");
      continue;
    }
    yield `${settingsLine(analysed.settings)}\n`;
    yield* command.human(analysed.result, pageOf(analysed, style));
  }
  const shown = new Set(answer.analysed.map(({ graph }) => graph));
  const others = answer.graphs.filter((name) => !shown.has(name));
  if (others.length > 0)
    yield style.dim(
      `\nalso exported: ${others.slice(0, 12).join(", ")}${others.length > 12 ? ", ..." : ""} (--graph NAME)\n`,
    );
}

function settingsLine({ dtype, cotangentDtype, accumulation, order }: AnalysisSettings): string {
  const formats = dtype === cotangentDtype ? dtype : `${dtype}, cotangents ${cotangentDtype}`;
  return `${formats}, ${accumulation}, ${typeof order === "string" ? order : "explicit"} order`;
}

/** One graph: its head and its result. Every graph: a list of those. */
function document<K extends CommandKind>(
  command: AnalysisCommand<K>,
  answer: AnalysisSuccess<K>,
  file: string,
  every: boolean,
): Readonly<Record<string, unknown>> {
  const shown = shownPath(file);
  const entries = answer.analysed.map((analysed) => {
    const { graph } = analysed;
    if (analysed.failure === null) {
      const head = { graph, ...(every ? {} : { file: shown }), ...analysed.settings };
      return { ...head, ...command.json(analysed.result, pageOf(analysed, plainStyle)) };
    }
    process.stderr.write(failureText(analysed.failure, styleFor(process.stderr, process.env)));
    const { kind, message, file: path, line, column, endLine, endColumn } = analysed.failure;
    const place = { file: path === null ? null : shownPath(path), line, column, endLine, endColumn };
    return { graph, failure: { kind, message, ...place } };
  });
  return every ? { file: shown, graphs: entries } : entries[0];
}

/** One request in the runner process, and what is said when it fails: the same for every command. */
import { readFileSync } from "node:fs";
import type { Runner } from "../runner/client.js";
import type { Failure, RunFailure, RunRequest } from "../runner/messages.js";
import { takeRunner } from "./ahead.js";
import type { GraphCall } from "./args.js";
import { excerpt } from "./excerpt.js";
import { shownFrames } from "./frames.js";
import { shownPath, workspaceOf } from "./paths.js";
import { withProgress, type Progress } from "./progress.js";
import { styleFor, type Style } from "./style.js";

/** The request of a command line; `file` is the module's absolute path. */
export function requestOf(call: GraphCall, file: string): RunRequest {
  const { options, timeoutMs, memoryBytes, allowImports } = call;
  return { file, root: workspaceOf(file), options, timeoutMs, memoryBytes, allowImports, layout: false };
}

/** SIGINT and SIGTERM cancel what is going on. */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  try {
    return await work(abort.signal);
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

/**
 * Starts a runner, lets `ask` talk to it, and ends it; SIGINT and SIGTERM cancel what is going on. `doing` is shown while it
 * takes long: "check examples/heat.graph.ts".
 */
export async function withRunner<T>(
  doing: string,
  ask: (runner: Runner, signal: AbortSignal, progress: Progress) => Promise<T>,
): Promise<T> {
  const runner = takeRunner();
  try {
    return await withProgress(doing, (progress) => untilSignal((signal) => ask(runner, signal, progress)));
  } finally {
    runner.dispose();
  }
}

const MOST_FRAMES = 10;

/** The message on stderr: `file:line:column: text`, the line it is about, the user's own frames. */
export function failureText(failure: Failure, style: Style): string {
  const { file, line, column, message } = failure;
  if (file === null) return `${style.bad("backsweep:")} ${message}\n`;
  const place = line > 0 ? `${shownPath(file)}:${line}:${column}` : shownPath(file);
  let text = `${style.bold(`${place}:`)} ${message}\n`;
  if (line > 0) text += excerptOf(failure, style);
  for (const frame of shownFrames(failure.frames, MOST_FRAMES)) text += style.dim(`    ${frame}\n`);
  if (failure.kind === "deadline") text += style.dim("    --timeout S gives it longer, as in --timeout 30\n");
  return text;
}

function excerptOf(failure: Failure, style: Style): string {
  try {
    return excerpt(readFileSync(failure.file!, "utf8"), failure, style);
  } catch {
    return "";
  }
}

/** Failures of a program that had begun; how far it came is worth a word. */
const interrupted: ReadonlySet<string> = new Set(["exception", "deadline", "memory", "exit", "cancelled"]);

/** Says on stderr why there is no result; returns the exit code. */
export function reportFailure({ failure, partial }: RunFailure): number {
  const style = styleFor(process.stderr, process.env);
  process.stderr.write(failureText(failure, style));
  if (partial !== null && interrupted.has(failure.kind)) {
    const { recorded } = partial.header;
    const what = recorded === 1 ? "1 node" : `${recorded} nodes`;
    process.stderr.write(style.dim(`${what} had been recorded until then\n`));
  }
  if (failure.kind === "replay") return 1;
  return failure.kind === "cancelled" ? 130 : 2;
}

/** `backsweep run`: one run in the runner process, printed. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Runner } from "../runner/client.js";
import type { ConsoleLine, Failure, RunResult, RunSuccess } from "../runner/messages.js";
import type { RunCommand } from "./args.js";
import { excerpt } from "./excerpt.js";
import { writeAll } from "./output.js";
import { shownPath, workspaceOf } from "./paths.js";
import { styleFor, type Style } from "./style.js";

function runnerPath(): string {
  return fileURLToPath(new URL("./runner.js", import.meta.url));
}

function onConsole({ level, text }: ConsoleLine): void {
  const mark = level === "warn" || level === "error" ? `${level}: ` : "";
  process.stderr.write(`${mark}${text}\n`);
}

async function execute(command: RunCommand, file: string): Promise<RunResult> {
  const { options, timeoutMs, memoryBytes, allowImports } = command;
  const abort = new AbortController();
  const log = process.env.BACKSWEEP_DEBUG
    ? (line: string) => void process.stderr.write(`${line}\n`)
    : () => undefined;
  const runner = new Runner({ runnerPath: runnerPath(), log, onConsole, spare: false });
  const onSignal = (): void => abort.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  try {
    const request = {
      file,
      root: workspaceOf(file),
      options,
      timeoutMs,
      memoryBytes,
      allowImports,
      layout: false,
    };
    return await runner.run(request, abort.signal);
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    runner.dispose();
  }
}

/** The message on stderr: `file:line:column: text`, the line it is about, the user's own frames. */
export function failureText(failure: Failure, style: Style): string {
  const { file, line, column, message } = failure;
  if (file === null) return `${style.bad("backsweep:")} ${message}\n`;
  const place = line > 0 ? `${shownPath(file)}:${line}:${column}` : shownPath(file);
  let text = `${style.bold(`${place}:`)} ${message}\n`;
  if (line > 0) text += excerptOf(failure, style);
  for (const frame of failure.frames.slice(0, 10)) text += style.dim(`    ${shortFrame(frame)}\n`);
  return text;
}

function shortFrame(frame: string): string {
  return frame.replace(/\((.+?)(:\d+:\d+)\)$/, (_, path: string, at: string) => `(${shownPath(path)}${at})`);
}

function excerptOf(failure: Failure, style: Style): string {
  try {
    return excerpt(readFileSync(failure.file!, "utf8"), failure, style);
  } catch {
    return "";
  }
}

async function print(command: RunCommand, result: RunSuccess, file: string): Promise<void> {
  const shown = shownPath(file);
  const out = process.stdout;
  if (command.print === "json") {
    const { runDocument } = await import("./json.js");
    await writeAll(out, runDocument(result, file, command.events));
  } else if (command.print === "memory-card") {
    const { memoryCard } = await import("./memory-card.js");
    await writeAll(out, memoryCard(result, shown));
  } else {
    const { humanReport } = await import("./human.js");
    await writeAll(
      out,
      humanReport(result, shown, styleFor(out, process.env), (path) => shownPath(path)),
    );
  }
}

/** Failures of a program that had begun; how far it came is worth a word. */
const interrupted: ReadonlySet<string> = new Set(["exception", "deadline", "memory", "exit", "cancelled"]);

/** Runs and prints; returns the exit code. */
export async function runCommand(command: RunCommand): Promise<number> {
  const file = resolve(command.file);
  const result = await execute(command, file);
  if (!result.ok) {
    const style = styleFor(process.stderr, process.env);
    process.stderr.write(failureText(result.failure, style));
    if (result.partial !== null && interrupted.has(result.failure.kind)) {
      const { recorded } = result.partial.header;
      const what = recorded === 1 ? "1 node" : `${recorded} nodes`;
      process.stderr.write(style.dim(`${what} had been recorded until then\n`));
    }
    return result.failure.kind === "cancelled" ? 130 : 2;
  }
  await print(command, result, file);
  return result.report.finding ? 1 : 0;
}

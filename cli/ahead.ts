/**
 * The runner process, begun while the command line is still being read: a process takes longer to come up than the words take
 * to be understood. Whoever needs a runner takes it; a command line that turns out to be wrong ends it.
 */
import { fileURLToPath } from "node:url";
import { Runner, type RunnerOptions } from "../runner/client.js";
import { DEFAULT_MEMORY_BYTES, type ConsoleLine } from "../runner/messages.js";
import { besideProgress } from "./progress.js";

/** Commands that ask one runner one thing. */
const asking: ReadonlySet<string> = new Set([
  "run",
  "check",
  "steps",
  "expr",
  "jacobian",
  "hvp",
  "spread",
  "replay",
  "audit",
]);
/** Words with which nothing is run, or not in a process that is made as usual. */
const otherwise = /^(?:-h|--help|-v|--version|--memory(?:=.*)?)$/;

let ahead: Runner | null = null;

function onConsole({ level, text }: ConsoleLine): void {
  const mark = level === "warn" || level === "error" ? `${level}: ` : "";
  besideProgress(() => process.stderr.write(`${mark}${text}\n`));
}

/** What a runner of the command line is made with. */
export function runnerFiles(): Pick<RunnerOptions, "runnerPath" | "log" | "onConsole"> {
  const log = process.env.BACKSWEEP_DEBUG
    ? (line: string) => void process.stderr.write(`${line}\n`)
    : () => undefined;
  return { runnerPath: fileURLToPath(new URL("./runner.js", import.meta.url)), log, onConsole };
}

/** Begins the process if these words will surely want it. */
export function beginAhead(args: readonly string[]): void {
  if (args.length < 2 || !asking.has(args[0]) || args.some((arg) => otherwise.test(arg))) return;
  ahead = new Runner({ ...runnerFiles(), spare: false });
  ahead.warm(DEFAULT_MEMORY_BYTES);
}

/** The runner that was begun, or a new one. */
export function takeRunner(): Runner {
  const runner = ahead ?? new Runner({ ...runnerFiles(), spare: false });
  ahead = null;
  return runner;
}

/** Ends what was begun for nothing. */
export function endAhead(): void {
  ahead?.dispose();
  ahead = null;
}

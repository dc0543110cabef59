/** `backsweep run`: one run in the runner process, printed. */
import { resolve } from "node:path";
import type { RunSuccess } from "../runner/messages.js";
import type { RunCommand } from "./args.js";
import { reportFailure, requestOf, withRunner } from "./execute.js";
import { writeAll } from "./output.js";
import { shownPath } from "./paths.js";
import { styleFor } from "./style.js";

type Print = (result: RunSuccess, file: string) => Iterable<string>;

/** What prints, loaded by print. */
async function printer({ print, events }: RunCommand): Promise<Print> {
  switch (print) {
    case "json": {
      const { runDocument } = await import("./json.js");
      return (result, file) => runDocument(result, file, events);
    }
    case "memory-card": {
      const { memoryCard } = await import("./memory-card.js");
      return (result, file) => memoryCard(result, shownPath(file));
    }
    case "human": {
      const { humanReport } = await import("./human.js");
      return (result, file) =>
        humanReport(result, shownPath(file), styleFor(process.stdout, process.env), (path) =>
          shownPath(path),
        );
    }
  }
}

/** Runs and prints; returns the exit code. */
export async function runCommand(command: RunCommand): Promise<number> {
  const file = resolve(command.file);
  const request = requestOf(command, file);
  const [result, print] = await Promise.all([
    withRunner(`run ${shownPath(file)}`, (runner, signal) => runner.run(request, signal)),
    // loaded while the other process is at work
    printer(command),
  ]);
  if (!result.ok) return reportFailure(result);
  await writeAll(process.stdout, print(result, file));
  return result.report.finding ? 1 : 0;
}

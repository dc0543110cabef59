/** `backsweep run`: one run in the runner process, printed. */
import { resolve } from "node:path";
import type { RunSuccess } from "../runner/messages.js";
import type { RunCommand } from "./args.js";
import { reportFailure, requestOf, withRunner } from "./execute.js";
import { writeAll } from "./output.js";
import { shownPath } from "./paths.js";
import { styleFor } from "./style.js";

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

/** Runs and prints; returns the exit code. */
export async function runCommand(command: RunCommand): Promise<number> {
  const file = resolve(command.file);
  const request = requestOf(command, file);
  const result = await withRunner((runner, signal) => runner.run(request, signal));
  if (!result.ok) return reportFailure(result);
  await print(command, result, file);
  return result.report.finding ? 1 : 0;
}

/** The words of `backsweep compare`. What it does is in `compare-command.ts`, which is loaded when it is asked for. */
import type { CommandSpec, OptionValues } from "./command.js";
import { UsageError } from "./usage-error.js";
import { parseSchedule } from "./values.js";

export const compare: CommandSpec = {
  name: "compare",
  usage: "FILE [--schedules S,S,...]",
  summary: "schedules side by side: peaks, bytes, forwards, time, and whether the gradient is store-all's",
  about: [
    "Every schedule runs in a fresh process. Peaks and forwards are counted while it runs; allocated bytes are those of the",
    "primals the executor holds at once; measured is the resident memory of the process, as the system counts it, at its",
    "peak and on top of the engine by itself. The row of store-all stands first. Numbers behind a comma belong to the",
    "schedule before it (hrevolve:2,3), and brackets keep one together: [multistage:2,3].",
  ],
  options: {
    schedules: { value: "S,S,...", help: "the schedules (default: a list that suits the graph's length)" },
  },
  finding: "a gradient that is not store-all's",
};

/** The schedules as typed; null where none are. */
export function readSchedules(values: OptionValues): readonly string[] | null {
  const text = values.text("schedules");
  if (text === undefined) return null;
  const parts = split(text).map((part) => part.trim());
  if (parts.includes(""))
    throw new UsageError(`--schedules: "${text}" has an empty place between its commas`);
  return parts.map((part) => parseSchedule(part, "--schedules"));
}

/** At commas; a number between commas belongs to the schedule before it, and brackets keep one together. */
function split(text: string): string[] {
  const parts: string[] = [];
  let open = false;
  for (const part of text.split(",")) {
    const more = open || (parts.length > 0 && /^\s*\d/.test(part));
    if (part.trim().startsWith("[")) open = true;
    const bare = part.replace(/[[\]]/g, "");
    if (more) parts[parts.length - 1] += `,${bare}`;
    else parts.push(bare);
    if (part.trim().endsWith("]")) open = false;
  }
  return parts;
}

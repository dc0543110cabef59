/** The words of `backsweep run`. What it does is in `run.ts`, which is loaded when it is asked for. */
import type { CommandSpec } from "./command.js";

export const run: CommandSpec = {
  name: "run",
  usage: "FILE",
  summary: "record a graph, sweep back, and show every contribution into every fan-out",
  about: [],
  options: {
    events: { help: "with --json: every event of the sweep" },
    "memory-card": {
      help: "what is retained, what is replayed, what makes replay deterministic, and how it was counted, as Markdown",
    },
  },
  finding: "a finding (NaN or Inf)",
};

/** The texts of `--help`, in one place. Commands of later versions are not listed; they have one answer each. */

export const HELP = `Backsweep: the debugger for gradients.

Usage: backsweep run FILE [options]

  run FILE               record a graph, sweep back, and show every contribution into every fan-out

Which graph, at which point
  --graph NAME           the exported graph to run (default: the first)
  --set x=2              an input's value; repeatable; an array is x=1,2,3
  --seed N               seed of the graph's random stream

How it is computed
  --schedule S           store-all, the one schedule of this version
  --dtype T              f64 | f32 | f16 | bf16: format of the values
  --cotangent-dtype T    format of the cotangents (default: as --dtype)
  --accumulate M         sum | pairwise | kahan | last-writer-wins[:all|:NAME]
  --order O              breadth | tape | node ids such as 4,3,2,1,0

Limits
  --timeout S            seconds the code and the sweep may take (default 5)
  --memory BYTES         heap and arrays together; 512MiB, 2GB (default 512MiB)
  --allow-imports        allow imports outside the workspace, packages and node: modules

What is printed
  --json                 one JSON document on standard output, nothing else there
  --events               with --json: every event of the sweep
  --memory-card          what is retained, what is replayed, what makes replay deterministic, and
                         how it was counted, as Markdown

  -h, --help             this text
  -v, --version          the version

Exit code 0: all well; 1: a finding (NaN or Inf); 2: the input could not be used.
The workspace is the current folder if FILE lies in it, else FILE's own folder.
`;

/** Commands of the product that this version does not have. */
export const LATER_COMMANDS: readonly string[] = [
  "check",
  "steps",
  "jacobian",
  "hvp",
  "spread",
  "expr",
  "plan",
  "compare",
  "replay",
  "lint",
  "audit",
  "report",
  "open",
  "check-trace",
];

/** Schedules of the product that this version does not have; `:` begins a parameter. */
export const LATER_SCHEDULES: readonly string[] = [
  "uniform",
  "sqrt",
  "revolve",
  "multi-stage",
  "online",
  "bennett",
];

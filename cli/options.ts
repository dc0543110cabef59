/** The options of every command that runs a graph, in the groups `--help` shows them in. */
import type { OptionSpec, OptionSpecs } from "./command.js";

export interface OptionGroup {
  readonly title: string;
  readonly options: OptionSpecs;
}

const which: OptionGroup = {
  title: "Which graph, at which point",
  options: {
    graph: { value: "NAME", help: "the exported graph (default: the first)" },
    set: { value: "x=2", repeatable: true, help: "an input's value; repeatable; an array is x=1,2,3" },
    seed: { value: "N", help: "seed of the graph's random stream" },
  },
};

const how: OptionGroup = {
  title: "How it is computed",
  options: {
    schedule: {
      value: "S",
      help: "checkpoint schedule, such as revolve:8, uniform:8 or auto:64MiB (see plan --help)",
    },
    dtype: { value: "T", help: "f64 | f32 | f16 | bf16: format of the values" },
    "cotangent-dtype": { value: "T", help: "format of the cotangents (default: as --dtype)" },
    accumulate: { value: "M", help: "sum | pairwise | kahan | last-writer-wins[:all|:NAME]" },
    order: { value: "O", help: "breadth | tape | node ids such as 4,3,2,1,0" },
  },
};

const limits: OptionGroup = {
  title: "Limits",
  options: {
    timeout: { value: "S", help: "seconds the code and the sweep may take (default 5)" },
    memory: { value: "BYTES", help: "heap and arrays together; 512MiB, 2GB (default 512MiB)" },
    "allow-imports": { help: "allow imports outside the workspace, packages and node: modules" },
  },
};

/** Options of a command that runs code which is no graph. */
export const limitOptions: OptionGroup = limits;

export const graphOptions: readonly OptionGroup[] = [which, how, limits];

/** Taken by every command and beside every command. */
export const json: OptionSpec = { help: "one JSON document on standard output, nothing else there" };

/** Every option of a command that runs a graph, by name, its own included. */
export function optionsOf(own: OptionSpecs): OptionSpecs {
  return Object.assign({}, ...graphOptions.map(({ options }) => options), { json }, own) as OptionSpecs;
}

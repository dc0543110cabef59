/** From the words of a command line to a run. Every mistake is one line that says what would be right. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { DEFAULT_MEMORY_BYTES, DEFAULT_TIMEOUT_MS, type RunOptions } from "../runner/messages.js";
import { LATER_COMMANDS, LATER_SCHEDULES } from "./usage.js";
import { suggestion, UsageError } from "./usage-error.js";

export interface RunCommand {
  readonly command: "run";
  readonly file: string;
  readonly options: RunOptions;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly allowImports: boolean;
  readonly print: "human" | "json" | "memory-card";
  readonly events: boolean;
}

export type Command = RunCommand | { readonly command: "help" } | { readonly command: "version" };

const definitions = {
  graph: { type: "string" },
  set: { type: "string", multiple: true },
  seed: { type: "string" },
  schedule: { type: "string" },
  dtype: { type: "string" },
  "cotangent-dtype": { type: "string" },
  accumulate: { type: "string" },
  order: { type: "string" },
  timeout: { type: "string" },
  memory: { type: "string" },
  "allow-imports": { type: "boolean" },
  json: { type: "boolean" },
  events: { type: "boolean" },
  "memory-card": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} satisfies NonNullable<ParseArgsConfig["options"]>;

type OptionName = keyof typeof definitions;
const optionNames = Object.keys(definitions).map((name) => `--${name}`);
const dtypes = ["f64", "f32", "f16", "bf16"] as const;
const modes = ["sum", "pairwise", "kahan", "last-writer-wins"];

/** Reads a command line (without `node` and the script). Throws UsageError. */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals } = read(args);
  if (values.help === true) return { command: "help" };
  if (values.version === true) return { command: "version" };
  const [command, ...files] = positionals;
  if (command === undefined || command === "help") {
    if (command === undefined && args.length > 0) throw new UsageError("no command: use backsweep run FILE");
    return { command: "help" };
  }
  if (LATER_COMMANDS.includes(command))
    throw new UsageError(`the command "${command}" is not in this version`);
  if (command !== "run") {
    const looksLikeFile = /\.[mc]?[jt]s$/.test(command);
    const hint = looksLikeFile
      ? `; did you mean "backsweep run ${command}"?`
      : suggestion(command, ["run", "help"]);
    throw new UsageError(`unknown command "${command}"${hint || "; see backsweep --help"}`);
  }
  if (files.length === 0) throw new UsageError("run: no file given: use backsweep run FILE");
  if (files.length > 1)
    throw new UsageError(`run: one file at a time, ${files.length} given (${files.join(", ")})`);
  if (values.json === true && values["memory-card"] === true) {
    throw new UsageError("--json and --memory-card exclude each other: one document at a time");
  }
  if (values.events === true && values.json !== true) throw new UsageError("--events needs --json");
  return {
    command: "run",
    file: files[0],
    options: runOptions(values),
    timeoutMs: parseTimeout(values.timeout),
    memoryBytes: parseBytes(values.memory),
    allowImports: values["allow-imports"] === true,
    print: values.json === true ? "json" : values["memory-card"] === true ? "memory-card" : "human",
    events: values.events === true,
  };
}

interface Values {
  graph?: string;
  set?: string[];
  seed?: string;
  schedule?: string;
  dtype?: string;
  "cotangent-dtype"?: string;
  accumulate?: string;
  order?: string;
  timeout?: string;
  memory?: string;
  "allow-imports"?: boolean;
  json?: boolean;
  events?: boolean;
  "memory-card"?: boolean;
  help?: boolean;
  version?: boolean;
}

function read(args: readonly string[]): { values: Values; positionals: string[] } {
  const { tokens } = parseArgs({
    args: [...args],
    options: definitions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const seen = new Set<string>();
  const values: Record<string, string | boolean | string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const definition = Object.hasOwn(definitions, token.name)
      ? definitions[token.name as OptionName]
      : undefined;
    if (definition === undefined) {
      throw new UsageError(
        `unknown option "${token.rawName}"${suggestion(token.rawName, optionNames) || "; see backsweep --help"}`,
      );
    }
    if (definition.type === "boolean") {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
      values[token.name] = true;
      continue;
    }
    if (token.value === undefined || (!token.inlineValue && /^--[a-z]/.test(token.value))) {
      throw new UsageError(`${token.rawName} needs a value`);
    }
    if ("multiple" in definition) ((values[token.name] ??= []) as string[]).push(token.value);
    else if (seen.has(token.name)) throw new UsageError(`${token.rawName} is given twice`);
    else values[token.name] = token.value;
    seen.add(token.name);
  }
  return { values: values as Values, positionals };
}

function runOptions(values: Values): RunOptions {
  return {
    ...(values.graph !== undefined && { graph: values.graph }),
    ...(values.set !== undefined && { set: parseSets(values.set) }),
    ...(values.seed !== undefined && { seed: parseSeed(values.seed) }),
    ...(values.schedule !== undefined && { schedule: parseSchedule(values.schedule) }),
    ...(values.dtype !== undefined && { dtype: parseChoice("--dtype", values.dtype, dtypes) }),
    ...(values["cotangent-dtype"] !== undefined && {
      cotangentDtype: parseChoice("--cotangent-dtype", values["cotangent-dtype"], dtypes),
    }),
    ...(values.accumulate !== undefined && { accumulate: parseMode(values.accumulate) }),
    ...(values.order !== undefined && { order: parseOrder(values.order) }),
  };
}

function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`${option}: unknown "${text}"${suggestion(text, choices)}; use ${choices.join(", ")}`);
}

const numberPattern = /^[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|0x[\da-f]+|inf(?:inity)?|nan)$/i;

/** A number as people and programs write it: 2, -0, 1e-3, 0x10, Infinity, NaN. */
export function parseNumber(text: string, what: string): number {
  const trimmed = text.trim();
  if (!numberPattern.test(trimmed)) throw new UsageError(`${what}: "${text}" is not a number`);
  if (/nan$/i.test(trimmed)) return NaN;
  if (/inf/i.test(trimmed)) return trimmed.startsWith("-") ? -Infinity : Infinity;
  const negative = trimmed.startsWith("-");
  const magnitude = Number(trimmed.replace(/^[+-]/, ""));
  return negative ? -magnitude : magnitude;
}

function parseSets(sets: readonly string[]): Record<string, number | number[]> {
  const out: Record<string, number | number[]> = Object.create(null);
  for (const text of sets) {
    const equals = text.indexOf("=");
    const name = text.slice(0, Math.max(0, equals)).trim();
    if (name === "") throw new UsageError(`--set ${text}: write --set name=value, for example --set x=2`);
    if (name in out) throw new UsageError(`--set ${name} is given twice`);
    const value = text.slice(equals + 1).trim();
    const what = `--set ${name}`;
    if (value === "") throw new UsageError(`${what}: no value after "="`);
    const list = /^\[(.*)\]$/s.exec(value)?.[1] ?? value;
    const many = list !== value || value.includes(",");
    if (!many) out[name] = parseNumber(value, what);
    // x=1, is an array of one
    else if (list.trim() === "") out[name] = [];
    else
      out[name] = list
        .replace(/,\s*$/, "")
        .split(",")
        .map((part) => parseNumber(part, what));
  }
  return { ...out };
}

function parseSeed(text: string): number {
  const seed = parseNumber(text, "--seed");
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new UsageError(`--seed: use an integer from 0 to 2^53 - 1, not ${text}`);
}

function parseSchedule(text: string): string {
  if (text === "store-all") return text;
  const family = text.split(":")[0];
  if (LATER_SCHEDULES.includes(family)) {
    throw new UsageError(`the schedule "${text}" is not in this version: use store-all`);
  }
  throw new UsageError(
    `--schedule: unknown "${text}"${suggestion(text, ["store-all"])}; this version has store-all`,
  );
}

function parseMode(text: string): string {
  const colon = text.indexOf(":");
  const family = colon < 0 ? text : text.slice(0, colon);
  parseChoice("--accumulate", family, modes);
  if (colon < 0) return text;
  if (family !== "last-writer-wins") throw new UsageError(`--accumulate: ${family} takes nothing after ":"`);
  if (text.length === colon + 1)
    throw new UsageError(`--accumulate: a node's name, or "all", is missing after ":"`);
  return text;
}

function parseOrder(text: string): "breadth" | "tape" | number[] {
  if (text === "breadth" || text === "tape") return text;
  if (!/^\s*\d/.test(text)) {
    throw new UsageError(
      `--order: unknown "${text}"${suggestion(text, ["breadth", "tape"])}; use breadth, tape, or node ids such as 4,3,2,1,0`,
    );
  }
  return text.split(",").map((part) => {
    if (!/^\s*\d+\s*$/.test(part) || Number(part) > 2 ** 31 - 1)
      throw new UsageError(`--order: "${part.trim()}" is not a node id`);
    return Number(part);
  });
}

function parseTimeout(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_MS;
  const match = /^(.*?)\s*(ms|s|min)?$/i.exec(text)!;
  const unit = { ms: 1, s: 1000, min: 60_000 }[(match[2] ?? "s").toLowerCase()]!;
  const milliseconds = parseNumber(match[1], "--timeout") * unit;
  if (milliseconds > 0) return milliseconds;
  throw new UsageError(`--timeout: use seconds greater than 0, not ${text}`);
}

// prettier-ignore
const byteUnits: Readonly<Record<string, number>> = {
  "": 1, b: 1,
  k: 2 ** 10, kib: 2 ** 10, kb: 1e3,
  m: 2 ** 20, mib: 2 ** 20, mb: 1e6,
  g: 2 ** 30, gib: 2 ** 30, gb: 1e9,
};

/** The least that a realm with the engine in it can work with. */
const LEAST_MEMORY = 2 ** 20;

/** Bytes as a number with or without a unit: 1000000, 512MiB, 2GB, 64M. */
export function parseBytes(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MEMORY_BYTES;
  const match = /^(\d+\.?\d*(?:e\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match === null ? undefined : byteUnits[match[2].toLowerCase()];
  if (match === null || unit === undefined) {
    throw new UsageError(`--memory: "${text}" is not a size: use bytes, or 512MiB, 2GB`);
  }
  const bytes = Math.round(Number(match[1]) * unit);
  if (bytes < LEAST_MEMORY) throw new UsageError(`--memory: ${text} is too little: use at least 1MiB`);
  if (bytes > 2 ** 45) throw new UsageError(`--memory: ${text} is more than any machine has`);
  return bytes;
}

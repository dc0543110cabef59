/** From the words of a command line to a command. Every mistake is one line that says what would be right. */
import { parseArgs } from "node:util";
import type { AnalysisOf } from "../engine/analysis/analysis.js";
import type { RunOptions } from "../runner/messages.js";
import { readAudit, type AuditCall } from "./audit.js";
import type { CommandSpec, OptionSpecs, OptionValues } from "./command.js";
import { readSchedules } from "./compare.js";
import { readLint, type LintCall } from "./lint.js";
import { analysisCommands, commands, isAnalysis, LATER_COMMANDS, type CommandKind } from "./commands.js";
import { json, limitOptions, optionsOf } from "./options.js";
import { readPlan, type PlanCall } from "./plan.js";
import { suggestion, UsageError } from "./usage-error.js";
import { parseBytes, parseTimeout, runOptions } from "./values.js";

/** What every command that runs a graph is given. */
export interface GraphCall {
  readonly file: string;
  readonly options: RunOptions;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly allowImports: boolean;
}

export interface RunCommand extends GraphCall {
  readonly command: "run";
  readonly print: "human" | "json" | "memory-card";
  readonly events: boolean;
}

export interface AnalysisCall extends GraphCall {
  readonly command: "analysis";
  readonly analysis: AnalysisOf<CommandKind>;
  readonly print: "human" | "json";
}

export interface CompareCall extends GraphCall {
  readonly command: "compare";
  /** as typed; null: a list that suits the graph */
  readonly schedules: readonly string[] | null;
  readonly print: "human" | "json";
}

export type Command =
  | RunCommand
  | AnalysisCall
  | CompareCall
  | PlanCall
  | AuditCall
  | LintCall
  /** `of`: the command whose help is asked for, null for the whole */
  | { readonly command: "help"; readonly of: CommandSpec | null }
  | { readonly command: "version" };

const helpAndVersion = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Every option of every command: `--set x` before the command must not take `x` for the command. */
const everyOption: OptionSpecs = optionsOf(
  Object.assign({}, ...commands.map(({ options }) => options)) as OptionSpecs,
);

/** Reads a command line (without `node` and the script). Throws UsageError. */
export function parseCommandLine(args: readonly string[]): Command {
  const tokens = tokensOf(args);
  const [name, ...files] = tokens.positionals;
  const spec = commands.find((command) => command.name === name);
  if (tokens.help) return { command: "help", of: spec ?? null };
  if (tokens.version) return { command: "version" };
  if (name === undefined) {
    if (args.length > 0) throw new UsageError("no command: use backsweep run FILE");
    return { command: "help", of: null };
  }
  if (name === "help") return { command: "help", of: files.length === 0 ? null : helpOf(files[0]) };
  if (spec === undefined) throw unknownCommand(name);
  const values = valuesOf(spec, tokens.options);
  if (name === "lint") return readLint(files, values);
  if (spec.graphless === true) return graphlessCommand(name, files, values);
  if (files.length === 0) throw new UsageError(`${name}: no file given: use backsweep ${name} ${spec.usage}`);
  if (files.length > 1)
    throw new UsageError(`${name}: one file at a time, ${files.length} given (${files.join(", ")})`);
  if (name === "audit") return auditCall(files[0], values);
  const call: GraphCall = {
    file: files[0],
    options: runOptions(values),
    timeoutMs: parseTimeout(values.text("timeout")),
    memoryBytes: parseBytes(values.text("memory")),
    allowImports: values.flag("allow-imports"),
  };
  if (name === "compare") {
    const print = values.flag("json") ? "json" : "human";
    return { command: "compare", ...call, schedules: readSchedules(values), print };
  }
  if (!isAnalysis(name)) return runCommand(call, values);
  return {
    command: "analysis",
    ...call,
    analysis: analysisCommands[name].read(values),
    print: values.flag("json") ? "json" : "human",
  };
}

function graphlessCommand(name: string, files: readonly string[], values: OptionValues): Command {
  if (files.length > 0) throw new UsageError(`${name} reads no file: "${files[0]}" is one too many`);
  return { command: "plan", request: readPlan(values), print: values.flag("json") ? "json" : "human" };
}

function auditCall(file: string, values: OptionValues): AuditCall {
  const timeout = values.text("timeout");
  return {
    command: "audit",
    file,
    ...readAudit(values),
    timeoutMs: timeout === undefined ? null : parseTimeout(timeout),
    memoryBytes: parseBytes(values.text("memory")),
    allowImports: values.flag("allow-imports"),
    print: values.flag("json") ? "json" : "human",
  };
}

function runCommand(call: GraphCall, values: OptionValues): RunCommand {
  const json = values.flag("json");
  const card = values.flag("memory-card");
  if (json && card)
    throw new UsageError("--json and --memory-card exclude each other: one document at a time");
  if (values.flag("events") && !json) throw new UsageError("--events needs --json");
  const print = json ? "json" : card ? "memory-card" : "human";
  return { command: "run", ...call, print, events: values.flag("events") };
}

function helpOf(name: string): CommandSpec {
  const spec = commands.find((command) => command.name === name);
  if (spec === undefined) throw unknownCommand(name);
  return spec;
}

function unknownCommand(name: string): UsageError {
  if (LATER_COMMANDS.includes(name)) return new UsageError(`the command "${name}" is not in this version`);
  const looksLikeFile = /\.[mc]?[jt]s$/.test(name);
  const names = [...commands.map((command) => command.name), "help"];
  const hint = looksLikeFile ? `; did you mean "backsweep run ${name}"?` : suggestion(name, names);
  return new UsageError(`unknown command "${name}"${hint || "; see backsweep --help"}`);
}

interface TypedOption {
  readonly name: string;
  /** as typed, for messages */
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inline: boolean;
}

interface Tokens {
  readonly positionals: readonly string[];
  readonly options: readonly TypedOption[];
  readonly help: boolean;
  readonly version: boolean;
}

function tokensOf(args: readonly string[]): Tokens {
  const known = Object.entries(everyOption).map(([name, spec]) => [
    name,
    { type: spec.value === undefined ? "boolean" : "string" } as const,
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(known), ...helpAndVersion },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const options: TypedOption[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    options.push({ name, rawName, value, inline: token.inlineValue === true });
  }
  const given = (name: string): boolean => options.some((option) => option.name === name);
  return { positionals, options, help: given("help"), version: given("version") };
}

/** The options a command was given. Throws UsageError for one that it does not take, naming it. */
function valuesOf(spec: CommandSpec, typed: readonly TypedOption[]): OptionValues {
  const known =
    spec.graphless === true || spec.limitsOnly === true
      ? { ...(spec.limitsOnly === true ? limitOptions.options : {}), ...spec.options, json }
      : optionsOf(spec.options);
  const names = Object.keys(known).map((name) => `--${name}`);
  const texts = new Map<string, string[]>();
  const flags = new Set<string>();
  for (const { name, rawName, value, inline } of typed) {
    if (!Object.hasOwn(known, name)) {
      if (Object.hasOwn(everyOption, name))
        throw new UsageError(`${spec.name} takes no ${rawName}${takers(name)}`);
      throw new UsageError(
        `unknown option "${rawName}"${suggestion(rawName, names) || `; see backsweep ${spec.name} --help`}`,
      );
    }
    const option = known[name];
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
      flags.add(name);
      continue;
    }
    if (value === undefined || (!inline && /^--[a-z]/.test(value)))
      throw new UsageError(`${rawName} needs a value`);
    const before = texts.get(name) ?? [];
    if (before.length > 0 && option.repeatable !== true) throw new UsageError(`${rawName} is given twice`);
    texts.set(name, [...before, value]);
  }
  return {
    text: (option) => texts.get(option)?.[0],
    texts: (option) => texts.get(option) ?? [],
    flag: (option) => flags.has(option),
  };
}

/** `: it belongs to run`, for an option that other commands take. */
function takers(option: string): string {
  const names = commands.filter(({ options }) => Object.hasOwn(options, option)).map(({ name }) => name);
  return names.length === 0 ? "" : `: it belongs to ${names.join(" and ")}`;
}

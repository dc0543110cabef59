/** From the words behind an option to its value. Every mistake is one line that says what would be right. */
import { scheduleKinds } from "../engine/checkpoint/kinds.js";
import { DEFAULT_MEMORY_BYTES, DEFAULT_TIMEOUT_MS, type RunOptions } from "../runner/messages.js";
import type { OptionValues } from "./command.js";
import { suggestion, UsageError } from "./usage-error.js";

const dtypes = ["f64", "f32", "f16", "bf16"] as const;
const modes = ["sum", "pairwise", "kahan", "last-writer-wins"];

/** What a command line asks of a run, beside its file: which graph, at which point, computed how. */
export function runOptions(values: OptionValues): RunOptions {
  const given = <K extends string, T>(
    option: string,
    key: K,
    read: (text: string) => T,
  ): { [P in K]?: T } => {
    const text = values.text(option);
    return (text === undefined ? {} : { [key]: read(text) }) as { [P in K]?: T };
  };
  const sets = values.texts("set").map((text) => parseAssignment("--set", text, "--set x=2"));
  const set = recordOf("--set", sets) as NonNullable<RunOptions["set"]>;
  return {
    ...given("graph", "graph", (text) => text),
    ...(sets.length > 0 ? { set } : {}),
    ...given("seed", "seed", parseSeed),
    ...given("schedule", "schedule", (text) => parseSchedule(text)),
    ...given("dtype", "dtype", (text) => parseChoice("--dtype", text, dtypes)),
    ...given("cotangent-dtype", "cotangentDtype", (text) => parseChoice("--cotangent-dtype", text, dtypes)),
    ...given("accumulate", "accumulate", (text) => parseAccumulate("--accumulate", text)),
    ...given("order", "order", parseOrder),
  };
}

/** One of a few words. */
export function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
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

/** A number, or an array of numbers or arrays. */
export type NestedValue = number | readonly NestedValue[];

/** A value as it stands behind `x=`: 2, `1,2,3`, `[1, 2]`, `[[1, 2], [3, 4]]`; `5,` is an array of one. */
export function parseValue(text: string, what: string): NestedValue {
  const trimmed = text.trim();
  if (trimmed === "") throw new UsageError(`${what}: no value after "="`);
  const parts = splitAtCommas(trimmed, what);
  if (parts.length === 1 && !trimmed.startsWith("[")) return parseNumber(trimmed, what);
  const elements = parts.length > 1 ? parts : splitAtCommas(insideOf(trimmed, what), what);
  // a comma behind the last one makes no further element
  if (elements.at(-1)!.trim() === "") elements.pop();
  return elements.map((element) => parseValue(element, what));
}

function insideOf(text: string, what: string): string {
  if (!text.endsWith("]")) throw new UsageError(`${what}: "${text}" goes on behind its bracket`);
  return text.slice(1, -1);
}

/** Parts between the commas that stand in no brackets. */
function splitAtCommas(text: string, what: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "[") depth++;
    else if (text[i] === "]") depth--;
    if (depth < 0) break;
    if (text[i] !== "," || depth > 0) continue;
    parts.push(text.slice(start, i));
    start = i + 1;
  }
  if (depth !== 0) throw new UsageError(`${what}: "${text}" has a bracket without its other`);
  parts.push(text.slice(start));
  return parts;
}

/** One `name=value`, as behind `--set`. */
export function parseAssignment(option: string, text: string, example: string): [string, NestedValue] {
  const equals = text.indexOf("=");
  const name = text.slice(0, Math.max(0, equals)).trim();
  if (name === "")
    throw new UsageError(`${option} ${text}: write ${option} name=value, for example ${example}`);
  return [name, parseValue(text.slice(equals + 1), `${option} ${name}`)];
}

/** Several `name=value` in one text, as behind `--direction x=1,y=0`; `x=1,2,y=0` gives x the array 1, 2. */
export function parseAssignments(option: string, text: string, example: string): Record<string, NestedValue> {
  const pairs: string[] = [];
  for (const part of splitAtCommas(text, option)) {
    if (part.includes("=") || pairs.length === 0) pairs.push(part);
    else pairs[pairs.length - 1] += `,${part}`;
  }
  return recordOf(
    option,
    pairs.map((pair) => parseAssignment(option, pair, example)),
  );
}

function recordOf(
  option: string,
  pairs: readonly (readonly [string, NestedValue])[],
): Record<string, NestedValue> {
  const out: Record<string, NestedValue> = Object.create(null);
  for (const [name, value] of pairs) {
    if (name in out) throw new UsageError(`${option} ${name} is given twice`);
    out[name] = value;
  }
  return { ...out };
}

function parseSeed(text: string): number {
  const seed = parseNumber(text, "--seed");
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new UsageError(`--seed: use an integer from 0 to 2^53 - 1, not ${text}`);
}

/** Knows the names alone; what stands behind the colon is read where the schedule is made. */
export function parseSchedule(text: string, option = "--schedule"): string {
  const words = scheduleKinds.map(({ word }) => word);
  // of coupling layers and of the rest: reversible+revolve:4
  const word = text
    .trim()
    .replace(/^reversible\+/, "")
    .split(":")[0];
  if (words.some((known) => known === word)) return text.trim();
  const forms = scheduleKinds.map(({ form }) => form).join(", ");
  throw new UsageError(`${option}: unknown "${text}"${suggestion(word, words)}; use ${forms}`);
}

/** A mode of accumulation. */
export function parseAccumulate(option: string, text: string): string {
  const colon = text.indexOf(":");
  const family = colon < 0 ? text : text.slice(0, colon);
  parseChoice(option, family, modes);
  if (colon < 0) return text;
  if (family !== "last-writer-wins") throw new UsageError(`${option}: ${family} takes nothing after ":"`);
  if (text.length === colon + 1)
    throw new UsageError(`${option}: a node's name, or "all", is missing after ":"`);
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

/** Milliseconds from seconds, or with a unit: 5, 0.5, 200ms, 2min. */
export function parseTimeout(text: string | undefined): number {
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

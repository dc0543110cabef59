/**
 * What a function of the library takes, and the check that it was given nothing else. A misspelt option or an argument too many
 * would be ignored, and `x.sum(0)` or `x.mean({ dim: 0 })` be a right-looking number that means something else.
 */
import { call } from "../tape/callsite.js";
import { isTensor } from "../tape/tensor.js";
import { isTraced } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { describe } from "./describe.js";
import { optionMeant } from "./slip.js";

export interface Signature {
  readonly name: string;
  /** arguments by position, in front of the options */
  readonly positions: readonly string[];
  /** the last position takes any number of arguments */
  readonly rest: boolean;
  /** names of the options; null: it takes none */
  readonly options: readonly string[] | null;
  /** the first position is a list of numbers, which other libraries take one by one */
  readonly list: boolean;
}

/**
 * Reads a signature: `"x target {reduction axis}"` is two arguments and a record of options, `"equation operands..."` takes
 * any number of operands, `"[shape]"` is a list.
 */
export function signatureOf(name: string, text: string): Signature {
  const [, before, options] = /^([^{]*)(?:\{(.*)\})?$/.exec(text)!;
  const words = before.split(" ").filter((word) => word !== "");
  const positions = words.map((word) => word.replace(/^\[|\]$|\.\.\.$/g, ""));
  return {
    name,
    positions,
    rest: words.at(-1)?.endsWith("...") === true,
    options: options === undefined ? null : options.split(" ").filter((word) => word !== ""),
    list: words[0]?.startsWith("[") === true,
  };
}

/** Options that are true or false wherever they stand, and those that are one number. */
const flags = new Set([
  "keepdims",
  "upper",
  "transpose",
  "unitDiagonal",
  "descending",
  "reverse",
  "causal",
  "training",
  "countIncludePad",
  "probabilities",
]);
const numbers = new Set(["correction", "k", "n", "eps", "delta", "labelSmoothing", "rcond", "groups"]);

/** True for a record of options, as against a number, a list or an array. */
export function isRecord(x: unknown): x is Readonly<Record<string, unknown>> {
  return (
    typeof x === "object" &&
    x !== null &&
    !Array.isArray(x) &&
    !ArrayBuffer.isView(x) &&
    !isTensor(x) &&
    !isTraced(x)
  );
}

function refuse(message: string): never {
  throw new BacksweepError("definition", message, call.site);
}

/** How the option that may have been meant is written. */
function example({ name, options, positions }: Signature, given: unknown): string {
  const before = positions.map((position) => `${position}, `).join("");
  const has = (option: string): boolean => options!.includes(option);
  const written = (option: string, value: string): string => `${name}(${before}{ ${option}: ${value} })`;
  if (typeof given === "string" && has("reduction")) return written("reduction", JSON.stringify(given));
  if (typeof given === "boolean" && has("keepdims")) return written("keepdims", String(given));
  const number = typeof given === "number" ? String(given) : "...";
  if (has("axis") && (typeof given === "number" || Array.isArray(given)))
    return written("axis", Array.isArray(given) ? `[${given.slice(0, 4).join(", ")}]` : number);
  const value = options![0] === "reduction" ? '"sum"' : number;
  return written(options![0], value);
}

/**
 * Checks a record of options: nothing but the names there are, and of the kind they are wherever it is the same.
 *
 * @throws BacksweepError `definition` naming the option, the options there are, and the one that may have been meant
 */
export function checkOptions(signature: Signature, given: unknown): void {
  if (given === undefined) return;
  const { name } = signature;
  const options = signature.options!;
  if (!isRecord(given)) {
    const elementwise =
      name === "max" || name === "min" ? `; ${name}(a, b) is the function of two, element by element` : "";
    refuse(
      `${name}: options are a record, as in ${example(signature, given)}, not ${shown(given)}${elementwise}`,
    );
  }
  for (const option of Object.keys(given)) {
    if (options.includes(option)) {
      checkKind(name, option, given[option]);
      continue;
    }
    const meant = optionMeant(option, options);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    refuse(
      `${name}: there is no option "${option}"${hint}; the option${options.length === 1 ? " is" : "s are"} ${options.join(", ")}`,
    );
  }
}

function shown(given: unknown): string {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  if (isTraced(given)) return "a traced number";
  return isTensor(given) ? "a tensor" : describe(given);
}

function checkKind(name: string, option: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const kind = flags.has(option) ? "boolean" : numbers.has(option) ? "number" : null;
  if (kind === null || typeof value === kind) return;
  refuse(
    `${name}: ${option} must be ${kind === "boolean" ? "true or false" : "a plain number"}, not ${shown(value)}`,
  );
}

/**
 * Checks the arguments of a call: no more of them than the function takes, and options where options are due. What the
 * arguments themselves must be, the function says.
 */
export function checkArguments(signature: Signature, given: readonly unknown[]): void {
  const { positions, options, rest } = signature;
  const most = positions.length;
  if (options !== null) checkOptions(signature, given[most]);
  if (given.length > most && !rest) {
    const takes = options === null ? most : most + 1;
    for (let i = takes; i < given.length; i++) if (given[i] !== undefined) surplus(signature, given);
  }
  for (let i = 0; i < most && i < given.length; i++)
    if (isRecord(given[i]) && !("data" in (given[i] as object))) recordAt(signature, i);
}

/** More arguments than there is a meaning for. */
function surplus({ name, positions, options, list }: Signature, given: readonly unknown[]): never {
  const takes = [...positions, ...(options === null ? [] : [`{ ${options.join(", ")} }`])];
  const count = takes.length === 0 ? "no argument" : `${takes.length} (${takes.join(", ")})`;
  const asList =
    list && given.every((x) => typeof x === "number") ? `: write ${name}([${given.join(", ")}])` : "";
  refuse(`${name} takes ${count}, and ${given.length} were given${asList}`);
}

/** Options where an argument is due. */
function recordAt({ name, positions, options }: Signature, at: number): never {
  const takes = [...positions, ...(options === null ? [] : ["options"])].join(", ");
  refuse(`${name}(${takes}): ${positions[at]} is an argument by itself, not a record`);
}

/** A function with the check in front of it. */
export function checked<F extends (...given: never[]) => unknown>(signature: Signature, fn: F): F {
  const made = (...given: Parameters<F>): unknown => {
    checkArguments(signature, given);
    return fn(...given);
  };
  Object.defineProperty(made, "name", { value: signature.name });
  return made as F;
}

/**
 * Checks the options of a function whose other arguments are its own matter.
 *
 * @param usage how it is called with options, for whoever gives no record
 */
export function onlyOptions(name: string, options: readonly string[], given: unknown, usage: string): void {
  if (given === undefined) return;
  if (!isRecord(given)) refuse(`${name}: options are a record, as in ${usage}, not ${shown(given)}`);
  checkOptions({ name, positions: [], rest: false, options, list: false }, given);
}

/**
 * True where a call has the arguments that `map` of a list gives its function: an element, its index, the list.
 *
 * @param given all arguments of the call
 */
export function isMapped(given: readonly unknown[]): boolean {
  const [element, index, list] = given;
  if (given.length !== 3 || typeof index !== "number") return false;
  if (!Array.isArray(list) && !(ArrayBuffer.isView(list) && !(list instanceof DataView))) return false;
  return Object.is((list as ArrayLike<unknown>)[index], element);
}

/**
 * Refuses more than two arguments of a function whose second has a default: given to `map`, it would take the index for it.
 *
 * @param usage how it is called: `leakyRelu(x, slope)`
 * @param given all arguments of the call
 */
export function notMapped(usage: string, given: readonly unknown[]): void {
  const [, name, first, second] = /^(\w+)\((\w+), (\w+)\)$/.exec(usage)!;
  if (isMapped(given))
    refuse(
      `${usage}: map hands over the index as well, and it would be the ${second}; write list.map((${first}) => ${name}(${first}))`,
    );
  noMore(usage, given.slice(2));
}

/**
 * Refuses a function of three that `map` was given: the index and the list would be its second and third.
 *
 * @param usage how it is called: `clip(x, low, high)`
 */
export function notMappedOfThree(usage: string, a: unknown, b: unknown, c: unknown): void {
  if (typeof c === "object" && isMapped([a, b, c]))
    refuse(`${usage}: map hands over the index and the list as well; write list.map((x) => ...)`);
}

/** Refuses anything but a node's name or id, or undefined for all inputs: `expression(graph, { x: 3 })`. */
export function nameOrNothing(usage: string, node: unknown): void {
  if (node !== undefined && typeof node !== "string")
    refuse(`${usage}: node is the name or id of a node, or undefined for every input, not ${shown(node)}`);
}

/** Refuses arguments behind the last that a function takes: `gradient(f, at)`. */
export function noMore(usage: string, given: readonly unknown[]): void {
  if (given.length > 0 && given.some((x) => x !== undefined))
    refuse(`${usage}: ${given.length === 1 ? "an argument" : `${given.length} arguments`} too many`);
}

/** Graph definitions: what a user's module exports, and how its argument and result are made of numbers. */
import { activeRecorder } from "../ops/active.js";
import { call } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";
import { fromNested } from "../tape/ndarray.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import type { Dtype } from "../trace/trace.js";
import { noMore, onlyOptions } from "./arguments.js";
import { describe } from "./describe.js";
import { tellPlainBranches } from "./warnings.js";

export { describe } from "./describe.js";

/**
 * An input's value: a number; a plain array of numbers, whose elements are traced one by one; or an n-d array (a typed
 * array, nested arrays, a plain tensor), which is one node.
 */
export type InputValue = number | readonly number[] | ArrayInput;
/** What becomes a `Tensor`. */
export type ArrayInput = Float64Array | Float32Array | readonly NestedRow[] | Tensor;
export type NestedRow = readonly number[] | readonly NestedRow[];
export type Inputs = Readonly<Record<string, InputValue>>;

/** What the graph function receives: traced scalars typed as the numbers they stand for. */
export type Traced<I extends Inputs> = {
  [K in keyof I]: Like<I[K]>;
};

/** What a value of this type is inside the graph function. */
export type Like<V> = V extends number ? number : V extends readonly number[] ? number[] : Tensor;

/** What a graph function may return: one number or tensor, an array of numbers, or a record of numbers and tensors. */
export type GraphOutput =
  number | Tensor | readonly (number | Tensor)[] | Readonly<Record<string, number | Tensor>>;

/** Seeds of outputs: as the outputs are, numbers for numbers and arrays for tensors. */
export type OutputCotangent =
  | number
  | ArrayInput
  | readonly (number | ArrayInput)[]
  | Readonly<Record<string, number | readonly number[] | ArrayInput>>;

/** Options of a definition; the command line's win over them. */
export interface GraphOptions {
  readonly dtype?: Dtype;
  readonly cotangentDtype?: Dtype;
  /** "sum", "pairwise", "kahan", "last-writer-wins", "last-writer-wins:all", "last-writer-wins:NAME" */
  readonly accumulate?: string;
  /** seed of the graph's own random stream, an integer */
  readonly seed?: number;
  readonly schedule?: string;
  /** seed of the reverse sweep: a number or array for one output, else by index or key; default 1 everywhere */
  readonly cotangent?: OutputCotangent;
}

const graphOptions = ["dtype", "cotangentDtype", "accumulate", "seed", "schedule", "cotangent"];

export interface GraphDefinition<I extends Inputs = Inputs> {
  readonly kind: "backsweep.graph";
  readonly inputs: I;
  readonly fn: (inputs: Traced<I>) => GraphOutput;
  readonly options: GraphOptions;
  /** site of the `graph(...)` call, -1 outside the loader */
  readonly site: number;
  /** the values are given with their local derivatives (`tape([...])`), so inputs cannot be set */
  readonly given?: true;
  /** what is wrong with it, where that is kept until it is asked for: it cannot be used */
  readonly wrong?: BacksweepError;
}

/** A module is being loaded, and what is wrong with one definition is no reason to leave out the others. */
let keepsWrong = false;

/** Says whether a definition that is wrong throws at once (as in a program, the default) or when it is asked for. */
export function keepWrongDefinitions(keep: boolean): void {
  keepsWrong = keep;
}

/** What `make` defines; where it is wrong, and that is kept, a definition that throws the same whatever is asked of it. */
export function definedOrWrong(site: number, make: () => GraphDefinition): GraphDefinition {
  if (!keepsWrong || activeRecorder() !== null) return make();
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BacksweepError)) throw error;
    const fn = (): never => {
      throw error;
    };
    return Object.freeze({
      kind: "backsweep.graph" as const,
      inputs: {},
      fn,
      options: {},
      site,
      wrong: error,
    });
  }
}

/**
 * Defines a graph: inputs by name with the values it is evaluated at, and the function that computes the output.
 *
 * @param inputs scalars, or plain number arrays
 * @param fn plain arithmetic on the inputs; runs when a sweep is asked for, not now
 * @throws BacksweepError `definition` when an input is no number, `fn` is async or a generator, or an option is none
 */
export function graph<const I extends Inputs>(
  inputs: I,
  fn: (inputs: Traced<I>) => GraphOutput,
  options: GraphOptions = {},
  ...surplus: never[]
): GraphDefinition<I> {
  const { site } = call;
  tellPlainBranches(fn);
  const make = (): GraphDefinition<I> => {
    onlyOptions("graph", graphOptions, options, 'graph(inputs, fn, { dtype: "f32" })');
    noMore("graph(inputs, fn, options)", surplus);
    return defined(inputs, fn, options, site);
  };
  if (!keepsWrong) return make();
  return definedOrWrong(site, () => make() as unknown as GraphDefinition) as unknown as GraphDefinition<I>;
}

/** The same without a look at the function: for one of ours around a user's. */
export function defined<I extends Inputs>(
  inputs: I,
  fn: (inputs: Traced<I>) => GraphOutput,
  options: GraphOptions,
  site: number,
): GraphDefinition<I> {
  if (typeof fn !== "function") {
    throw new BacksweepError("definition", "graph(inputs, fn): the second argument must be a function", site);
  }
  const tag = Object.prototype.toString.call(fn);
  if (tag === "[object AsyncFunction]" || tag === "[object AsyncGeneratorFunction]") {
    throw new BacksweepError(
      "definition",
      "an async function cannot be a graph: a reverse sweep needs its result now",
      site,
    );
  }
  if (tag === "[object GeneratorFunction]") {
    throw new BacksweepError(
      "definition",
      "a generator function cannot be a graph: return the output instead",
      site,
    );
  }
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
    throw new BacksweepError(
      "definition",
      "graph(inputs, fn): inputs must be an object such as { x: 2, y: 3 }",
      site,
    );
  }
  for (const [name, value] of Object.entries(inputs)) checkInput(name, value, site);
  return Object.freeze({ kind: "backsweep.graph" as const, inputs, fn, options, site });
}

function checkInput(name: string, value: unknown, site: number): void {
  if (typeof value === "number" || isFloatArray(value)) return;
  if (isTensor(value)) {
    if (Tensor.tape(value) === null) return;
    throw new BacksweepError("definition", `input "${name}" is a traced tensor of another graph`, site);
  }
  if (Array.isArray(value)) {
    const odd = value.findIndex((element) => typeof element !== "number");
    if (odd < 0) return;
    if (!Array.isArray(value[odd])) {
      throw new BacksweepError(
        "definition",
        `input "${name}[${odd}]" is ${describe(value[odd])}, not a number`,
        site,
      );
    }
    try {
      fromNested(value);
    } catch (error) {
      const { message } = error as Error;
      const where = message.startsWith("[") ? `input ${name}${message}` : `input "${name}": ${message}`;
      throw new BacksweepError("definition", where, site);
    }
    return;
  }
  throw new BacksweepError(
    "definition",
    `input "${name}" is ${describe(value)}: use a number, an array of numbers, nested arrays or a Float64Array`,
    site,
  );
}

/** A typed array of floating-point numbers: an input of one axis. */
export function isFloatArray(value: unknown): value is Float64Array | Float32Array {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Float64Array]" || tag === "[object Float32Array]";
}

/** True for what `graph(...)` returns. */
export function isGraph(value: unknown): value is GraphDefinition {
  return (
    typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "backsweep.graph"
  );
}

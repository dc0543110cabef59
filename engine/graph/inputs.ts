/** Makes the graph function's argument: traced scalars, arrays of traced scalars, tensors. */
import type { Recorder } from "../ops/recorder.js";
import { inputArray } from "../ops/array/recorder.js";
import { sameShape, shapeText, toNested, type NDArray } from "../tape/ndarray.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import type { TracedNumber } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";
import { plainArray } from "./array-calls.js";
import { isFloatArray, type GraphDefinition, type InputValue } from "./definition.js";

export interface MadeInputs {
  readonly argument: Readonly<Record<string, TracedNumber | TracedNumber[] | Tensor>>;
  readonly infos: readonly InputInfo[];
}

export function makeInputs(
  recorder: Recorder,
  definition: GraphDefinition,
  set: Readonly<Record<string, InputValue>>,
): MadeInputs {
  const known = Object.keys(definition.inputs);
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(definition.inputs, name)) {
      const whole = /^(.*?)\s*\[/.exec(name)?.[1] ?? "";
      if (Object.hasOwn(definition.inputs, whole)) throw setWhole(name, whole, definition.inputs[whole]);
      throw new BacksweepError(
        "option",
        `there is no input "${name}"; inputs are ${known.join(", ") || "none"}`,
      );
    }
  }
  if (definition.given === true && Object.keys(set).length > 0) {
    throw new BacksweepError("option", "the values of a tape([...]) are given, its inputs cannot be set");
  }
  const argument: Record<string, TracedNumber | TracedNumber[] | Tensor> = Object.create(null);
  const infos: InputInfo[] = [];
  for (const name of known) {
    const given = definition.inputs[name];
    const value = Object.hasOwn(set, name) ? set[name] : given;
    const tensor = isArrayInput(given);
    const first = recorder.length;
    if (tensor) {
      const array = arrayInput(name, value, arrayOf(given, name, definition.site));
      argument[name] = inputArray(recorder, name, array, definition.site);
      infos.push({ name, first, count: 1, shape: array.shape, tensor: true });
      continue;
    }
    if (typeof given === "number") {
      if (typeof value !== "number")
        throw new BacksweepError("option", `the input "${name}" takes one number`);
      argument[name] = recorder.input(name, value, definition.site);
      infos.push({ name, first, count: 1, shape: [] });
    } else {
      if (!isList(value)) {
        const wanted = `an array of ${(given as readonly number[]).length} numbers`;
        throw new BacksweepError("option", `the input "${name}" takes ${wanted}`);
      }
      argument[name] = recorder.inputList(name, value, definition.site);
      infos.push({ name, first, count: value.length, shape: [value.length] });
    }
  }
  return { argument: guarded(recorder, argument, known), infos };
}

/** An element by itself cannot be set: what to write instead, with the values there are where they are few. */
function setWhole(name: string, whole: string, given: InputValue): BacksweepError {
  if (typeof given === "number")
    return new BacksweepError("option", `the input "${whole}" is a number: write ${whole}=..., not ${name}`);
  const { shape, data } = arrayOf(given, whole, -1);
  const values = data.length > MOST_VALUES ? null : toNested({ shape, data });
  const text =
    values === null ? "..." : shape.length === 1 ? Array.from(data).join(",") : JSON.stringify(values);
  return new BacksweepError(
    "option",
    `"${name}" is one element, and an input is set as a whole: write ${whole}=${text} with that element changed`,
  );
}

/** Values written out in a message at most. */
const MOST_VALUES = 12;
/** Names shown in a message at most. */
const MOST_NAMED = 3;

/**
 * The record with what goes wrong most often told in its own words: taken for a number itself, or asked for an input that
 * there is none of. Whoever asks for numbers alone gets the plain record of the second.
 */
function guarded(
  recorder: Recorder,
  argument: MadeInputs["argument"],
  known: readonly string[],
): MadeInputs["argument"] {
  const names = known.slice(0, MOST_NAMED).join(", ") + (known.length > MOST_NAMED ? ", ..." : "");
  Object.defineProperty(argument, Symbol.toPrimitive, {
    value: () => {
      throw new TypeError(
        `the graph function is given a record of the inputs, not a number: write ({ ${names} }) => ... for its parameter`,
      );
    },
  });
  if (recorder.bare) return argument;
  return new Proxy(argument, {
    get(target, key, receiver) {
      if (typeof key === "string" && !(key in target)) recorder.unknownInputs.add(key);
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
}

/**
 * A plain array of numbers, whose elements are inputs one by one. In a loop, because methods of arrays are those of the
 * realm, which ask about traced numbers, and a list may have a hundred thousand elements.
 */
function isList(value: unknown): value is readonly number[] {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (typeof value[i] !== "number") return false;
  return true;
}

function hasLists(value: readonly unknown[]): boolean {
  for (let i = 0; i < value.length; i++) if (Array.isArray(value[i])) return true;
  return false;
}

/** True for what becomes a tensor: typed arrays, nested arrays, plain tensors. */
export function isArrayInput(value: unknown): boolean {
  return isTensor(value) || isFloatArray(value) || (Array.isArray(value) && hasLists(value));
}

/** The elements of an input value that is an array as a whole. */
export function arrayOf(value: unknown, name: string, site: number): NDArray {
  return isTensor(value) ? Tensor.value(value) : plainArray(value, `input "${name}"`, site);
}

/** What was given for an array. It stands on a command line or in a query, not at the definition: no place. */
function givenArray(value: unknown, name: string): NDArray {
  try {
    return arrayOf(value, name, -1);
  } catch (error) {
    throw error instanceof BacksweepError ? new BacksweepError("option", error.message) : error;
  }
}

/** The value an array input is evaluated at: of the shape it was defined with. */
function arrayInput(name: string, value: unknown, defined: NDArray): NDArray {
  if (typeof value === "number")
    throw new BacksweepError(
      "option",
      `the input "${name}" takes an array of shape ${shapeText(defined.shape)}`,
    );
  const array = givenArray(value, name);
  if (!sameShape(array.shape, defined.shape)) {
    throw new BacksweepError(
      "option",
      `the input "${name}" has the shape ${shapeText(defined.shape)}, ${shapeText(array.shape)} given`,
    );
  }
  return array;
}

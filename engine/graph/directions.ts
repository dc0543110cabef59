/** Input tangents by name, as a query takes them, to tangents by node or by element; and back. */
import type { GradientValue } from "../report/report.js";
import type { Port } from "../sweep/jacobian-mixed.js";
import { sameShape, shapeText, sizeOf, type NDArray } from "../tape/ndarray.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";
import { nest } from "./entries.js";
import { describe } from "./definition.js";
import { arrayOf } from "./inputs.js";

/** Tangents of some inputs, each of the input's shape; a missing input has tangent 0. */
export type Direction = Readonly<Record<string, unknown>>;

const plainNumber = (x: unknown): x is number => typeof x === "number";

/** Inputs a direction names. Throws `option` naming an unknown one and those there are. */
export function namedInputs(
  direction: Direction,
  inputs: readonly InputInfo[],
  who: string,
): (readonly [info: InputInfo, given: unknown])[] {
  if (typeof direction !== "object" || direction === null) {
    throw new BacksweepError(
      "option",
      `${who}: the direction is ${describe(direction)}, not numbers by input name`,
    );
  }
  return Object.entries(direction).map(([name, given]) => {
    const info = inputs.find((input) => input.name === name);
    if (info !== undefined) return [info, given];
    const names = inputs.map((input) => input.name).join(", ");
    throw new BacksweepError("option", `${who}: there is no input "${name}"; inputs are ${names || "none"}`);
  });
}

/**
 * The tangents of an input whose elements are nodes of their own: one for a scalar, else one an element.
 *
 * @param isNumber what counts as a number: plain ones, unless traced ones are allowed too
 */
export function numbersOf<T = number>(
  given: unknown,
  { name, shape, count }: InputInfo,
  who: string,
  isNumber: (x: unknown) => x is T = plainNumber as (x: unknown) => x is T,
): T[] {
  const scalar = shape.length === 0;
  const list: readonly unknown[] = isNumber(given) ? [given] : Array.isArray(given) ? given : [];
  if (isNumber(given) !== scalar || list.length !== count) {
    const wanted = scalar ? "one number" : `an array of ${count} number${count === 1 ? "" : "s"}`;
    throw new BacksweepError("option", `${who}: the direction of "${name}" must be ${wanted}`);
  }
  return list.map((t, i) => {
    if (isNumber(t)) return t;
    throw new BacksweepError("option", `${who}: the direction of "${name}[${i}]" is ${describe(t)}`);
  });
}

/** Throws `option` where the direction of an n-d array has another shape than the array. */
export function checkShape(found: readonly number[], { name, shape }: InputInfo, who: string): void {
  if (sameShape(found, shape)) return;
  throw new BacksweepError(
    "option",
    `${who}: the direction of "${name}" must have the shape ${shapeText(shape)}, not ${shapeText(found)}`,
  );
}

/**
 * The tangent of every element of the inputs, in order; 0 for inputs that are not given.
 *
 * @param who what asks, for messages: "jvp"
 * @throws BacksweepError `option` naming an unknown input, or a tangent of another shape than its input
 */
export function directionOf(direction: Direction, inputs: readonly InputInfo[], who: string): Float64Array {
  const out = new Float64Array(inputSize(inputs));
  for (const [info, given] of namedInputs(direction, inputs, who))
    out.set(elementsOf(given, info, who), offsetOf(inputs, info));
  return out;
}

function elementsOf(given: unknown, info: InputInfo, who: string): ArrayLike<number> {
  if (info.tensor !== true) return numbersOf(given, info, who);
  if (typeof given !== "object" || given === null) {
    throw new BacksweepError(
      "option",
      `${who}: the direction of "${info.name}" is ${describe(given)}, not an array of shape ${shapeText(info.shape)}`,
    );
  }
  const { shape, data } = arrayOf(given, info.name, -1);
  checkShape(shape, info, who);
  return data;
}

/** Elements of one input. */
export function elementCount({ tensor, shape, count }: InputInfo): number {
  return tensor === true ? sizeOf(shape) : count;
}

/** Elements of all inputs together. */
export function inputSize(inputs: readonly InputInfo[]): number {
  return inputs.reduce((sum, input) => sum + elementCount(input), 0);
}

function offsetOf(inputs: readonly InputInfo[], info: InputInfo): number {
  return inputSize(inputs.slice(0, inputs.indexOf(info)));
}

/** Every input number or array as a node with a shape. */
export function inputPorts(inputs: readonly InputInfo[]): Port[] {
  return inputs.flatMap(({ first, count, shape, tensor }) =>
    tensor === true
      ? [{ node: first, shape }]
      : Array.from({ length: count }, (_, i) => ({ node: first + i, shape: [] })),
  );
}

/** A vector over the elements of the ports as one array a node; nodes whose elements are all 0 are left out. */
export function byNode(vector: Float64Array, ports: readonly Port[]): Map<number, NDArray> {
  const out = new Map<number, NDArray>();
  let at = 0;
  for (const { node, shape } of ports) {
    const data = vector.slice(at, (at += sizeOf(shape)));
    if (data.some((x) => x !== 0)) out.set(node, { shape, data });
  }
  return out;
}

/** A column over all elements of the inputs, as a record by input name. */
export function byInput(
  inputs: readonly InputInfo[],
  at: (index: number) => number,
): Record<string, GradientValue> {
  return inShapes(inputs, (index) => at(index)) as Record<string, GradientValue>;
}

/** One thing an element of the inputs, nested in the inputs' shapes, by input name. */
export function inShapes<T>(inputs: readonly InputInfo[], at: (index: number) => T): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  let index = 0;
  for (const { name, shape } of inputs) {
    const start = index;
    if (shape.length === 1) {
      const list = new Array<T>(shape[0]);
      for (let i = 0; i < list.length; i++) list[i] = at(start + i);
      out[name] = list;
    } else out[name] = nest(shape, (i) => at(start + i));
    index += sizeOf(shape);
  }
  return { ...out };
}

/** Node ids of all input numbers, in order. */
export function inputNodes(inputs: readonly InputInfo[]): number[] {
  const out: number[] = [];
  for (const { first, count, tensor } of inputs) {
    const end = first + (tensor === true ? 1 : count);
    for (let node = first; node < end; node++) out.push(node);
  }
  return out;
}

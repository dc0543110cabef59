/** Reading integer parameters: lists of indices, counts, widths. Messages name the index, the axis and the shape. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import { ShapeError } from "./row.js";

export interface Indices {
  readonly shape: Shape;
  /** from 0, in range */
  readonly data: Int32Array;
}

/** True for an integer. */
export const isInteger = (x: unknown): x is number => typeof x === "number" && Number.isInteger(x);

/**
 * An array of integers: a number, nested lists, a typed array, or a shape with its elements, which is the fastest to read
 * for a large one.
 */
export function integersOf(name: string, what: string, given: unknown): Indices {
  const { shape, data: elements } = elementsOf(name, what, given);
  const data = new Int32Array(elements.length);
  for (let i = 0; i < data.length; i++) {
    const element = elements[i];
    data[i] = element as number;
    if (data[i] !== element)
      throw new ShapeError(`${name}: ${what} must hold integers, not ${String(element)}`);
  }
  return { shape, data };
}

interface Elements {
  readonly shape: Shape;
  readonly data: ArrayLike<unknown>;
}

function elementsOf(name: string, what: string, given: unknown): Elements {
  if (typeof given === "number") return { shape: [], data: [given] };
  if (ArrayBuffer.isView(given)) {
    const data = given as unknown as ArrayLike<unknown>;
    return { shape: [data.length], data };
  }
  if (Array.isArray(given)) return nestedElements(name, what, given);
  const whole = given as Partial<Elements> | null | undefined;
  if (Array.isArray(whole?.shape) && whole.data !== undefined && sizeOf(whole.shape) === whole.data.length)
    return { shape: whole.shape, data: whole.data };
  throw new ShapeError(`${name}: ${what} must be an array of integers, not ${String(given)}`);
}

/** Elements of nested lists, which must be equally long on every level. */
function nestedElements(name: string, what: string, given: readonly unknown[]): Elements {
  let level: readonly unknown[] = [given];
  const shape: number[] = [];
  while (level.length > 0 && Array.isArray(level[0])) {
    const { length } = level[0];
    shape.push(length);
    const elements: unknown[] = [];
    for (const list of level) {
      if (!Array.isArray(list) || list.length !== length) {
        const found = Array.isArray(list) ? `a list of ${list.length}` : String(list);
        throw new ShapeError(
          `${name}: ${what} must be an array of integers: where lists of ${length} stand there is also ${found}`,
        );
      }
      // a loop: flat() takes ten times as long
      for (let i = 0; i < length; i++) elements.push(list[i]);
    }
    level = elements;
  }
  return { shape, data: level };
}

/** Indices into one axis; negative ones count from the end. */
export function indicesOf(name: string, given: unknown, shape: Shape, axis: number): Indices {
  const { shape: own, data } = integersOf(name, "index", given);
  const length = shape[axis];
  for (let i = 0; i < data.length; i++) {
    if (data[i] < -length || data[i] >= length)
      throw new ShapeError(
        `${name}: index ${data[i]} is out of range for axis ${axis} (length ${length}) of the shape ${shapeText(shape)}`,
      );
    if (data[i] < 0) data[i] += length;
  }
  return { shape: own, data };
}

/** A list of integers, one number standing for a list of one. */
export function integerList(name: string, what: string, given: unknown): number[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((one) => {
    if (isInteger(one)) return one;
    throw new ShapeError(`${name}: ${what} must be an integer or a list of integers, not ${String(one)}`);
  });
}

/** A list of counts: integers of at least 0. */
export function countList(name: string, what: string, given: unknown): number[] {
  const list = integerList(name, what, given);
  for (const count of list)
    if (count < 0) throw new ShapeError(`${name}: ${what} must not be negative, as ${count} is`);
  return list;
}

/** An integer parameter; absent: the default. */
export function integerOf(name: string, what: string, given: unknown, absent: number): number {
  if (given === undefined || given === null) return absent;
  if (!isInteger(given)) throw new ShapeError(`${name}: ${what} must be an integer, not ${String(given)}`);
  return given;
}

/** Checks that an operand has one of these ranks. */
export function wantRank(name: string, shape: Shape, least: number, most = Infinity): void {
  if (shape.length >= least && shape.length <= most) return;
  const ranks = most === Infinity ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
  const axes = ranks === "1" || ranks === "at least 1" ? "axis" : "axes";
  throw new ShapeError(
    `${name}: an array of ${ranks} ${axes} was expected, not one of shape ${shapeText(shape)}`,
  );
}

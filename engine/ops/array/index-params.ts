/** Reading integer parameters: lists of indices, counts, widths. Messages name the index, the axis and the shape. */
import { fromNested, shapeText, type Shape } from "../../tape/ndarray.js";
import { ShapeError } from "./row.js";

export interface Indices {
  readonly shape: Shape;
  /** from 0, in range */
  readonly data: Int32Array;
}

/** True for an integer. */
export const isInteger = (x: unknown): x is number => typeof x === "number" && Number.isInteger(x);

/** An array of integers: a number, nested lists or a typed array. */
export function integersOf(name: string, what: string, given: unknown): Indices {
  const nested = ArrayBuffer.isView(given) ? Array.from(given as unknown as Iterable<number>) : given;
  let read;
  try {
    read = fromNested(nested);
  } catch (error) {
    throw new ShapeError(`${name}: ${what} must be an array of integers: ${(error as Error).message}`);
  }
  const data = new Int32Array(read.data.length);
  for (let i = 0; i < data.length; i++) {
    data[i] = read.data[i];
    if (data[i] !== read.data[i])
      throw new ShapeError(`${name}: ${what} must hold integers, not ${read.data[i]}`);
  }
  return { shape: read.shape, data };
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

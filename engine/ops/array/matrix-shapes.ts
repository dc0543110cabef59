/** What operations on matrices ask of a shape: the last two axes hold the matrices, those before them count them. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { identityOf } from "./linalg/lu.js";
import { wantRank } from "./index-params.js";
import { ShapeError } from "./row.js";

/** Side of square matrices. Throws ShapeError naming the shape if they are not. */
export function squareOf(name: string, shape: Shape): number {
  wantRank(name, shape, 2);
  const [m, n] = shape.slice(-2);
  if (m !== n) throw new ShapeError(`${name}: square matrices are needed, not the shape ${shapeText(shape)}`);
  return n;
}

/** Number of matrices. */
export const countOf = (shape: Shape): number => sizeOf(shape.slice(0, -2));

/** Last two axes swapped. */
export function swapped<T>(k: Algebra<T>, x: T): T {
  const rank = k.shape(x).length;
  return k.transpose(x, [...Array.from({ length: rank - 2 }, (_, axis) => axis), rank - 1, rank - 2]);
}

/** (x + xᵀ) / 2. */
export function symmetric<T>(k: Algebra<T>, x: T): T {
  return k.scale(k.add(x, swapped(k, x)), 0.5);
}

/** Numbers, one for each matrix, repeated to its elements. */
export function perMatrix<T>(k: Algebra<T>, x: T): T {
  return k.reshape(x, [...k.shape(x), 1, 1]);
}

/** The identity, n x n. */
export function identity<T>(k: Algebra<T>, n: number): T {
  return k.constant({ shape: [n, n], data: identityOf(n) });
}

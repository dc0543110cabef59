/**
 * What a place of the view holds: a number or a whole array. `values.mean` of an array is the mean of its elements, which
 * is not its value; everything that is shown is read through here, so that the one cannot be taken for the other.
 */
import { arrayAt, summaryOf, type ArraySummary } from "../trace/arrays.js";
import type { Trace } from "../trace/trace.js";
import type { Timeline } from "../timeline/timeline.js";

export interface ArrayQuantity extends ArraySummary {
  readonly mean: number;
}

/** A sum of arrays of which only the first elements are kept: its shape is known, its elements are not. */
export interface UnknownArray {
  readonly shape: readonly number[];
  readonly size: number;
  readonly unknown: true;
}

export type AnyArray = ArrayQuantity | UnknownArray;
export type Quantity = number | AnyArray;

export function isArray(quantity: Quantity | undefined): quantity is AnyArray {
  return typeof quantity === "object";
}

export function isKnown(array: AnyArray): array is ArrayQuantity {
  return !("unknown" in array);
}

/** True where every element is at hand, not only the first. */
export function isWhole(array: AnyArray): array is ArrayQuantity {
  return isKnown(array) && array.data.length === array.size;
}

/** What a values row stands for; undefined for -1 ("none"). An array of rank 0 is its one number. */
export function quantityAt(trace: Trace, row: number): Quantity | undefined {
  if (row < 0) return undefined;
  const mean = trace.values.mean[row];
  const array = arrayAt(trace, row);
  return array === null || array.shape.length === 0 ? mean : { ...array, mean };
}

/** The node's primal. */
export function primal(trace: Trace, node: number): Quantity {
  return quantityAt(trace, trace.nodes.value[node])!;
}

/** The node's final cotangent, undefined where the sweep never reaches it. */
export function cotangent(timeline: Timeline, node: number): Quantity | undefined {
  return quantityAt(timeline.trace, timeline.cotangentRow(node));
}

/** The contribution along an edge, undefined if none flows. */
export function contribution(timeline: Timeline, edge: number): Quantity | undefined {
  return quantityAt(timeline.trace, timeline.contributionRow(edge));
}

/** The seed of an output, undefined for a node that is not seeded (yet). */
export function seed(timeline: Timeline, node: number, position?: number): Quantity | undefined {
  if (timeline.seed(node, position) === undefined) return undefined;
  return quantityAt(timeline.trace, timeline.seedRow(node));
}

/**
 * The sum in the order given, of arrays element by element; undefined without terms. Unknown where not all elements of
 * all terms are at hand, or where they do not fit.
 */
export function sumOf(terms: readonly Quantity[]): Quantity | undefined {
  if (terms.length < 2) return terms[0];
  const array = terms.find(isArray);
  if (array === undefined) return (terms as readonly number[]).reduce((sum, term) => sum + term);
  const { shape, size } = array;
  const data = new Float64Array(size);
  for (const [i, term] of terms.entries()) {
    if (!isArray(term) || !isWhole(term) || !sameShape(term, array)) return { shape, size, unknown: true };
    for (let at = 0; at < size; at++) data[at] = i === 0 ? term.data[at] : data[at] + term.data[at];
  }
  return arrayOf(shape, data);
}

/** An array given whole. */
export function arrayOf(shape: readonly number[], data: Float64Array): ArrayQuantity {
  return { ...summaryOf(shape, data), mean: data.reduce((sum, x) => sum + x, 0) / data.length };
}

function sameShape(a: AnyArray, b: AnyArray): boolean {
  return a.shape.length === b.shape.length && a.shape.every((length, axis) => length === b.shape[axis]);
}

/** The same to the last bit, as far as it is kept. An unknown array is like no other. */
export function same(a: Quantity | undefined, b: Quantity | undefined): boolean {
  if (!isArray(a) || !isArray(b)) return Object.is(a, b);
  if (!isKnown(a) || !isKnown(b) || !sameShape(a, b)) return false;
  for (const key of ["norm", "min", "max", "mean", "nonfinite"] as const)
    if (!Object.is(a[key], b[key])) return false;
  return a.data.length === b.data.length && a.data.every((x, i) => Object.is(x, b.data[i]));
}

/** |x| of a number, the norm of an array; 0 for none, NaN where it is unknown. */
export function magnitude(quantity: Quantity | undefined): number {
  if (quantity === undefined) return 0;
  if (!isArray(quantity)) return Math.abs(quantity);
  return isKnown(quantity) ? quantity.norm : NaN;
}

/** Sum of the elements' magnitudes; 0 for none, NaN where not all elements are at hand. */
export function elementSum(quantity: Quantity | undefined): number {
  if (!isArray(quantity)) return magnitude(quantity);
  return isWhole(quantity) ? quantity.data.reduce((sum, x) => sum + Math.abs(x), 0) : NaN;
}

/**
 * What was seen of an audited engine's sweep, and whether what a view would write as an equation is one. Of a sweep that
 * was computed here every sum is the sum of its parts, up to rounding in the format of its cotangents.
 */
import { Fate, type Dtype, type Trace } from "../trace/trace.js";
import { isArray, isWhole, quantityAt, sumOf, type Quantity } from "./quantity.js";

/** What became of the contribution along an edge. */
export function fateOf({ seen }: Trace, edge: number): Fate {
  return (seen?.fate[edge] ?? Fate.kept) as Fate;
}

/** What an engine paid along an edge, in order; empty where that was not watched. */
export function paymentsOf(trace: Trace, edge: number): Quantity[] {
  const { seen } = trace;
  if (seen === undefined) return [];
  return Array.from(seen.row.subarray(seen.start[edge], seen.start[edge + 1]), (row) =>
    quantityAt(trace, row)!,
  );
}

/** What stood in a node's slot before the sweep; undefined: nothing. */
export function leftoverOf(trace: Trace, node: number): Quantity | undefined {
  return quantityAt(trace, trace.seen?.leftover[node] ?? -1);
}

/** Unit roundoff by format (Higham, Accuracy and Stability of Numerical Algorithms, 2002, table 2.1). */
const unit: Readonly<Record<Dtype, number>> = { f64: 2 ** -53, f32: 2 ** -24, f16: 2 ** -11, bf16: 2 ** -8 };

/**
 * True where a sum of numbers, or of arrays element by element, is what the terms come to: |error| <= n u sum of |terms|
 * whatever the order (Higham 2002, section 4.2). True as well where that cannot be known, because elements are not kept.
 */
export function addsUp(trace: Trace, terms: readonly Quantity[], sum: Quantity): boolean {
  const exact = sumOf(terms);
  if (exact === undefined) return true;
  const allowed = allowance(trace, terms.length);
  if (!isArray(sum) || !isArray(exact)) {
    if (isArray(sum) || isArray(exact)) return false;
    return allowed(
      exact,
      sum,
      (terms as readonly number[]).reduce((a, b) => a + Math.abs(b), 0),
    );
  }
  if (!isWhole(sum) || !isWhole(exact)) return true;
  const size = new Float64Array(exact.size);
  for (const term of terms)
    if (isArray(term) && isWhole(term)) term.data.forEach((x, i) => (size[i] += Math.abs(x)));
  return sum.data.length === size.length && sum.data.every((x, i) => allowed(exact.data[i], x, size[i]));
}

/** Of an engine that is watched the terms are differences of what was read, in whatever format it computes. */
const WATCHED = 1e-6;
/** the smallest steps of the narrow formats, below which relative errors mean nothing */
const TINY = 1e-7;

function allowance(
  { seen, header }: Trace,
  count: number,
): (exact: number, sum: number, size: number) => boolean {
  const { cotangentDtype } = header.options;
  const narrow = seen === undefined && cotangentDtype !== "f64";
  const relative = seen === undefined ? (count + 2) * unit[cotangentDtype] : WATCHED;
  return (exact, sum, size) => {
    // a narrow format overflows earlier than the numbers it is shown in
    if (!Number.isFinite(exact) || !Number.isFinite(sum)) return Object.is(exact, sum) || narrow;
    return Math.abs(exact - sum) <= relative * size + (narrow ? TINY : 0);
  };
}

/** True where a child's cotangent times the local derivative is what it paid. Only of a watched engine it may not be. */
export function isProduct(
  trace: Trace,
  bar: Quantity | undefined,
  local: number,
  paid: Quantity | undefined,
): boolean {
  if (trace.seen === undefined) return true;
  if (typeof bar !== "number" || typeof paid !== "number" || Number.isNaN(local)) return false;
  const product = bar * local;
  return Object.is(product, paid) || Math.abs(product - paid) <= WATCHED * Math.abs(product);
}

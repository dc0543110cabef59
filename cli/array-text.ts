/** Values that may be arrays, as `run` prints them: nested arrays in JSON, shape and size of the elements for a person. */
import { arrayAt, nestedElements, summaryOf, type ArraySummary } from "../engine/trace/arrays.js";
import type { ArrayValue, Trace } from "../engine/trace/trace.js";
import { jsonNumber, jsonValue } from "./json-value.js";
import { show } from "./style.js";

/**
 * A values row as JSON: a number, nested arrays, or for an array of which only the first elements are kept
 * `{ "shape", "norm", "min", "max", "first" }`.
 */
export function jsonRow(trace: Trace, row: number): string {
  const array = arrayAt(trace, row);
  return array === null ? jsonNumber(trace.values.mean[row]) : jsonValue(jsonArray(array));
}

/** The plain value of a row for `jsonValue`. */
export function plainRow(trace: Trace, row: number): unknown {
  const array = arrayAt(trace, row);
  return array === null ? trace.values.mean[row] : jsonArray(array);
}

function jsonArray(array: ArraySummary): unknown {
  const { shape, norm, min, max, data } = array;
  return nestedElements(array) ?? { shape, norm, min, max, first: data };
}

/** Nested arrays of a whole array. */
export function nestedArray({ shape, data }: ArrayValue): unknown {
  return nestedElements(summaryOf(shape, data));
}

const MOST_SHOWN = 6;

/** A values row for a person: the number; a short vector with its elements; else the shape and the norm. */
export function showRow(trace: Trace, row: number): string {
  const array = arrayAt(trace, row);
  return array === null ? show(trace.values.mean[row]) : showArray(array);
}

function showArray({ shape, size, norm, data, nonfinite }: ArraySummary): string {
  const bad = nonfinite > 0 ? `, ${nonfinite} not finite` : "";
  if (shape.length === 1 && size <= MOST_SHOWN && data.length === size)
    return `[${Array.from(data, show).join(", ")}]${bad}`;
  return `[${shape.join("×")}] norm ${show(norm)}${bad}`;
}

/** An output that is an array, for a person. */
export function showOutput({ shape, data }: ArrayValue): string {
  return showArray(summaryOf(shape, data));
}

/** True where the values row is an array. */
export function isArrayRow(trace: Trace, row: number): boolean {
  return arrayAt(trace, row) !== null;
}

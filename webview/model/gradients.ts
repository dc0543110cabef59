/**
 * The rows of the gradient figure: each input's derivative in the sum sweep and in the last-writer-wins sweep. An input
 * that is one array is one row; a list of numbers has a row for each.
 */
import {
  gradientElements,
  type Gradient,
  type GradientValue,
  type RunReport,
} from "../../engine/report/report.js";
import type { InputInfo } from "../../engine/trace/trace.js";
import { arrayOf, type Quantity } from "../../engine/report/quantity.js";

export interface GradientRow {
  /** "x", or "w[3]" for an element */
  readonly name: string;
  readonly sum: Quantity;
  readonly wrong: Quantity | undefined;
  /** elements of an array, the first ones; absent for numbers */
  readonly elements?: readonly GradientRow[];
}

/** elements of an array that have rows of their own */
const ELEMENTS = 12;

/** At most `limit` rows, and how many there are in all. */
export function gradientRows(
  report: RunReport,
  inputs: readonly InputInfo[],
  limit: number,
): { rows: GradientRow[]; total: number } {
  const rows: GradientRow[] = [];
  let total = 0;
  const wrong: Gradient = report.lastWriterWins.gradient;
  const arrays = new Map(inputs.filter((input) => input.tensor === true).map((input) => [input.name, input]));
  for (const [name, value] of Object.entries(report.correctGradient)) {
    const array = arrays.get(name);
    if (array !== undefined || typeof value === "number") {
      total++;
      if (rows.length >= limit) continue;
      if (array !== undefined) rows.push(arrayRow(name, array.shape, value, wrong[name]));
      else rows.push({ name, sum: value as number, wrong: numberOf(wrong[name]) });
      continue;
    }
    for (const element of gradientElements(value, wrong[name])) {
      total++;
      if (rows.length < limit)
        rows.push({ name: name + element.path, sum: element.value, wrong: element.other });
    }
  }
  return { rows, total };
}

/** True where a last-writer-wins sweep returns the gradient of the sum sweep, to the last element. */
export function sameGradients({ correctGradient, lastWriterWins }: RunReport): boolean {
  for (const [name, value] of Object.entries(correctGradient))
    for (const element of gradientElements(value, lastWriterWins.gradient[name]))
      if (!Object.is(element.value, element.other)) return false;
  return true;
}

function numberOf(value: GradientValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function arrayRow(
  name: string,
  shape: readonly number[],
  value: GradientValue,
  wrong: GradientValue | undefined,
): GradientRow {
  const elements: GradientRow[] = [];
  for (const element of gradientElements(value, wrong)) {
    if (elements.length >= ELEMENTS) break;
    const other = wrong === undefined ? undefined : element.other;
    elements.push({ name: name + element.path, sum: element.value, wrong: other });
  }
  return {
    name,
    sum: arrayOf(shape, flat(value)),
    wrong: wrong === undefined ? undefined : arrayOf(shape, flat(wrong)),
    elements,
  };
}

/** Nested arrays in row-major order. */
function flat(value: GradientValue): Float64Array {
  const out: number[] = [];
  const collect = (part: GradientValue): void => {
    if (typeof part === "number") out.push(part);
    else for (const inner of part) collect(inner);
  };
  collect(value);
  return Float64Array.from(out);
}

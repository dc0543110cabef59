/**
 * The kept elements of an array laid out as a table: a matrix as its rows and columns, a vector in lines, higher ranks as
 * rows of their last axis, in row-major order. What does not fit is counted, never left out in silence.
 */
import type { ArrayQuantity } from "../../engine/report/quantity.js";

export interface ElementRow {
  /** index before the columns: "0" of a matrix, "0,1" of rank 3; of a vector the index of its first element */
  readonly label: string;
  /** row-major positions of the row's elements; -1 where an element is not kept */
  readonly cells: readonly number[];
}

export interface ElementGrid {
  /** column indices, empty for vectors */
  readonly columns: readonly string[];
  readonly rows: readonly ElementRow[];
  /** true: rows go on beyond the columns shown */
  readonly wider: boolean;
  /** elements shown */
  readonly shown: number;
  /** largest magnitude among the finite elements shown; 0 without any */
  readonly largest: number;
}

const COLUMNS = 5;
const ROWS = 8;

export function elementGrid({ shape, size, data }: ArrayQuantity): ElementGrid {
  const vector = shape.length < 2;
  const length = vector ? COLUMNS : shape[shape.length - 1];
  const across = Math.min(COLUMNS, length, size);
  const count = length === 0 ? 0 : Math.min(ROWS, Math.ceil(data.length / length));
  const rows: ElementRow[] = [];
  let shown = 0;
  let largest = 0;
  for (let row = 0; row < count; row++) {
    const first = row * length;
    const cells: number[] = [];
    for (let at = first; at < Math.min(first + across, size); at++) {
      const kept = at < data.length;
      cells.push(kept ? at : -1);
      if (!kept) continue;
      shown++;
      if (Number.isFinite(data[at])) largest = Math.max(largest, Math.abs(data[at]));
    }
    rows.push({ label: vector ? String(first) : leading(shape, row), cells });
  }
  const columns = vector ? [] : Array.from({ length: across }, (_, column) => String(column));
  return { columns, rows, wider: !vector && length > across, shown, largest };
}

/** Index of a row along all axes but the last. */
function leading(shape: readonly number[], row: number): string {
  const index: number[] = [];
  let rest = row;
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index.join(",");
}

/** "all 6 elements", "40 of 10,000 elements", and how many are kept where that is not all. */
export function shownText({ size, data }: ArrayQuantity, { shown }: ElementGrid): string {
  const text = (n: number): string => n.toLocaleString("en");
  if (shown === size) return size === 1 ? "the one element" : `all ${text(size)} elements`;
  const kept = data.length < size ? `, the first ${text(data.length)} are kept` : "";
  return `${text(shown)} of ${text(size)} elements${kept}`;
}

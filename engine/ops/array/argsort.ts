/** The order in which keys are sorted, found by merging: stable, without a call for each comparison. */

/**
 * Positions of the keys in ascending or descending order; equal keys keep theirs. NaN counts as the largest.
 */
export function argsort(keys: Float64Array, descending: boolean): Int32Array {
  const n = keys.length;
  const numbers: number[] = [];
  const others: number[] = [];
  for (let i = 0; i < n; i++) (Number.isNaN(keys[i]) ? others : numbers).push(i);
  // descending is ascending by the negated keys
  const ranks = descending ? keys.map((key) => -key) : keys;
  const order = merged(ranks, Int32Array.from(numbers));
  const out = new Int32Array(n);
  out.set(order, descending ? others.length : 0);
  out.set(others, descending ? 0 : order.length);
  return out;
}

/** Bottom-up merge sort of positions by their keys. */
function merged(keys: Float64Array, positions: Int32Array): Int32Array {
  const n = positions.length;
  let from: Int32Array = positions;
  let to: Int32Array = new Int32Array(n);
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) mergeRuns(keys, from, to, start, width);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the runs at `start` and `start + width`; from equal keys the left one comes first. */
function mergeRuns(keys: Float64Array, from: Int32Array, to: Int32Array, start: number, width: number): void {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(middle + width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft = left < middle && (right === end || keys[from[left]] <= keys[from[right]]);
    to[at] = takeLeft ? from[left++] : from[right++];
  }
}

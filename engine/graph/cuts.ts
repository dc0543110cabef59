/**
 * Where a graph without `chain` or `checkpoint` is cut into steps: between nodes, where few values are live. A value is
 * live at a place if it was computed before it and an operation behind it reads it; inputs are always there.
 */
import { hasInstruction } from "../sweep/evaluate.js";
import type { FlatTape } from "../sweep/flat.js";
import { OP_INPUT } from "../tape/tape.js";

export interface Cuts {
  /** step i is made of nodes starts[i] .. starts[i + 1] - 1 */
  readonly starts: Int32Array;
  /** nodes that state i consists of */
  readonly states: readonly Int32Array[];
}

/** Most steps a graph is cut into. */
const MOST_STEPS = 64;
/** Fewest operations a step has on average. */
const FEWEST_NODES = 4;

/** About how many steps so many operations are cut into; below 2 they are not cut. */
export function cutSteps(operations: number): number {
  return Math.min(MOST_STEPS, Math.floor(operations / FEWEST_NODES));
}

/** Inputs a recording begins with: they are always there, and no part of a step. */
export function inputsOf(flat: FlatTape): number {
  let first = 0;
  while (first < flat.n && flat.op[first] === OP_INPUT) first++;
  return first;
}

/** Last node that reads each node, -1 for none. */
function lastReaders(flat: FlatTape): Int32Array {
  const last = new Int32Array(flat.n).fill(-1);
  for (let e = 0; e < flat.edgeFrom.length; e++)
    last[flat.edgeFrom[e]] = Math.max(last[flat.edgeFrom[e]], flat.edgeTo[e]);
  return last;
}

/**
 * Cuts the recording into steps of about the same number of bytes, each cut at the place of fewest live bytes near where
 * it would fall. Null for a graph too small to be cut.
 *
 * @param bytes of a node's primal
 * @param first the first node behind the inputs
 */
export function cutTape(flat: FlatTape, first: number, bytes: (node: number) => number): Cuts | null {
  const count = cutSteps(flat.n - first);
  if (count < 2) return null;
  const last = lastReaders(flat);
  const live = new Float64Array(flat.n + 1);
  let total = 0;
  for (let v = first; v < flat.n; v++) {
    total += bytes(v);
    if (last[v] <= v || !hasInstruction(flat, v)) continue;
    live[v + 1] += bytes(v);
    live[last[v] + 1] -= bytes(v);
  }
  for (let v = 1; v <= flat.n; v++) live[v] += live[v - 1];
  const starts = places(flat.n, first, count, total, live, bytes);
  return { starts, states: statesAt(flat, starts, last) };
}

/** One place a window, the windows between the middles of neighbouring steps. */
function places(
  n: number,
  first: number,
  count: number,
  total: number,
  live: Float64Array,
  bytes: (node: number) => number,
): Int32Array {
  const starts = [first];
  let before = 0;
  let best = -1;
  let window = 0;
  for (let v = first + 1; v < n; v++) {
    before += bytes(v - 1);
    // window k reaches from (k + 1/2) / count of all bytes to (k + 3/2) / count
    const k = Math.floor((before / total) * count - 0.5);
    if (k > window && best >= 0) {
      starts.push(best);
      best = -1;
    }
    window = Math.max(window, k);
    if (k < 0 || k > count - 2) continue;
    if (best < 0 || live[v] < live[best]) best = v;
  }
  if (best >= 0) starts.push(best);
  starts.push(n);
  return Int32Array.from(starts);
}

/** Values live at each start. */
function statesAt(flat: FlatTape, starts: Int32Array, last: Int32Array): Int32Array[] {
  const states: Int32Array[] = [new Int32Array(0)];
  let living: number[] = [];
  for (let i = 1; i < starts.length; i++) {
    const at = starts[i];
    for (let v = starts[i - 1]; v < at; v++) if (last[v] >= at && hasInstruction(flat, v)) living.push(v);
    living = living.filter((v) => last[v] >= at);
    states.push(Int32Array.from(living));
  }
  return states;
}

/**
 * Which inputs meet in a second derivative, found on the tape without computing any (nonlinear interaction domains,
 * Walther 2008, "Computing sparse Hessians with automatic differentiation"), and groups of inputs that never meet: the
 * diagonal entries of one group come from one Hessian-vector product (Curtis, Powell and Reid 1974 for Jacobians).
 */
import { OP_CUSTOM } from "../tape/tape.js";
import type { FlatTape } from "./flat.js";
import { curvesOf } from "./hvp-linear.js";

/** Most 32-bit words of index sets; beyond it no structure is looked for. */
const MOST_WORDS = 1 << 24;

export interface Groups {
  /** by input, from 0 */
  readonly group: Int32Array;
  readonly groups: number;
}

/**
 * Groups of inputs: two inputs of one group have a mixed second derivative that is zero by structure. Null where looking
 * for structure would take more room or work than the products it could save.
 *
 * @param inputs node ids
 */
export function separableGroups(
  flat: FlatTape,
  inputs: readonly number[],
  active: Uint8Array,
): Groups | null {
  const words = Math.ceil(inputs.length / 32);
  if (words * (flat.n + inputs.length) > MOST_WORDS) return null;
  const meets = interactions(flat, inputs, active, words);
  if (meets === null) return null;
  // first fit, in input order (Coleman and Moré 1983)
  const group = new Int32Array(inputs.length).fill(-1);
  let groups = 0;
  const taken: Uint32Array[] = [];
  for (let i = 0; i < inputs.length; i++) {
    const own = meets.subarray(i * words, (i + 1) * words);
    let g = 0;
    while (g < groups && overlap(own, taken[g])) g++;
    if (g === groups) {
      groups++;
      taken.push(new Uint32Array(words));
    }
    group[i] = g;
    taken[g][i >>> 5] |= 1 << (i & 31);
  }
  return { group, groups };
}

function overlap(a: Uint32Array, b: Uint32Array): boolean {
  for (let w = 0; w < a.length; w++) if ((a[w] & b[w]) !== 0) return true;
  return false;
}

/** Symmetric bit matrix: row i holds the inputs that input i meets (itself too, where it is curved); null: too dear. */
function interactions(
  flat: FlatTape,
  inputs: readonly number[],
  active: Uint8Array,
  words: number,
): Uint32Array | null {
  const depends = new Uint32Array(flat.n * words);
  inputs.forEach((node, i) => (depends[node * words + (i >>> 5)] |= 1 << (i & 31)));
  const meets = new Uint32Array(inputs.length * words);
  // what the products cost that could be saved
  let budget = inputs.length * (flat.n + flat.edgeFrom.length);
  /** every input in the set of p meets every input in the set of q, and the other way round */
  const join = (p: number, q: number): void => {
    budget -= words * addProduct(depends, p * words, q * words, words, meets);
    if (p !== q) budget -= words * addProduct(depends, q * words, p * words, words, meets);
  };
  for (let v = 0; v < flat.n; v++) {
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (first === end || active[v] === 0) continue;
    if (budget < 0) return null;
    for (let e = first; e < end; e++) {
      const from = flat.edgeFrom[e] * words;
      for (let w = 0; w < words; w++) depends[v * words + w] |= depends[from + w];
    }
    if (flat.op[v] === OP_CUSTOM) {
      join(v, v);
      continue;
    }
    const at = flat.operandStart[v];
    for (const { s, t } of curvesOf(flat, v)) {
      const p = flat.operand[at + s];
      const q = flat.operand[at + t];
      if (p >= 0 && q >= 0) join(p, q);
    }
  }
  return meets;
}

/** Adds the set at `q` to the row of every input in the set at `p`; returns how many rows that were. */
function addProduct(sets: Uint32Array, p: number, q: number, words: number, rows: Uint32Array): number {
  let count = 1;
  for (let w = 0; w < words; w++) {
    let bits = sets[p + w];
    while (bits !== 0) {
      const low = bits & -bits;
      const i = 32 * w + (31 - Math.clz32(low));
      for (let k = 0; k < words; k++) rows[i * words + k] |= sets[q + k];
      bits ^= low;
      count++;
    }
  }
  return count;
}

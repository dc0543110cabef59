/**
 * How large an expression is: with every subexpression once (the DAG, what reverse mode computes), and written out as a
 * tree (what symbolic differentiation without sharing computes). Operations, symbols and numbers count 1 each.
 */
import type { ExpressionStore } from "./store.js";

/** A tree size: exact, or by its logarithm alone where its digits would fill pages. */
export interface TreeSize {
  /** null: too large, see `log10` */
  readonly exact: bigint | null;
  readonly log10: number;
}

/** Bits up to which a tree is counted exactly. */
export const EXACT_BITS = 4096;

/** Marks the entries that the roots are made of, roots included. */
export function reachable(store: ExpressionStore, roots: readonly number[]): Uint8Array {
  const marks = new Uint8Array(store.size);
  let last = -1;
  for (const root of roots) {
    marks[root] = 1;
    last = Math.max(last, root);
  }
  for (let id = last; id >= 0; id--) {
    if (marks[id] === 0) continue;
    for (let slot = store.arity(id) - 1; slot >= 0; slot--) marks[store.arg(id, slot)] = 1;
  }
  return marks;
}

/** Number of distinct subexpressions of the roots. */
export function sharedSize(store: ExpressionStore, roots: readonly number[]): number {
  return reachable(store, roots).reduce((sum, mark) => sum + mark, 0);
}

/**
 * Tree sizes of all entries, in one pass: doubles while they are exact, BigInts up to `EXACT_BITS` bits, logarithms
 * beyond. A product of 10^6 squarings has a tree of 2^(10^6) entries.
 */
export class TreeSizes {
  /** the size where it is below 2^53, else its logarithm to base 2, negated */
  private readonly sizes: Float64Array;
  private readonly large = new Map<number, bigint>();

  constructor(store: ExpressionStore) {
    this.sizes = new Float64Array(store.size);
    for (let id = 0; id < this.sizes.length; id++) {
      let sum = 1;
      const slots = store.arity(id);
      for (let slot = 0; slot < slots; slot++) {
        const size = this.sizes[store.arg(id, slot)];
        sum = size < 0 ? Infinity : sum + size;
      }
      if (sum <= Number.MAX_SAFE_INTEGER) this.sizes[id] = sum;
      else this.enter(store, id, slots);
    }
  }

  private enter(store: ExpressionStore, id: number, slots: number): void {
    let exact: bigint | null = 1n;
    let most = 0;
    for (let slot = 0; slot < slots; slot++) {
      const arg = store.arg(id, slot);
      most = Math.max(most, this.log2(arg));
      const size = this.exactly(arg);
      exact = exact === null || size === null ? null : exact + size;
    }
    if (exact !== null && most < EXACT_BITS - 2) {
      this.large.set(id, exact);
      this.sizes[id] = -log2Of(exact);
      return;
    }
    let sum = 0;
    for (let slot = 0; slot < slots; slot++) sum += 2 ** (this.log2(store.arg(id, slot)) - most);
    this.sizes[id] = -(most + Math.log2(sum));
  }

  private exactly(id: number): bigint | null {
    const size = this.sizes[id];
    return size >= 0 ? BigInt(size) : (this.large.get(id) ?? null);
  }

  private log2(id: number): number {
    const size = this.sizes[id];
    return size >= 0 ? Math.log2(size) : -size;
  }

  of(id: number): TreeSize {
    return { exact: this.exactly(id), log10: this.log2(id) * Math.LOG10E * Math.LN2 };
  }

  /** The sum over several entries. */
  total(ids: readonly number[]): TreeSize {
    let exact: bigint | null = 0n;
    for (const id of ids) {
      const size = this.exactly(id);
      exact = exact === null || size === null ? null : exact + size;
    }
    const most = Math.max(0, ...ids.map((id) => this.log2(id)));
    const sum = ids.reduce((total, id) => total + 2 ** (this.log2(id) - most), 0);
    return { exact, log10: ids.length === 0 ? -Infinity : (most + Math.log2(sum)) * Math.LOG10E * Math.LN2 };
  }
}

/** Logarithm of a BigInt above 2^53, from its first 53 bits. */
function log2Of(x: bigint): number {
  const bits = x.toString(16).length * 4;
  const shift = Math.max(0, bits - 60);
  return Math.log2(Number(x >> BigInt(shift))) + shift;
}

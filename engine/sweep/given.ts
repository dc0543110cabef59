/** Cotangents that are given instead of added up: what a what-if changes in a sweep. */
import type { Rounder } from "../ops/dtype.js";

export interface GivenCotangent {
  readonly node: number;
  /** row-major position of the one element that is given, of an array's cotangent; null of a number's */
  readonly element: number | null;
  readonly value: number;
}

/** What is given, by node; later entries win. */
export class Given {
  private readonly byNode = new Map<number, Map<number, number>>();

  constructor(given: readonly GivenCotangent[]) {
    for (const { node, element, value } of given) {
      const elements = this.byNode.get(node) ?? new Map<number, number>();
      this.byNode.set(node, elements.set(element ?? 0, value));
    }
  }

  /** The cotangent a number hands on: the given one, rounded, else what was added up. */
  number(node: number, sum: number, round: Rounder | null): number {
    const value = this.byNode.get(node)?.get(0);
    if (value === undefined) return sum;
    return round === null ? value : round(value);
  }

  /** The same of an array's elements; null: none of them is given. */
  elements(node: number, sum: Float64Array, round: Rounder | null): Float64Array | null {
    const given = this.byNode.get(node);
    if (given === undefined) return null;
    const data = sum.slice();
    for (const [element, value] of given)
      if (element < data.length) data[element] = round === null ? value : round(value);
    return data;
  }
}

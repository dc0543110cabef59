/** Paths from a node to the outputs: how many, how many have a product, and the strongest. */
import { countPaths, countProducts, strongestPaths, type Path, type UseIndex } from "../sweep/paths.js";
import type { Trace } from "../trace/trace.js";
import { plural } from "./text/format.js";

export interface PathSummary {
  readonly count: bigint;
  /** those of them that have a product: a number on every edge */
  readonly products: bigint;
  /** false: the node is an output nobody uses, its one path is empty */
  readonly real: boolean;
  readonly strongest: readonly Path[];
}

/** paths that are listed */
export const LIMIT = 5;

/** Time grows with the edges between the node and the outputs; whoever asks often keeps the answer. */
export function summarisePaths(trace: Trace, node: number, uses: UseIndex): PathSummary {
  const count = countPaths(trace, node, null, uses);
  const own = trace.header.outputs.some((output) => output.node === node) ? 1n : 0n;
  const strongest = strongestPaths(trace, node, LIMIT, null, uses);
  // numbers alone: a full list says that paths have products, without a second count
  const listed = trace.arrays === undefined && strongest.length === LIMIT;
  const products = listed ? count : countProducts(trace, node, null, uses);
  return { count, products, real: count > own, strongest };
}

/** "1,234", or "1.234e56" where the exact number has more than 15 digits. */
export function countText(count: bigint): string {
  const digits = count.toString();
  if (digits.length <= 15) return count.toLocaleString("en");
  return `${digits[0]}.${digits.slice(1, 4)}e${digits.length - 1}`;
}

/** Why there are fewer products than paths; "" where every path has one. */
export function productsText({ count, products }: PathSummary): string {
  if (products === count) return "";
  const why = "along array operations the local derivative is a linear map, not a number";
  if (products === 0n) return `No products: ${why}.`;
  return `${plural(products, "path has a product", "paths have a product")}; ${why}.`;
}

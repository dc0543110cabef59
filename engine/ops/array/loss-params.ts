/** What losses have in common: how they are reduced, and parameters that are arrays. */
import { fromNested, type NDArray } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { ShapeError, type Params } from "./row.js";

/** @throws ShapeError for anything but "mean" (the default), "sum" and "none" */
export function reductionIn(name: string, params: Params): "mean" | "sum" | "none" {
  const { reduction = "mean" } = params;
  if (reduction !== "mean" && reduction !== "sum" && reduction !== "none")
    throw new ShapeError(`${name}: reduction must be "mean", "sum" or "none", not ${String(reduction)}`);
  return reduction;
}

/** Reduces the losses of single elements; a mean divides by `count`. */
export function reduced<T>(k: Algebra<T>, name: string, losses: T, params: Params, count: number): T {
  const reduction = reductionIn(name, params);
  if (reduction === "none") return losses;
  const sum = k.sum(losses);
  return reduction === "sum" ? sum : k.div(sum, k.number(count));
}

/** A parameter that is nested numbers. */
export function arrayParam(name: string, what: string, given: unknown): NDArray {
  if (Array.isArray(given) && given.every((element) => typeof element === "number"))
    return { shape: [given.length], data: Float64Array.from(given) };
  try {
    return fromNested(given);
  } catch (error) {
    throw new ShapeError(`${name}: ${what}: ${(error as Error).message}`);
  }
}

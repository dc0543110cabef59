/** The paths of a node, kept once they were counted: whoever hovers asks for them again and again. */
import { summarisePaths, type PathSummary } from "../../engine/report/paths.js";
import type { SweepModel } from "./sweep-model.js";

const cache = new WeakMap<SweepModel, Map<number, PathSummary>>();

/** True when asking costs nothing. */
export function pathsKnown(model: SweepModel, node: number): boolean {
  return cache.get(model)?.has(node) === true;
}

export function pathsFrom(model: SweepModel, node: number): PathSummary {
  let known = cache.get(model);
  if (known === undefined) cache.set(model, (known = new Map()));
  let summary = known.get(node);
  if (summary === undefined) {
    summary = summarisePaths(model.view.trace, node, model.uses);
    known.set(node, summary);
  }
  return summary;
}

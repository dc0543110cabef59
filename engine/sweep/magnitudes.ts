import type { CustomRule } from "../ops/recorder.js";
import type { FlatTape } from "./flat.js";
import { localDerivatives } from "./local.js";
import type { Seed } from "./reverse.js";

/**
 * The sum over all paths from the outputs of |the product of local derivatives|, by node: what a cotangent would be if
 * nothing cancelled. Times the unit roundoff it is the size of what two orders of summation may differ in, however much
 * of it has cancelled further up (Higham 2002, section 4.2: the bound is relative to the sum of magnitudes).
 *
 * @param order a valid reverse topological order of the active nodes
 */
export function cotangentMagnitudes(
  flat: FlatTape,
  order: Int32Array,
  seeds: readonly Seed[],
  customRules: ReadonlyMap<number, CustomRule>,
): Float64Array {
  const local = localDerivatives(flat, customRules);
  const magnitude = new Float64Array(flat.n);
  for (const { node, cotangent } of seeds) magnitude[node] += Math.abs(cotangent);
  for (const v of order) {
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const part = Math.abs(local[e]) * magnitude[v];
      if (Number.isFinite(part)) magnitude[flat.edgeFrom[e]] += part;
    }
  }
  return magnitude;
}

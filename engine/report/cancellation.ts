/** How much of what arrives at a node annihilates itself. */
import type { NodeFacts } from "./facts.js";
import { elementSum } from "./quantity.js";

/**
 * |sum| / sum of |parts|: 1 without cancellation, near 0 where the parts annihilate. Of arrays, magnitudes are added over
 * all elements: norms would see cancellation in parts that meet in no element. NaN where it has no meaning or elements
 * are missing.
 */
export function cancellation(facts: NodeFacts): number {
  const sizes = facts.parts.flatMap((part) =>
    part.child < 0 ? [part.value] : part.slots.map((slot) => slot.value),
  );
  const total = sizes.reduce<number>((sum, value) => sum + elementSum(value), 0);
  return facts.cotangent === undefined ? NaN : elementSum(facts.cotangent) / total;
}

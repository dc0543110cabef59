/** What arrived at a node and what it comes to, as a sum one can read. */
import type { NodeFacts } from "../facts.js";
import { isArray, type Quantity } from "../quantity.js";
import { arraySumWords, normsWords, normWords } from "./array-sum.js";
import { short, terms } from "./format.js";

/**
 * "18 + 24 = 42"; with one part just "18"; in an overwriting node "24 (lost: 18)"; "" before anything arrived. Arrays:
 * "norms 0.31 and 0.2 add up to norm 0.43".
 */
export function sumText(facts: NodeFacts, show: (x: Quantity | undefined) => string = short): string {
  const { parts, cotangent } = facts;
  if (parts.length === 0) return "";
  const lost = lostValues(facts);
  if (isArray(cotangent)) {
    if (facts.overwrites)
      return normWords(cotangent) + (lost.length > 0 ? ` (lost: ${normsWords(lost)})` : "");
    const paid = parts.length > 1 ? parts : parts[0].slots;
    return arraySumWords(
      paid.map(({ value }) => value),
      cotangent,
    );
  }
  if (facts.overwrites)
    return lost.length > 0 ? `${show(cotangent)} (lost: ${lost.map(show).join(", ")})` : show(cotangent);
  if (parts.length === 1 && parts[0].slots.length <= 1) return show(cotangent);
  if (parts.length === 1)
    return `${terms(
      parts[0].slots.map((slot) => slot.value),
      show,
    )} = ${show(cotangent)}`;
  return `${terms(
    parts.map((part) => part.value),
    show,
  )} = ${show(cotangent)}`;
}

/** Contributions overwritten by later ones, slot by slot. */
export function lostValues(facts: NodeFacts): (Quantity | undefined)[] {
  if (!facts.overwrites) return [];
  const values = facts.parts.flatMap((part) =>
    part.child < 0 ? [part.value] : part.slots.map((slot) => slot.value),
  );
  return values.slice(0, -1);
}

/** What arrived at a node and what it comes to, as a sum one can read. */
import type { NodeFacts, Part, Slot } from "../facts.js";
import { isArray, type Quantity } from "../quantity.js";
import { arraySumWords, normsWords, normWords } from "./array-sum.js";
import { short, terms } from "./format.js";

type Show = (x: Quantity | undefined) => string;

/**
 * "18 + 24 = 42"; with one part just "18"; in an overwriting node "24 (lost: 18)"; where the parts do not come to what is
 * there, "60 (paid: 18 + 24)", and "60 (paid: 18 + ?)" where one was not seen; "" before anything arrived. Arrays: "norms
 * 0.31 and 0.2 add up to norm 0.43".
 */
export function sumText(facts: NodeFacts, show: Show = short): string {
  const { parts, cotangent } = facts;
  if (parts.length === 0) return "";
  // an engine that is watched and does not tell: nothing is not the same as not seen
  if (cotangent === undefined && parts.some(({ unknown }) => unknown)) return paidWords(facts, show);
  const lost = lostValues(facts);
  if (isArray(cotangent)) {
    if (facts.overwrites)
      return normWords(cotangent) + (lost.length > 0 ? ` (lost: ${normsWords(lost)})` : "");
    const paid = (parts.length > 1 ? parts : parts[0].slots).map(({ value }) => value);
    if (!facts.addsUp) return `${normWords(cotangent)} (paid: ${paidWords(facts)})`;
    return arraySumWords(paid, cotangent);
  }
  if (!facts.addsUp) return `${show(cotangent)} (paid: ${paidWords(facts, show)})`;
  if (facts.overwrites)
    return lost.length > 0 ? `${show(cotangent)} (lost: ${terms(lost, show, ", ")})` : show(cotangent);
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

/** What was paid, where it does not come to what is there: "18 + 24", "18 + ?", "not seen". */
export function paidWords({ parts }: NodeFacts, show: Show = short): string {
  const all: readonly (Part | Slot)[] = parts.flatMap<Part | Slot>((part) =>
    part.child < 0 ? [part] : part.slots.filter((slot) => !slot.lost),
  );
  if (all.every(({ unknown }) => unknown)) return "not seen";
  if (!all.some(({ value }) => isArray(value))) {
    const unknown = Symbol("not seen");
    const texts = all.map((each) => (each.unknown ? unknown : each.value));
    return terms(texts as (Quantity | undefined)[], (x) => ((x as unknown) === unknown ? "?" : show(x)));
  }
  const seen = normsWords(all.filter((each) => !each.unknown).map(({ value }) => value));
  return all.some((each) => each.unknown) ? `${seen}; others not seen` : seen;
}

/** Contributions overwritten by later ones, slot by slot. */
export function lostValues({ parts }: NodeFacts): (Quantity | undefined)[] {
  return parts.flatMap((part) =>
    part.child < 0
      ? part.lost
        ? [part.value]
        : []
      : part.slots.filter((slot) => slot.lost).map((slot) => slot.value),
  );
}

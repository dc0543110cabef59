/** A node in one line of text, for the node list and everybody who does not see the drawing. */
import { nodeTitle } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import type { NodeFacts } from "../model/facts.js";
import { isArray, type Quantity } from "../model/quantity.js";
import { arraySumWords, normsWords, normWords } from "./array-sum.js";
import { paidText, short, spoken, terms } from "./format.js";

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

/** "a = x * y, value 6, cotangent 42, 2 of 2 uses have paid: 18 + 24 = 42, final"; arrays in words */
export function describeNode(trace: Trace, facts: NodeFacts): string {
  const says: string[] = [];
  if (facts.isInput) says.push(`${facts.title}, input`);
  else says.push(facts.name === null ? facts.expression : `${facts.name} = ${facts.expression}`);
  says.push(facts.evaluated ? `value ${spoken(facts.value)}` : "not evaluated yet");
  if (facts.status === "unreached") says.push("no derivative flows here");
  else if (facts.status === "unswept") says.push("not swept: the run stopped before its sweep");
  else if (facts.status === "waiting") says.push("cotangent waiting");
  else if (facts.cotangent !== undefined) {
    says.push(`cotangent ${spoken(facts.cotangent)}${facts.status === "final" ? "" : " so far"}`);
  }
  if (facts.uses > 0 && facts.evaluated) {
    const sum = sumText(facts);
    says.push(`${paidText(facts.paid, facts.uses)}${sum === "" ? "" : `: ${sum}`}`);
  } else if (facts.status === "final") says.push("seeded as an output");
  if (facts.owing.length > 0 && facts.parts.length > 0) {
    says.push(`still to pay: ${facts.owing.map((child) => nodeTitle(trace, child)).join(", ")}`);
  }
  if (facts.status === "final") says.push("final");
  return says.join(", ");
}

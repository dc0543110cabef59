/** How arrays add up, in words. Norms do not add, so they are never written as the terms of a sum. */
import { isArray, isKnown, type Quantity } from "../quantity.js";
import { short } from "./format.js";
import { shortNumber } from "./number.js";

/** "norm 0.31", "norm not known yet"; a number as it is. */
export function normWords(quantity: Quantity | undefined): string {
  if (!isArray(quantity)) return short(quantity);
  return isKnown(quantity) ? `norm ${shortNumber(quantity.norm)}` : "norm not known yet";
}

/** Norms that are written out; of more the others are counted. */
const NORMS = 7;

/** "norms 0.31, 0.2 and 0.1", of many "norms 0.31, 0.2, ... and 93 more" */
export function normsWords(quantities: readonly (Quantity | undefined)[]): string {
  if (quantities.length === 1) return normWords(quantities[0]);
  const few = quantities.length > NORMS ? quantities.slice(0, NORMS - 1) : quantities;
  const norms = few.map((quantity) =>
    isArray(quantity) ? (isKnown(quantity) ? shortNumber(quantity.norm) : "unknown") : short(quantity),
  );
  if (few.length < quantities.length)
    norms.push(`${(quantities.length - few.length).toLocaleString("en")} more`);
  return `norms ${norms.slice(0, -1).join(", ")} and ${norms[norms.length - 1]}`;
}

/** "norms 0.31 and 0.2 add up to norm 0.43"; what the sum is waits for the end where elements are missing. */
export function arraySumWords(parts: readonly (Quantity | undefined)[], sum: Quantity | undefined): string {
  if (parts.length < 2) return normWords(sum);
  if (isArray(sum) && !isKnown(sum))
    return `${normsWords(parts)}; only first elements are kept, the sum is known when it is final`;
  return `${normsWords(parts)} add up to ${normWords(sum)}`;
}

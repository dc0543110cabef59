/** Numbers and names as people read them: short on the graph, in full where there is room. */
import { isArray, type Quantity } from "../quantity.js";
import { fullArray, roomyArray, shortArray, spokenArray } from "./array-text.js";
import { fullNumber, shortNumber } from "./number.js";

/** A number with at most four significant digits, an array as "[4×3] ‖1.52‖". */
export function short(x: Quantity | undefined): string {
  if (x === undefined) return "none";
  return isArray(x) ? shortArray(x) : shortNumber(x);
}

/** As `short`, with the elements of a short vector: inspector and hover. */
export function roomy(x: Quantity | undefined): string {
  return isArray(x) ? roomyArray(x) : short(x);
}

/** Every digit that matters; of an array its shape, norm and extremes. */
export function full(x: Quantity | undefined): string {
  if (x === undefined) return "none";
  return isArray(x) ? fullArray(x) : fullNumber(x);
}

/** As it is read aloud: a number, or "array [4×3], norm 1.52". */
export function spoken(x: Quantity | undefined): string {
  return isArray(x) ? spokenArray(x) : short(x);
}

/** Terms that are written out; of more the first and the last are, and the others counted. */
const TERMS = 7;

/**
 * "18 + 24", "18 - 24", "-3": the terms of a sum, with signs as one writes them; of many "1 + 2 + 3 + 4 + 5 + 93 more + 99".
 * @param between what stands between them in place of the signs
 */
export function terms(
  values: readonly (Quantity | undefined)[],
  show: (x: Quantity | undefined) => string = short,
  between = "",
): string {
  const more = values.length > TERMS ? values.length - TERMS + 1 : 0;
  const first = more > 0 ? values.slice(0, TERMS - 2) : values;
  let out = "";
  const add = (text: string): void => {
    if (out === "") out = text;
    else if (between !== "") out += between + text;
    else out += text.startsWith("-") ? ` - ${text.slice(1)}` : ` + ${text}`;
  };
  for (const value of first) add(show(value));
  if (more > 0) {
    add(`${more.toLocaleString("en")} more`);
    add(show(values[values.length - 1]));
  }
  return out;
}

/** A factor: negative numbers in brackets, so that `18 × (-1)` cannot be misread. */
export function factor(x: number): string {
  const text = short(x);
  return text.startsWith("-") ? `(${text})` : text;
}

/** Cuts at whole code points; the rest is on hover. */
export function ellipsis(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}

/** Cuts in the middle, because what tells names apart stands at either end: `state@12`, `weights[3]`. */
export function middleEllipsis(text: string, limit: number): string {
  const points = Array.from(text);
  if (points.length <= limit) return text;
  const end = Math.floor((limit - 1) * 0.4);
  return `${points.slice(0, limit - 1 - end).join("")}…${points.slice(points.length - end).join("")}`;
}

/** The cotangent's own name: a macron over a one-letter name, words otherwise. */
export function barName(name: string): string {
  return /^\p{L}$/u.test(name) ? `${name}\u0304` : `cotangent of ${name}`;
}

const words = ["no", "one", "two", "three", "four", "five", "six"];

/** "two" to "six" in words, bigger counts in figures. */
export function countWord(n: number): string {
  return words[n] ?? String(n);
}

/** "1 of 2 uses has paid", "0 of 1 use has paid", "0 of 2 uses have paid". */
export function paidText(paid: number, uses: number): string {
  return `${paid} of ${plural(uses, "use")} ${paid === 1 || uses === 1 ? "has" : "have"} paid`;
}

/** "1 use", "2 uses". */
export function plural(n: number | bigint, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 || n === 1n ? one : many}`;
}

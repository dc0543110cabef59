/**
 * Arrays in one line. Signs where they are seen, "[4×3] ‖1.52‖", words where they are heard, "array [4×3], norm 1.52".
 * A mean or a single element never stands for the array.
 */
import { isKnown, isWhole, type AnyArray, type ArrayQuantity } from "../quantity.js";
import { fullNumber, shortNumber, tinyNumber } from "./number.js";

/** vectors up to this length are written with their elements where there is room */
const FEW = 4;

/** "[4×3]" */
export function shapeText({ shape }: { readonly shape: readonly number[] }): string {
  return `[${shape.join("×")}]`;
}

/** "‖1.52‖", "‖?‖" where it is unknown */
export function normText(array: AnyArray, show: (x: number) => string = shortNumber): string {
  return `‖${isKnown(array) ? show(array.norm) : "?"}‖`;
}

/** "[4×3] ‖1.52‖" */
export function shortArray(array: AnyArray): string {
  return `${shapeText(array)} ${normText(array)}`;
}

/** The same in `room` characters: three digits; without the shape where it does not fit, since the bars say "array". */
export function tightArray(array: AnyArray, room: number): string {
  const norm = normText(array, tinyNumber);
  const both = `${shapeText(array)} ${norm}`;
  return both.length <= room ? both : norm;
}

function isShortVector(array: AnyArray): array is ArrayQuantity {
  return array.shape.length === 1 && array.size <= FEW && isWhole(array);
}

function elements({ data }: ArrayQuantity, show: (x: number) => string): string {
  return `[${Array.from(data, show).join(", ")}]`;
}

/** Where there is room: the elements of a short vector, else shape and norm, and what is not finite. */
export function roomyArray(array: AnyArray): string {
  if (isShortVector(array)) return elements(array, shortNumber);
  return shortArray(array) + notFinite(array);
}

/** For hover and titles: every digit of a short vector, else shape, norm, smallest and largest element. */
export function fullArray(array: AnyArray): string {
  if (isShortVector(array)) return elements(array, fullNumber);
  if (!isKnown(array)) return `array ${shapeText(array)}; ${UNKNOWN}`;
  if (array.size === 0) return `empty array ${shapeText(array)}`;
  const { norm, min, max } = array;
  // min > max: every element is NaN
  const range = min <= max ? `, min ${fullNumber(min)}, max ${fullNumber(max)}` : "";
  return `array ${shapeText(array)}, norm ${fullNumber(norm)}${range}${notFinite(array)}`;
}

export const UNKNOWN = "only first elements are kept, so the sum is known when it is final";

/** In words: "array [4×3], norm 1.52". */
export function spokenArray(array: AnyArray): string {
  const shape = shapeText(array);
  if (!isKnown(array)) return `array ${shape}, norm not known yet`;
  if (array.size === 0) return `empty array ${shape}`;
  return `array ${shape}, norm ${shortNumber(array.norm)}${notFinite(array)}`;
}

/** ", 2 of 12 not finite"; "" where all are finite. */
export function notFinite(array: AnyArray): string {
  if (!isKnown(array) || array.nonfinite === 0) return "";
  return `, ${array.nonfinite.toLocaleString("en")} of ${array.size.toLocaleString("en")} not finite`;
}

/** What an expression can be worth, and how that is written. */
import { isArray, type Quantity } from "../../report/quantity.js";
import { full } from "../../report/text/format.js";

/** Rows that open below a value: contributions, paths, elements. */
export interface Table {
  readonly title: string;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly name: string;
  readonly text: string;
}

/** `undefined`: nothing there yet ("none"), which is not zero. */
export type Value = number | boolean | string | Quantity | Table | undefined;

export function isTable(value: Value): value is Table {
  return typeof value === "object" && "rows" in value;
}

export function valueText(value: Value): string {
  if (value === undefined) return "none yet";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return isTable(value) ? value.title : full(value);
}

export function typeOf(value: Value): string {
  if (value === undefined) return "none";
  if (typeof value !== "object") return typeof value;
  if (isTable(value)) return "table";
  return isArray(value) ? `array [${value.shape.join("×")}]` : "number";
}

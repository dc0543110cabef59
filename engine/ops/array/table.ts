/** The one table of array primitives: the scalar rows lifted element by element, and the operations of their own. */
import { broadcasting } from "./broadcast.js";
import { layout } from "./layout.js";
import { lifted } from "./lift.js";
import { enterRow, hasRow, rowOf } from "./lookup.js";
import { products } from "./matmul.js";
import { reductions } from "./reductions.js";
import type { ArrayPrimitive } from "./row.js";

export const arrayPrimitives: readonly ArrayPrimitive[] = [
  ...lifted,
  ...broadcasting,
  ...reductions,
  ...layout,
  ...products,
];

for (const row of arrayPrimitives) enterRow(row);

/** The row of a name. Throws naming it if there is none. */
export function arrayPrimitive(name: string): ArrayPrimitive {
  return rowOf(name);
}

export function isArrayPrimitive(name: string): boolean {
  return hasRow(name);
}

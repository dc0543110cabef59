/** Name to row, filled by the table: composite rows look others up without importing the table that they are in. */
import type { ArrayPrimitive } from "./row.js";

const rows = new Map<string, ArrayPrimitive>();

/** Enters a row. Throws when the name is taken. */
export function enterRow(row: ArrayPrimitive): void {
  if (rows.has(row.name)) throw new Error(`two array primitives named "${row.name}"`);
  rows.set(row.name, row);
}

/** The row of a name. Throws naming it if there is none. */
export function rowOf(name: string): ArrayPrimitive {
  const row = rows.get(name);
  if (row === undefined) throw new Error(`no array primitive named "${name}"`);
  return row;
}

export function hasRow(name: string): boolean {
  return rows.has(name);
}

export function rowNames(): readonly string[] {
  return [...rows.keys()];
}

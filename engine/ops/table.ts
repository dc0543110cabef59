/**
 * The one table of scalar primitives. An opcode is an index into it and means something only inside one tape of one
 * process; traces and files name primitives. Tapes keep the opcodes from 250 on for themselves.
 */
import { activation } from "./activation.js";
import { arithmetic } from "./arithmetic.js";
import { errorFunction } from "./error-function.js";
import { exponential } from "./exponential.js";
import { gamma } from "./gamma.js";
import { gelu } from "./gelu.js";
import { hyperbolic } from "./hyperbolic.js";
import { piecewise } from "./piecewise.js";
import { plane } from "./plane.js";
import { power } from "./power.js";
import type { Local, ScalarPrimitive } from "./primitive.js";
import { remainder } from "./remainder.js";
import { rounding } from "./rounding.js";
import { trigonometric } from "./trigonometric.js";

/** Opcodes of primitives stay below this. */
export const OPCODE_LIMIT = 250;

/** Every primitive; the index is its opcode. */
export const primitives: readonly ScalarPrimitive[] = [
  ...arithmetic,
  ...remainder,
  ...power,
  ...exponential,
  ...trigonometric,
  ...plane,
  ...hyperbolic,
  ...rounding,
  ...piecewise,
  ...activation,
  ...gelu,
  ...errorFunction,
  ...gamma,
];

const opcodes: ReadonlyMap<string, number> = new Map(primitives.map((p, i) => [p.name, i]));
if (opcodes.size !== primitives.length) throw new Error("two primitives of the same name");
if (primitives.length > OPCODE_LIMIT) throw new Error(`more than ${OPCODE_LIMIT} primitives`);

/**
 * Opcode of the primitive of this name.
 *
 * @throws Error naming it if there is none.
 */
export function opcode(name: string): number {
  const code = opcodes.get(name);
  if (code === undefined) throw new Error(`no primitive named "${name}"`);
  return code;
}

/**
 * The row of a primitive, by name or by opcode.
 *
 * @throws Error naming it if there is none.
 */
export function primitive(which: string | number): ScalarPrimitive {
  const row = primitives[typeof which === "string" ? opcode(which) : which];
  if (row === undefined) throw new Error(`no primitive with opcode ${which}`);
  return row;
}

/** True if the table has a primitive of this name. */
export function isPrimitive(name: string): boolean {
  return opcodes.has(name);
}

/**
 * The second partial derivative in slots i and j (in either order) of a row, or null if it is zero identically.
 * Slots count from 0 and lie below the row's arity.
 */
export function secondPartial(row: ScalarPrimitive, i: number, j: number): Local | null {
  const [p, q] = i < j ? [i, j] : [j, i];
  return row.second[p * row.arity - (p * (p - 1)) / 2 + (q - p)];
}

/**
 * Contribution of one slot for output cotangent `g`; for a tangent `g` of that slot, its term of the JVP. Operands the
 * primitive does not have are ignored.
 */
export function contribution(
  row: ScalarPrimitive,
  slot: number,
  g: number,
  a: number,
  b: number,
  c: number,
  y: number,
): number {
  const pull = row.vjp?.[slot];
  return pull ? pull(g, a, b, c, y) : g * row.local[slot](a, b, c, y);
}

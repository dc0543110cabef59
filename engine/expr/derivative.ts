/** The table's derivative texts as expressions, read once each. */
import { opcode, primitives } from "../ops/table.js";
import type { Expression } from "./expression.js";
import { parse } from "./parse.js";

const known = new Map<number, Expression[]>();

/**
 * The partial derivative of a primitive in one slot, as an expression over its operands, its output and primitives of the
 * table, in a form that keeps its digits (see each row): what nested differentiation records and what is printed. At a
 * kink it takes the convention of the row.
 *
 * @throws Error naming the primitive or the slot if there is none
 */
export function derivativeExpression(op: string, slot: number): Expression {
  const code = opcode(op);
  let all = known.get(code);
  if (all === undefined) {
    const row = primitives[code];
    all = row.derivatives.map((text) => parse(text, row.operands));
    known.set(code, all);
  }
  const expression = all[slot];
  if (expression === undefined) throw new Error(`primitive "${op}" has no slot ${slot}`);
  return expression;
}

/** The expression shown for a node: as written in the source, else put together from the operation and its operands. */
import { primitives } from "../ops/table.js";
import type { FlatTape } from "../sweep/flat.js";
import { OP_CUT, OP_INPUT } from "../tape/tape.js";
import { findSite } from "../tape/sites.js";

/** Longest expression kept as a label. */
const LIMIT = 120;

export function labelOf(
  flat: FlatTape,
  v: number,
  names: ReadonlyMap<number, string>,
  op: string,
): string | null {
  const code = flat.op[v];
  if (code === OP_INPUT) return null;
  const found = findSite(flat.site[v]);
  if (found !== null) {
    const { module, index } = found;
    const text = module.text.slice(module.start[index], module.end[index]).replace(/\s+/g, " ").trim();
    if (text !== "") return text.length <= LIMIT ? text : `${text.slice(0, LIMIT - 1)}…`;
  }
  const operands: string[] = [];
  for (let k = flat.operandStart[v]; k < flat.operandStart[v + 1]; k++) {
    const reference = flat.operand[k];
    operands.push(
      reference < 0 ? String(flat.constants[~reference]) : (names.get(reference) ?? `#${reference}`),
    );
  }
  const infix = code < OP_CUT ? primitives[code]?.infix : null;
  if (infix !== null && infix !== undefined) {
    return operands.length === 1 ? `${infix}${operands[0]}` : operands.join(` ${infix} `);
  }
  return `${op}(${operands.join(", ")})`;
}

import { primitives } from "../ops/table.js";
import type { FlatTape } from "../sweep/flat.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT, type Tape } from "../tape/tape.js";

/** Name of an opcode, those beside the table included. */
export function codeName(code: number): string {
  if (code === OP_INPUT) return "input";
  if (code === OP_CUSTOM) return "custom";
  if (code === OP_GIVEN) return "given";
  if (code === OP_CUT) return "stopGradient";
  return primitives[code].name;
}

/** Name of the operation of a node that is on a tape. */
export function codeText(tape: Tape, node: number): string {
  const op = tape.opAt(node);
  return op === OP_ARRAY ? (tape.arrays.get(node)?.op ?? "array") : codeName(op);
}

/** Name of the operation of a node. */
export function operationName(flat: FlatTape, v: number): string {
  return flat.op[v] === OP_ARRAY ? flat.arrays!.get(v)!.op! : codeName(flat.op[v]);
}

import { primitives } from "../ops/table.js";
import { OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT } from "../tape/tape.js";

/** Name of an opcode, those beside the table included. */
export function codeName(code: number): string {
  if (code === OP_INPUT) return "input";
  if (code === OP_CUSTOM) return "custom";
  if (code === OP_GIVEN) return "given";
  if (code === OP_CUT) return "stopGradient";
  return primitives[code].name;
}

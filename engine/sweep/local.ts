/** Local derivatives: the partial derivative of a node in each operand slot that is a node. */
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN } from "../tape/tape.js";
import { operandsOf, operandValue, type FlatTape } from "./flat.js";

/** The local derivative along every edge; NaN into an array operation, whose derivative is no number. */
export function localDerivatives(flat: FlatTape, customRules: ReadonlyMap<number, CustomRule>): Float64Array {
  const local = new Float64Array(flat.edgeFrom.length);
  for (let v = 0; v < flat.n; v++) writeLocals(flat, v, customRules, local);
  return local;
}

/** Writes the local derivatives along the edges of node `v`; its operands' primals must be there. */
export function writeLocals(
  flat: FlatTape,
  v: number,
  customRules: ReadonlyMap<number, CustomRule>,
  local: Float64Array,
): void {
  const first = flat.edgeStart[v];
  const end = flat.edgeStart[v + 1];
  if (first === end) return;
  const op = flat.op[v];
  const at = flat.operandStart[v];
  if (op === OP_GIVEN) {
    for (let e = first; e < end; e++) local[e] = flat.givenLocal![at + flat.edgeSlot[e]];
    return;
  }
  if (op === OP_CUSTOM) {
    const pulled = customRules.get(v)!.vjp(1, operandsOf(flat, v), flat.value[v]);
    for (let e = first; e < end; e++) local[e] = pulled[flat.edgeSlot[e]];
    return;
  }
  if (op === OP_ARRAY) {
    local.fill(NaN, first, end);
    return;
  }
  if (op >= OP_CUT) return;
  const rules = primitives[op].local;
  const slots = flat.operandStart[v + 1] - at;
  const a = operandValue(flat, flat.operand[at]);
  const b = slots > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
  const c = slots > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
  const y = flat.value[v];
  for (let e = first; e < end; e++) local[e] = rules[flat.edgeSlot[e]](a, b, c, y);
}

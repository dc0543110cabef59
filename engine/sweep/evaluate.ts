/** Computes a node's primal again from its instruction: the operation on the tape and its operands' primals. */
import { NumericAlgebra, numeric } from "../ops/array/numeric.js";
import { arrayPrimitive } from "../ops/array/table.js";
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, SEGMENT_BITS, SEGMENT_MASK, type Tape } from "../tape/tape.js";
import { operandArrays, operandsOf, operandValue, type FlatTape } from "./flat.js";

/** False for what has no instruction to compute it by: inputs, cut values, values given with their derivatives. */
export function hasInstruction(flat: FlatTape, v: number): boolean {
  const op = flat.op[v];
  return op < OP_CUT || op === OP_ARRAY || op === OP_CUSTOM;
}

/**
 * Evaluates instructions of one recording, bit for bit as it did. Writes primals to the flat tape and to the tape.
 */
export class Evaluator {
  private readonly algebra: NumericAlgebra;

  /** @param round the recording's number format, null for f64 */
  constructor(
    private readonly flat: FlatTape,
    private readonly tape: Tape,
    readonly round: Rounder | null,
    private readonly customRules: ReadonlyMap<number, CustomRule>,
  ) {
    this.algebra = round === null ? numeric : new NumericAlgebra(round);
  }

  /** Computes node `v`; the primals of its operands must be there. */
  run(v: number): void {
    const { flat, tape } = this;
    if (flat.op[v] !== OP_ARRAY) {
      this.put(v, this.number(v));
      return;
    }
    const record = tape.arrays.get(v)!;
    const value = this.algebra.evaluate(arrayPrimitive(record.op!), operandArrays(flat, v), record.params);
    if (record.value === null) this.put(v, value.data[0]);
    else tape.arrays.set(v, { ...record, value });
  }

  private number(v: number): number {
    const { flat, round } = this;
    let y: number;
    if (flat.op[v] === OP_CUSTOM) y = this.customRules.get(v)!.forward(operandsOf(flat, v));
    else {
      const at = flat.operandStart[v];
      const slots = flat.operandStart[v + 1] - at;
      const a = operandValue(flat, flat.operand[at]);
      const b = slots > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
      const c = slots > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
      y = primitives[flat.op[v]].value(a, b, c);
    }
    return round === null ? y : round(y);
  }

  private put(v: number, value: number): void {
    this.flat.value[v] = value;
    this.tape.segments[v >>> SEGMENT_BITS].value[v & SEGMENT_MASK] = value;
  }
}

/**
 * The forward sweep of tangents (JVP): each node's tangent is the sum over its operand slots of local derivative times
 * the operand's tangent (Griewank and Walther 2008, algorithm 3.1). Linear, in recording order.
 */
import { primitives } from "../ops/table.js";
import type { CustomRule } from "../ops/recorder.js";
import type { Rounder } from "../ops/dtype.js";
import { OP_CUSTOM, OP_CUT } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { operandsOf, operandValue, type FlatTape } from "./flat.js";
import { localDerivatives } from "./local.js";

/**
 * Tangent of every node of a tape of scalars.
 *
 * @param tangents tangent by input node; nodes not named have tangent 0
 * @param round rounding of tangents, null for f64
 * @throws BacksweepError `no-rule` for a tape with arrays, whose tangents are swept by `MixedForward`
 */
export function jvpSweep(
  flat: FlatTape,
  tangents: ReadonlyMap<number, number>,
  customRules: ReadonlyMap<number, CustomRule>,
  round: Rounder | null = null,
): Float64Array {
  if (flat.arrays !== null) {
    throw new BacksweepError(
      "no-rule",
      "a column of tangents has no room for those of arrays: use MixedForward",
    );
  }
  const tangent = new Float64Array(flat.n);
  // only nodes outside the table need their locals here
  let locals: Float64Array | null = null;
  const r = (x: number): number => (round === null ? x : round(x));
  for (let v = 0; v < flat.n; v++) {
    const given = tangents.get(v);
    if (given !== undefined) {
      tangent[v] = r(given);
      continue;
    }
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (first === end) continue;
    const custom = flat.op[v] === OP_CUSTOM ? customRules.get(v)! : null;
    if (custom !== null && custom.jvp !== null) {
      const operandTangents = operandsOf(flat, v).map(() => 0);
      for (let e = first; e < end; e++) operandTangents[flat.edgeSlot[e]] = tangent[flat.edgeFrom[e]];
      tangent[v] = r(custom.jvp(operandTangents, operandsOf(flat, v), flat.value[v]));
      continue;
    }
    let sum = 0;
    if (flat.op[v] >= OP_CUT) {
      locals ??= localDerivatives(flat, customRules);
      for (let e = first; e < end; e++) sum = r(sum + r(locals[e] * tangent[flat.edgeFrom[e]]));
    } else {
      const row = primitives[flat.op[v]];
      const at = flat.operandStart[v];
      const slots = flat.operandStart[v + 1] - at;
      const a = operandValue(flat, flat.operand[at]);
      const b = slots > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
      const c = slots > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
      for (let e = first; e < end; e++) {
        const slot = flat.edgeSlot[e];
        const t = tangent[flat.edgeFrom[e]];
        const pull = row.vjp?.[slot];
        // a scalar primitive's pull is linear in its first argument, so it is the push as well
        sum = r(
          sum +
            r(
              pull === undefined
                ? row.local[slot](a, b, c, flat.value[v]) * t
                : pull(t, a, b, c, flat.value[v]),
            ),
        );
      }
    }
    tangent[v] = sum;
  }
  return tangent;
}

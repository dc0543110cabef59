/** A scalar primitive by name, on operands of any kind: what the explicit calls do when these are not all numbers. */
import { activeRecorder } from "../ops/recorder.js";
import { primitive } from "../ops/table.js";
import { call, callRow } from "../tape/callsite.js";
import { isTensor } from "../tape/tensor.js";
import { isTraced, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { callArray } from "./array-calls.js";

/** Applies a primitive to numbers, traced or not. Throws `definition` for anything else. */
export function apply(name: string, operands: readonly unknown[]): number {
  if (operands.some(isArrayLike)) return callArray(name, operands) as unknown as number;
  const row = primitive(name);
  const given = operands.slice(0, row.arity);
  let traced = false;
  given.forEach((x, i) => {
    if (isTraced(x)) traced = true;
    else if (typeof x !== "number") {
      throw new BacksweepError(
        "definition",
        `${name}: operand ${i + 1} is ${x === null || x === undefined ? String(x) : `a ${typeof x}`}, not a number`,
        call.site,
      );
    }
  });
  if (given.length < row.arity) {
    throw new BacksweepError(
      "definition",
      `${name} takes ${row.arity} operands, ${given.length} given`,
      call.site,
    );
  }
  if (!traced) return row.value(given[0] as number, (given[1] as number) ?? 0, (given[2] as number) ?? 0);
  const recorder = activeRecorder();
  if (recorder === null) {
    throw new BacksweepError(
      "definition",
      `${name}: a traced number is used after its graph function has returned`,
      call.site,
    );
  }
  return recorder.apply(name, given as Operand[], call.site, callRow()) as unknown as number;
}

/** A list, typed array or tensor among the operands makes the operation one on arrays. */
function isArrayLike(x: unknown): boolean {
  return isTensor(x) || Array.isArray(x) || ArrayBuffer.isView(x);
}

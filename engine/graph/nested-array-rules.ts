/**
 * The algebra in which a sweep inside a graph records the rules of array operations: that of traced arrays, where an
 * element-wise operation's derivative is written out in operations of the table. The rows' own rules hand such a derivative
 * to one operation (`pull`), which is faster and ends at the second derivative; what is written out does not end.
 */
import { derivativeExpression } from "../expr/derivative.js";
import type { Expression } from "../expr/expression.js";
import type { Algebra } from "../ops/array/algebra.js";
import { RecordingAlgebra } from "../ops/array/recording.js";
import type { ArrayPrimitive } from "../ops/array/row.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { isPrimitive, primitive } from "../ops/table.js";

const written = new Map<string, ArrayPrimitive>();

export class WrittenAlgebra extends RecordingAlgebra {
  override row(name: string): ArrayPrimitive {
    let row = written.get(name);
    if (row === undefined) written.set(name, (row = writtenRow(name)));
    return row;
  }
}

/** The row with its rules written out; as it is where one decides between pieces, element by element, or needs no help. */
function writtenRow(name: string): ArrayPrimitive {
  const row = arrayPrimitive(name);
  if (!isPrimitive(name) || arithmetic.has(name)) return row;
  const derivatives = primitive(name).derivatives.map((_, slot) => derivativeExpression(name, slot));
  if (derivatives.some(decides)) return row;
  return {
    ...row,
    vjp(slot, k, g, operands, output) {
      const part = times(k, g, derivatives[slot], operands, output);
      return part === null ? null : k.sumTo(k.broadcastTo(part, k.shape(output)), k.shape(operands[slot]));
    },
    jvp(k, tangents, operands, output) {
      const sum = k.total(
        tangents.map((t, slot) => (t === null ? null : times(k, t, derivatives[slot], operands, output))),
      );
      return sum === null ? null : k.broadcastTo(sum, k.shape(output));
    },
  };
}

/** Rows whose own rules are arithmetic already. */
const arithmetic: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "neg"]);

function decides(expression: Expression): boolean {
  return expression.kind === "if" || (expression.kind === "apply" && expression.args.some(decides));
}

/** `g` times a derivative; null where that is the number 0: nothing flows, which is not 0 times the cotangent. */
function times<T>(k: Algebra<T>, g: T, derivative: Expression, operands: readonly T[], output: T): T | null {
  const known = new Map<Expression, T>();
  const of = (expression: Expression): T => {
    const before = known.get(expression);
    if (before !== undefined) return before;
    const made = evaluate(expression);
    known.set(expression, made);
    return made;
  };
  const evaluate = (expression: Expression): T => {
    switch (expression.kind) {
      case "number":
        return k.number(expression.value);
      case "output":
        return output;
      case "operand":
        return operands[expression.slot];
      case "apply":
        return k.apply(expression.op, expression.args.map(of));
      case "if":
        throw new Error("a derivative in pieces is not written out for arrays");
    }
  };
  if (isNumber(derivative, 0)) return null;
  if (isNumber(derivative, 1)) return g;
  // g / b rather than g * (1 / b): one rounding, and no overflow on the way
  if (derivative.kind === "apply" && derivative.op === "div" && isNumber(derivative.args[0], 1))
    return k.div(g, of(derivative.args[1]));
  return k.mul(g, of(derivative));
}

function isNumber(x: Expression, value: number): boolean {
  return x.kind === "number" && x.value === value;
}

/** A derivative of the table with entries of a store in the place of its operands and its output. */
import { opcode } from "../ops/table.js";
import type { Condition, Expression } from "./expression.js";
import { applied, both, choose, either, related } from "./simplify.js";
import type { ExpressionStore } from "./store.js";

/**
 * The entry of an expression, simplified; recursion over the depth of a formula.
 *
 * @param operands entries of the operands, by slot
 * @param output entry of the output
 */
export function instantiate(
  store: ExpressionStore,
  expression: Expression,
  operands: readonly number[],
  output: number,
): number {
  const entry = (x: Expression): number => instantiate(store, x, operands, output);
  switch (expression.kind) {
    case "number":
      return store.number(expression.value);
    case "operand":
      return operands[expression.slot];
    case "output":
      return output;
    case "apply":
      return applied(store, opcode(expression.op), expression.args.map(entry));
    case "if":
      return choose(store, test(store, expression.test, entry), entry(expression.yes), entry(expression.no));
  }
}

function test(store: ExpressionStore, condition: Condition, entry: (x: Expression) => number): number {
  switch (condition.kind) {
    case "compare":
      return related(store, condition.relation, entry(condition.left), entry(condition.right));
    case "truth":
      return entry(condition.of);
    case "and":
      return both(store, test(store, condition.left, entry), test(store, condition.right, entry));
    case "or":
      return either(store, test(store, condition.left, entry), test(store, condition.right, entry));
  }
}

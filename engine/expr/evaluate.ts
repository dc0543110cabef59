/** The value of an expression at operands; recursion over its depth, which is that of a formula, not of a tape. */
import { primitive } from "../ops/table.js";
import { compare, type Condition, type Expression } from "./expression.js";

/**
 * Evaluates with the table's values; only the branch a condition chooses is evaluated.
 *
 * @param operands by slot
 * @param y the output of the primitive the expression belongs to
 */
export function evaluate(expression: Expression, operands: readonly number[], y: number): number {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "output":
      return y;
    case "operand":
      return operands[expression.slot];
    case "if":
      return evaluate(holds(expression.test, operands, y) ? expression.yes : expression.no, operands, y);
    case "apply": {
      const [a, b = 0, c = 0] = expression.args.map((arg) => evaluate(arg, operands, y));
      return primitive(expression.op).value(a, b, c);
    }
  }
}

/** Whether a condition holds at operands. */
export function holds(condition: Condition, operands: readonly number[], y: number): boolean {
  switch (condition.kind) {
    case "compare":
      return compare(
        condition.relation,
        evaluate(condition.left, operands, y),
        evaluate(condition.right, operands, y),
      );
    case "truth":
      return Boolean(evaluate(condition.of, operands, y));
    case "and":
      return holds(condition.left, operands, y) && holds(condition.right, operands, y);
    case "or":
      return holds(condition.left, operands, y) || holds(condition.right, operands, y);
  }
}

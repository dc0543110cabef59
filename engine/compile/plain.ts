/** What can be said of an expression without running it. All answers are conservative. */
import type { Node } from "@babel/types";
import type { BlockScope } from "./bindings.js";
import { unwrap } from "./tree.js";

const bits = new Set(["&", "|", "^", "<<", ">>", ">>>"]);
const comparisons = new Set(["==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "instanceof"]);
const globals = new Set(["undefined", "NaN", "Infinity"]);

/** True if the value is surely no traced number, so that the operation on it can stay as it is written. */
export function neverTraced(node: Node, scope: BlockScope): boolean {
  if (scope.untraced) return true;
  const at = unwrap(node);
  switch (at.type) {
    case "NumericLiteral":
    case "StringLiteral":
    case "BooleanLiteral":
    case "NullLiteral":
    case "BigIntLiteral":
    case "RegExpLiteral":
    case "TemplateLiteral":
    case "ArrayExpression":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassExpression":
    case "MetaProperty":
      // an object literal is not among them: its valueOf may give a traced number
      return true;
    case "Identifier": {
      const binding = scope.resolve(at.name);
      return binding ? binding.plain : globals.has(at.name);
    }
    case "UnaryExpression":
      return at.operator === "-" || at.operator === "+"
        ? neverTraced(at.argument, scope)
        : at.operator !== "throw";
    case "UpdateExpression":
      return neverTraced(at.argument, scope);
    case "BinaryExpression":
      if (comparisons.has(at.operator) || bits.has(at.operator)) return true;
      return neverTraced(at.left, scope) && neverTraced(at.right, scope);
    case "LogicalExpression":
      return neverTraced(at.left, scope) && neverTraced(at.right, scope);
    case "ConditionalExpression":
      return neverTraced(at.consequent, scope) && neverTraced(at.alternate, scope);
    case "SequenceExpression":
      return neverTraced(at.expressions[at.expressions.length - 1], scope);
    case "AssignmentExpression":
      if (bits.has(at.operator.slice(0, -1))) return true;
      return neverTraced(at.right, scope) && (at.operator === "=" || neverTraced(at.left, scope));
    default:
      return false;
  }
}

/** True if the value is surely a boolean (so testing its truth needs no help). */
export function isBoolean(node: Node): boolean {
  const at = unwrap(node);
  switch (at.type) {
    case "BooleanLiteral":
      return true;
    case "UnaryExpression":
      return at.operator === "!" || at.operator === "delete";
    case "BinaryExpression":
      return comparisons.has(at.operator);
    case "LogicalExpression":
      return isBoolean(at.left) && isBoolean(at.right);
    default:
      return false;
  }
}

/** True if `===` against it is false for every traced number. */
export function equalsNoNumber(node: Node, scope: BlockScope): boolean {
  const at = unwrap(node);
  switch (at.type) {
    case "StringLiteral":
    case "BooleanLiteral":
    case "NullLiteral":
    case "BigIntLiteral":
    case "TemplateLiteral":
    case "RegExpLiteral":
    case "ArrayExpression":
    case "ObjectExpression":
      return true;
    case "Identifier":
      return at.name === "undefined" && scope.resolve("undefined") === null;
    case "UnaryExpression":
      return at.operator === "void" || at.operator === "typeof" || at.operator === "!";
    default:
      return false;
  }
}

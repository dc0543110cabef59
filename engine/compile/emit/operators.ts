/** Operators that are rewritten in place: arithmetic, comparisons, truth, typeof, bit operations. */
import type * as t from "@babel/types";
import { equalsNoNumber, isBoolean, neverTraced } from "../plain.js";
import type { Emitter, Use } from "./emitter.js";
import { inlineBinary, inlineSign } from "./inline.js";
import { keepReference } from "./references.js";

export const arithmetic: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "mod",
  "**": "pow",
};
const comparison: Readonly<Record<string, string>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
  "===": "same",
  "!==": "differs",
};
/** Operators whose left side may be a traced number, which they take for an object. */
const kinds: Readonly<Record<string, string>> = { instanceof: "instance", in: "has" };
export const bits = new Set(["&", "|", "^", "<<", ">>", ">>>"]);

export function binary(e: Emitter, node: t.BinaryExpression): void {
  const { left, right, operator } = node;
  const rewritten = arithmetic[operator] ?? comparison[operator] ?? kinds[operator];
  const skip =
    left.type === "PrivateName" ||
    (neverTraced(left, e.scope) && neverTraced(right, e.scope)) ||
    ((operator === "===" || operator === "!==") &&
      (equalsNoNumber(left, e.scope) || equalsNoNumber(right, e.scope))) ||
    ((operator === "==" || operator === "!=") && (isNullish(left, e) || isNullish(right, e)));
  if (rewritten !== undefined && !skip) {
    if (kinds[operator] === undefined && inlineBinary(e, node, rewritten)) return;
    const close = e.wrap(node, rewritten);
    e.visit(left);
    const at = e.find(operator, left.end!);
    e.edits.replace(at, at + operator.length, ",");
    e.visit(right);
    close();
  } else if (bits.has(operator)) {
    bitOperand(e, left);
    bitOperand(e, right);
  } else {
    e.visit(left);
    e.visit(right);
  }
}

function isNullish(node: t.Node, e: Emitter): boolean {
  return (
    node.type === "NullLiteral" ||
    (node.type === "Identifier" && node.name === "undefined" && e.scope.resolve("undefined") === null)
  );
}

/** An operand of a bit operation: its primal, with a note. */
export function bitOperand(e: Emitter, node: t.Node): void {
  if (neverTraced(node, e.scope)) {
    e.visit(node);
    return;
  }
  const close = e.wrap(node, "bits");
  e.visit(node);
  close();
}

export function unary(e: Emitter, node: t.UnaryExpression): void {
  const { operator, argument } = node;
  switch (operator) {
    case "-":
    case "+": {
      if (neverTraced(argument, e.scope)) break;
      if (operator === "-" && inlineSign(e, node)) return;
      const close = e.wrap(node, operator === "-" ? "neg" : "pos");
      e.edits.replace(node.start!, node.start! + 1, "");
      e.visit(argument);
      close();
      return;
    }
    case "!":
      test(e, argument);
      return;
    case "~":
      bitOperand(e, argument);
      return;
    case "typeof":
      typeOf(e, node);
      return;
    case "delete":
      keepReference(argument);
      break;
    default:
      break;
  }
  e.visit(argument);
}

function typeOf(e: Emitter, node: t.UnaryExpression): void {
  const { argument } = node;
  const inner = argument.type === "ParenthesizedExpression" ? argument.expression : argument;
  if (inner.type === "Identifier" && e.scope.resolve(inner.name) === null) {
    // A name nobody declares may not exist at all, and `typeof` is the one operator that allows it.
    if (inner.name === "process") {
      e.edits.replace(node.start!, node.start! + 6, `"undefined"`);
      e.edits.blank(node.start! + 6, node.end!);
    }
    return;
  }
  if (neverTraced(argument, e.scope)) {
    e.visit(argument);
    return;
  }
  e.edits.open(node.start!, `${e.prefix}.typeOf(`);
  e.edits.blank(node.start!, node.start! + 6);
  e.visit(argument);
  e.edits.close(node.end!, ")");
}

/** A value of which only the truth matters. */
export function test(e: Emitter, node: t.Node): void {
  if (node.type === "ParenthesizedExpression") {
    test(e, node.expression);
  } else if (node.type === "LogicalExpression" && node.operator !== "??") {
    test(e, node.left);
    test(e, node.right);
  } else if (isBoolean(node) || neverTraced(node, e.scope)) {
    e.visit(node, "test");
  } else {
    const close = e.wrap(node, "truth");
    e.visit(node);
    close();
  }
}

/**
 * `a || b` gives a traced truthy `a` itself and discards a falsy one; `a && b` must give back a traced falsy `a`, so it
 * becomes a conditional over a variable that is read straight after it was written.
 */
export function logical(e: Emitter, node: t.LogicalExpression, use: Use): void {
  const { left, right, operator } = node;
  if (operator === "??" || isBoolean(left) || neverTraced(left, e.scope)) {
    e.visit(left);
    e.visit(right, use === "test" ? "value" : use);
    return;
  }
  if (operator === "||") {
    const close = e.wrap(left, "or");
    e.visit(left);
    close();
    e.visit(right, use === "void" ? "void" : "value");
    return;
  }
  const temp = e.temp();
  const tail = e.where(left);
  e.edits.open(node.start!, `(${e.prefix}.truth(${temp} = `);
  e.visit(left);
  e.edits.close(left.end!, `${tail})`);
  const at = e.find("&&", left.end!);
  e.edits.replace(at, at + 2, "?");
  e.visit(right, use === "void" ? "void" : "value");
  e.edits.close(node.end!, ` : ${temp})`);
}

export function conditional(e: Emitter, node: t.ConditionalExpression, use: Use): void {
  test(e, node.test);
  e.visit(node.consequent, use);
  e.visit(node.alternate, use);
}

export function sequence(e: Emitter, node: t.SequenceExpression, use: Use): void {
  node.expressions.forEach((expression, i) => {
    e.visit(expression, i === node.expressions.length - 1 ? use : "void");
  });
}

export function template(e: Emitter, node: t.TemplateLiteral): void {
  for (const expression of node.expressions) {
    if (neverTraced(expression, e.scope)) {
      e.visit(expression);
      continue;
    }
    const close = e.wrap(expression, "text");
    e.visit(expression);
    close();
  }
}

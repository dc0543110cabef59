/**
 * Arithmetic and comparisons of two plain numbers stay where they are: `a * b` becomes
 * `(typeof a === "number" && typeof b === "number" ? a * b : $b.mul(a, b, SITE, SCOPE))`. The compiler of the host then sees numbers,
 * and a branch it need not compile as long as it is not taken; a call for each operation would box every result.
 *
 * What is evaluated once but read twice goes through variables of the function. Where code may be entered again before
 * they are read (a field's initialiser, a parameter's default), and the function that would hold them is not the one that
 * runs, only operands that need none are inlined.
 */
import type * as t from "@babel/types";
import type { Emitter } from "./emitter.js";

/** True if reading it again has no effect and cannot give something else, unless something is assigned in between. */
export function simple(e: Emitter, node: t.Node): boolean {
  switch (node.type) {
    case "NumericLiteral":
    case "ThisExpression":
      return true;
    case "Identifier":
      // a name nobody declares may be an accessor of the global object
      return e.scope.resolve(node.name) !== null;
    default:
      return false;
  }
}

/** `typeof x === "number"` for an operand's text, nothing for a literal. */
export function isNumber(operands: readonly { readonly text: string; readonly literal: boolean }[]): string {
  const tests = operands.filter(({ literal }) => !literal).map(({ text }) => `typeof ${text} === "number"`);
  return tests.length === 0 ? "true" : tests.join(" && ");
}

/**
 * Emits a binary operator inline, visiting both operands; false if it must be a call, and then nothing is done.
 *
 * @param helper the runtime's function for operands that are not both plain numbers
 */
export function inlineBinary(e: Emitter, node: t.BinaryExpression, helper: string): boolean {
  const { left, right, operator } = node;
  if (left.type === "PrivateName" || left.type === "StringLiteral" || right.type === "StringLiteral")
    return false;
  if (left.type === "TemplateLiteral" || right.type === "TemplateLiteral") return false;
  const plainRight = simple(e, right);
  // a variable on the left is read before the right side is evaluated, which may assign to it
  const plainLeft =
    simple(e, left) && (plainRight || left.type === "NumericLiteral" || left.type === "ThisExpression");
  if (e.noTemps && !(plainLeft && plainRight)) return false;
  const first = plainLeft ? e.text.slice(left.start!, left.end!) : e.temp();
  const second = plainRight ? e.text.slice(right.start!, right.end!) : e.temp();
  const test = isNumber([
    { text: first, literal: left.type === "NumericLiteral" },
    { text: second, literal: right.type === "NumericLiteral" },
  ]);
  const at = e.find(operator, left.end!);
  const length = operator.length;
  let head: string;
  let middle: string = operator;
  let result = "";
  if (plainLeft && plainRight) {
    head = `(${test} ? `;
  } else if (plainRight) {
    head = `(${first} = `;
    middle = `, ${test} ? ${first} ${operator}`;
  } else {
    head = plainLeft ? "(" : `(${first} = `;
    middle = `, ${second} =`;
    result = `, ${test} ? ${first} ${operator} ${second}`;
  }
  const site = e.site(node.start!, node.end!);
  const tail = `, ${site}, ${e.scopeVar}`;
  e.frame.used = true;
  const read = e.newest.operand(e, operator, left, right);
  e.edits.open(node.start!, head);
  e.visit(left);
  e.edits.replace(at, at + length, middle);
  e.visit(right);
  const product = { x: first, y: second, site };
  const call = e.newest.leave(node, read, product)
    ? "undefined"
    : e.newest.call(e, helper, node, read, [first, second], tail);
  e.edits.close(node.end!, `${result} : ${call})`);
  return true;
}

/** The same for a sign. */
export function inlineSign(e: Emitter, node: t.UnaryExpression): boolean {
  const { argument } = node;
  const plain = simple(e, argument);
  if (e.noTemps && !plain) return false;
  const operand = plain ? e.text.slice(argument.start!, argument.end!) : e.temp();
  const test = isNumber([{ text: operand, literal: false }]);
  const tail = e.where(node);
  // no sum: a product below it is made
  const read = e.newest.operand(e, "*", null, argument);
  e.edits.replace(node.start!, node.start! + 1, "");
  e.edits.open(node.start!, plain ? `(${test} ? -` : `(${operand} = `);
  e.visit(argument);
  e.edits.close(
    node.end!,
    `${plain ? "" : `, ${test} ? -${operand}`} : ${e.newest.call(e, "neg", node, read, [operand], tail)})`,
  );
  return true;
}

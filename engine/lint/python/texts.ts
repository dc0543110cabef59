/** Strings: plain ones are literals; what is put together at run time is a template. */
import type { Node } from "../tree.js";
import { literalOf, make, type Lowering } from "./lowering.js";
import { named, part, walkSyntax, type Syntax } from "./syntax.js";

export function textNode(low: Lowering, node: Syntax): Node {
  const inserted: Syntax[] = [];
  let text = "";
  walkSyntax(node, (inside) => {
    if (inside.type === "interpolation") {
      const expression = part(inside, "expression");
      if (expression !== null) inserted.push(expression);
      return false;
    }
    if (inside.type === "string_content") text += low.source(inside);
    return inside.type === "string" || inside.type === "concatenated_string";
  });
  return inserted.length === 0
    ? literalOf(text, node)
    : make("TemplateLiteral", node, { quasis: [], expressions: inserted.map((one) => low.expression(one)) });
}

/**
 * A key put together from pieces of text: `"dW" + str(i)`, `f"b{i}"`, `"W%d" % i`. It names a parameter of a model; nodes
 * are no texts.
 */
export function isBuiltText(node: Syntax): boolean {
  if (node.type === "parenthesized_expression") return named(node).some(isBuiltText);
  if (node.type === "string") return node.children.some(({ type }) => type === "interpolation");
  if (node.type === "concatenated_string") return true;
  if (node.type === "call") {
    const callee = part(node, "function");
    const object = callee === null ? null : part(callee, "object");
    return object !== null && object.type === "string";
  }
  if (node.type !== "binary_operator") return false;
  const sides = [part(node, "left"), part(node, "right")];
  return sides.some((side) => side !== null && (side.type === "string" || isBuiltText(side)));
}

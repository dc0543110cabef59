/** Where the operator of an assignment stands in the text. */
import type { FileFacts } from "../facts.js";
import { child, endOf, startOf, type Node } from "../tree.js";

/** Offset of an assignment's operator. */
export function operatorAt(facts: FileFacts, node: Node, operator: string): number | null {
  if (node.type !== "AssignmentExpression") return null;
  const left = child(node, "left")!;
  const right = child(node, "right")!;
  for (let at = endOf(left); at < startOf(right);) {
    const text = facts.text;
    if (text.startsWith("//", at)) at = text.indexOf("\n", at) + 1 || startOf(right);
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else if (text.startsWith(operator, at)) return at;
    else at++;
  }
  return null;
}

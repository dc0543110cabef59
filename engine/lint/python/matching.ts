/** `match`: a dispatch, as a `switch` is. What a pattern binds is a part of the subject that is not followed. */
import type { Node } from "../tree.js";
import { behind, literalOf, make, name, type Lowering } from "./lowering.js";
import { childOfType, named, part, parts, walkSyntax, type Syntax } from "./syntax.js";

export function matchStatement(low: Lowering, node: Syntax): Node {
  const subject = part(node, "subject");
  const body = part(node, "body");
  const cases = (body === null ? [] : parts(body, "alternative")).map((clause) => {
    const patterns = clause.children.filter(({ type }) => type === "case_pattern");
    for (const pattern of patterns) bindNames(low, pattern);
    const guard = childOfType(clause, "if_clause");
    const [condition] = guard === null ? [] : named(guard);
    const consequence = part(clause, "consequence");
    return make("SwitchCase", clause, {
      test: condition === undefined ? tag(low, patterns[0]) : low.expression(condition),
      consequent: consequence === null ? [] : low.statements(consequence.children),
    });
  });
  return make("SwitchStatement", node, {
    discriminant: subject === null ? name("undefined", behind(node)) : low.expression(subject),
    cases,
  });
}

/** The text or number a case asks for; null for the case of all others. */
function tag(low: Lowering, pattern: Syntax | undefined): Node | null {
  const [inner] = pattern === undefined ? [] : named(pattern);
  return inner === undefined ? null : literalOf(low.source(inner), inner);
}

/** Names in a pattern are bound: `case Mul(a, b)`. Names with a dot are asked for. */
function bindNames(low: Lowering, pattern: Syntax): void {
  walkSyntax(pattern, (node) => {
    if (node.type === "dotted_name") {
      const inside = named(node);
      if (inside.length === 1 && !/^[A-Z]/.test(low.source(inside[0]))) low.bindInside(low.source(inside[0]));
      return false;
    }
    return node.type !== "keyword_pattern" || named(node).length > 0;
  });
}

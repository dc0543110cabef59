/** From the text of a Python file to the tree that the rules read. */
import type { Comment, Parsed } from "../parse.js";
import { lowerExpression } from "./expressions.js";
import { declare, Lowering, make, name } from "./lowering.js";
import { outlineOf } from "./outline.js";
import { lowerStatement } from "./statements.js";
import { walkSyntax, type PythonParser, type Syntax } from "./syntax.js";

/** Broken files give what can be read of them. Throws TooDeep. */
export function parsePython(text: string, parser: PythonParser): Parsed {
  const tree = parser.parse(text);
  return { root: lowerModule(tree, text), comments: commentsIn(tree, text) };
}

/** `language` is how the rules know whose words to use in a rewrite. */
export function lowerModule(tree: Syntax, text: string): Parsed["root"] {
  const low = new Lowering(text, outlineOf(tree, text), {
    expression: lowerExpression,
    statement: lowerStatement,
  });
  const body = low.statements(tree.children);
  const start = { start: 0, end: 0 };
  const hoisted = low.scope.hoisted.map((id) => declare("var", name(id, start), null, start));
  return make("Program", { start: 0, end: text.length }, { body: [...hoisted, ...body], language: "python" });
}

function commentsIn(tree: Syntax, text: string): Comment[] {
  const out: Comment[] = [];
  walkSyntax(tree, (node) => {
    if (node.type === "comment")
      out.push({ value: text.slice(node.start + 1, node.end), start: node.start, end: node.end });
  });
  return out;
}

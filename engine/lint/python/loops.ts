/** Loops. Names that a `for` binds are its own, so that two loops over two lists do not mix theirs. */
import type { Node } from "../tree.js";
import { bindTargets, countedBy, patternOf, walkedBy } from "./iteration.js";
import { behind, binary, block, declare, make, name, scopeOf, type Lowering } from "./lowering.js";
import { part, type Syntax } from "./syntax.js";

export function forStatement(low: Lowering, node: Syntax, out: Node[]): void {
  const left = part(node, "left");
  const right = part(node, "right");
  const body = part(node, "body");
  if (left === null || right === null) return;
  if (left.type === "identifier") {
    const counted = countedBy(low, right);
    if (counted !== null) {
      out.push(counting(low, node, left, counted));
      otherwise(low, node, out);
      return;
    }
  }
  const { target, list, more } = walkedBy(low, left, right);
  const scope = scopeOf("block", low.scope);
  bindTargets(low, left, scope);
  const lowered = low.within(scope, () => {
    const id = target === null ? name("_", behind(left)) : patternOf(low, target);
    const plain = id.type === "Identifier" || id.type === "ArrayPattern";
    const statements = body === null ? [] : low.statements(body.children);
    return make("ForOfStatement", node, {
      left: plain ? declare("let", id, null, left) : id,
      right: list,
      body: block([...more, ...statements], body ?? behind(node)),
    });
  });
  out.push(lowered);
  otherwise(low, node, out);
}

/** `for i in range(...)`: a loop that counts. */
function counting(
  low: Lowering,
  node: Syntax,
  left: Syntax,
  { from, to, down }: NonNullable<ReturnType<typeof countedBy>>,
): Node {
  const id = low.source(left);
  const scope = scopeOf("block", low.scope, { names: [id] });
  const counter = (): Node => name(id, left);
  // a counter that starts at a name is not that name
  const start =
    from.type === "Identifier" || from.type === "MemberExpression"
      ? make("UnaryExpression", { start: from.start!, end: from.end! }, { operator: "+", argument: from })
      : from;
  return low.within(scope, () =>
    make("ForStatement", node, {
      init: declare("let", counter(), start, left),
      test: to === null ? null : binary(down ? ">=" : "<", counter(), to, behind(left)),
      update: make("UpdateExpression", behind(left), {
        operator: down ? "--" : "++",
        prefix: false,
        argument: name(id, behind(left)),
      }),
      body: low.block(part(node, "body"), behind(node)),
    }),
  );
}

export function whileStatement(low: Lowering, node: Syntax, out: Node[]): void {
  const test = part(node, "condition");
  out.push(
    make("WhileStatement", node, {
      test: test === null ? name("undefined", behind(node)) : low.expression(test),
      body: low.block(part(node, "body"), behind(node)),
    }),
  );
  otherwise(low, node, out);
}

/** The `else` of a loop runs behind it. */
function otherwise(low: Lowering, node: Syntax, out: Node[]): void {
  const clause = part(node, "alternative");
  if (clause !== null) out.push(low.block(part(clause, "body"), clause));
}

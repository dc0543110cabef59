/** Statements of Python as those of the rules' tree. */
import type { Node } from "../tree.js";
import { assignment, augmented, store } from "./assignments.js";
import { classStatement, functionStatement } from "./functions.js";
import { forStatement, whileStatement } from "./loops.js";
import { behind, block, declare, literalOf, make, name, statementOf, type Lowering } from "./lowering.js";
import { matchStatement } from "./matching.js";
import { childOfType, named, part, parts, type Syntax } from "./syntax.js";

export function lowerStatement(low: Lowering, node: Syntax, out: Node[]): void {
  switch (node.type) {
    case "expression_statement":
      for (const inside of named(node)) expressionStatement(low, inside, out);
      return;
    case "return_statement": {
      const [value] = named(node);
      out.push(
        make("ReturnStatement", node, { argument: value === undefined ? null : low.expression(value) }),
      );
      return;
    }
    case "if_statement":
      out.push(ifStatement(low, node));
      return;
    case "for_statement":
      forStatement(low, node, out);
      return;
    case "while_statement":
      whileStatement(low, node, out);
      return;
    case "function_definition":
      functionStatement(low, node, out);
      return;
    case "class_definition":
      classStatement(low, node, out);
      return;
    case "decorated_definition": {
      const definition = part(node, "definition");
      if (definition !== null) lowerStatement(low, definition, out);
      return;
    }
    case "with_statement":
      withStatement(low, node, out);
      return;
    case "try_statement":
      out.push(tryStatement(low, node));
      return;
    case "match_statement":
      out.push(matchStatement(low, node));
      return;
    case "break_statement":
      out.push(make("BreakStatement", node));
      return;
    case "continue_statement":
      out.push(make("ContinueStatement", node));
      return;
    case "raise_statement": {
      const [value] = named(node);
      out.push(
        make("ThrowStatement", node, {
          argument: value === undefined ? literalOf(null, behind(node)) : low.expression(value),
        }),
      );
      return;
    }
    case "import_statement":
    case "import_from_statement":
      imported(low, node, out);
      return;
    case "assert_statement":
    case "delete_statement":
    case "print_statement":
    case "exec_statement":
      for (const inside of named(node)) out.push(statementOf(low.expression(inside), inside));
      return;
    case "block":
    case "ERROR":
      out.push(...low.statements(node.children));
  }
}

function expressionStatement(low: Lowering, node: Syntax, out: Node[]): void {
  if (node.type === "assignment") assignment(low, node, out);
  else if (node.type === "augmented_assignment") augmented(low, node, out);
  else out.push(statementOf(low.expression(node), node));
}

/** Branches from the last to the first, so that many of them need no depth here. */
function ifStatement(low: Lowering, node: Syntax): Node {
  const heads = [node, ...parts(node, "alternative").filter(({ type }) => type === "elif_clause")];
  const lowered = heads.map((head) => {
    const test = part(head, "condition");
    return {
      head,
      test: test === null ? name("undefined", behind(head)) : low.expression(test),
      consequent: low.block(part(head, "consequence"), behind(head)),
    };
  });
  const otherwise = parts(node, "alternative").find(({ type }) => type === "else_clause");
  let alternate = otherwise === undefined ? null : low.block(part(otherwise, "body"), otherwise);
  for (const { head, test, consequent } of lowered.reverse())
    alternate = make(
      "IfStatement",
      { start: head.start, end: alternate?.end ?? Math.max(head.end, consequent.end!) },
      { test, consequent, alternate },
    );
  return alternate!;
}

function withStatement(low: Lowering, node: Syntax, out: Node[]): void {
  const clause = childOfType(node, "with_clause");
  for (const item of clause === null ? [] : named(clause)) {
    const value = part(item, "value") ?? named(item)[0];
    if (value === undefined) continue;
    const target = part(value, "alias");
    const [inner] = target === null ? [] : named(target);
    const [given] = named(value);
    if (value.type === "as_pattern" && inner !== undefined && given !== undefined)
      store(low, value, inner, low.expression(given), out);
    else out.push(statementOf(low.expression(value), value));
  }
  out.push(low.block(part(node, "body"), behind(node)));
}

/** `try: bar[p] += c` with `except KeyError: bar[p] = c`: asks for the entry as an `if` would. */
const ASKING = /^\(?\s*(?:KeyError|AttributeError|TypeError|IndexError)\b/;

/** All handlers in one: which of them runs is no concern of the rules. */
function tryStatement(low: Lowering, node: Syntax): Node {
  const body = part(node, "body");
  const statements = body === null ? [] : low.statements(body.children);
  const after = node.children.find(({ type }) => type === "else_clause");
  if (after !== undefined) statements.push(low.block(part(after, "body"), after));
  const handlers = node.children.filter(({ type }) => /^except/.test(type));
  const caught = handlers.map((handler) => {
    const value = part(handler, "value");
    const out: Node[] = [];
    const alias = value?.type === "as_pattern" ? part(value, "alias") : null;
    const [id] = alias === null ? [] : named(alias);
    if (id?.type === "identifier" && low.binds(low.source(id)))
      out.push(declare("var", name(low.source(id), id), null, id));
    const inside = childOfType(handler, "block");
    return block([...out, ...(inside === null ? [] : low.statements(inside.children))], handler);
  });
  const last = node.children.find(({ type }) => type === "finally_clause");
  const asks = handlers.length === 1 ? part(handlers[0], "value") : null;
  if (asks !== null && last === undefined && ASKING.test(low.source(asks)))
    return make("IfStatement", node, {
      test: name("undefined", { start: node.start, end: node.start }),
      consequent: block(statements, body ?? node),
      alternate: caught[0],
    });
  return make("TryStatement", node, {
    block: block(statements, body ?? node),
    handler:
      caught.length === 0
        ? null
        : make("CatchClause", handlers[0], { param: null, body: block(caught, handlers[0]) }),
    finalizer: last === undefined ? null : low.block(childOfType(last, "block"), last),
  });
}

/** `import a.b as c`, `from a import b as c`. */
function imported(low: Lowering, node: Syntax, out: Node[]): void {
  const specifiers = parts(node, "name").map((one) => {
    const alias = part(one, "alias");
    const path = one.type === "aliased_import" ? part(one, "name") : one;
    // `import a.b` binds `a`
    const id = alias ?? (path === null ? one : (named(path)[0] ?? path));
    const last = alias ?? (path === null ? one : (named(path).at(-1) ?? path));
    const local = node.type === "import_statement" ? id : last;
    low.scope.names.add(low.source(local));
    return make(node.type === "import_statement" ? "ImportNamespaceSpecifier" : "ImportSpecifier", one, {
      local: name(low.source(local), local),
    });
  });
  if (specifiers.length > 0) out.push(make("ImportDeclaration", node, { specifiers }));
}

/** Functions, lambdas and classes. What is defined inside a method sees the method's `self`, so it is an arrow function. */
import type { Node } from "../tree.js";
import {
  behind,
  block,
  declare,
  literalOf,
  make,
  name,
  scopeOf,
  statementOf,
  type Lowering,
  type Scope,
} from "./lowering.js";
import { childOfType, named, part, walkSyntax, type Syntax } from "./syntax.js";

/** `lambda x: e`. */
export function lambda(low: Lowering, node: Syntax): Node {
  const list = part(node, "parameters");
  const body = part(node, "body");
  const scope = scopeOf("function", low.scope);
  const params = list === null ? [] : parameters(low, named(list), scope);
  return low.within(scope, () =>
    make("ArrowFunctionExpression", node, {
      params,
      body: body === null ? block([], node) : low.expression(body),
      async: false,
      generator: false,
    }),
  );
}

/** Defaults are evaluated outside of the function, its names are bound in it. */
function parameters(low: Lowering, list: readonly Syntax[], scope: Scope): Node[] {
  const out: Node[] = [];
  for (const param of list) {
    const id = param.type === "identifier" ? param : (part(param, "name") ?? named(param)[0]);
    if (id === undefined || /separator$/.test(param.type)) continue;
    const target = pattern(low, id, scope);
    const value = part(param, "value");
    if (value !== null)
      out.push(make("AssignmentPattern", param, { left: target, right: low.expression(value) }));
    else out.push(target);
  }
  return out;
}

function pattern(low: Lowering, node: Syntax, scope: Scope): Node {
  if (/splat/.test(node.type)) {
    const id = named(node)[0];
    return make("RestElement", node, {
      argument: id === undefined ? name("rest", node) : pattern(low, id, scope),
    });
  }
  if (node.type === "tuple_pattern")
    return make("ArrayPattern", node, { elements: named(node).map((one) => pattern(low, one, scope)) });
  const id = low.source(node);
  scope.names.add(id);
  return name(id, node);
}

interface Made {
  readonly params: readonly Node[];
  readonly body: Node;
  readonly generator: boolean;
  readonly async: boolean;
}

/** Parameters and body of a `def`; `bound`: the first parameter is what the method is called on. */
function made(low: Lowering, node: Syntax, bound: "self" | "class" | null): Made {
  const list = part(node, "parameters");
  const all = list === null ? [] : named(list);
  const first = all[0];
  const takes = bound !== null && first !== undefined && first.type === "identifier";
  const scope = scopeOf("function", low.scope, {
    self: takes && bound === "self" ? low.source(first) : null,
  });
  const params = parameters(low, takes ? all.slice(1) : all, scope);
  const body = part(node, "body");
  for (const at of body === null ? [] : ownStatements(body))
    if (at.type === "global_statement" || at.type === "nonlocal_statement")
      for (const id of named(at)) scope.elsewhere.add(low.source(id));
  const lowered = low.within(scope, () => {
    const statements = body === null ? [] : low.statements(body.children);
    const span = { start: (body ?? node).start, end: (body ?? node).start };
    const hoisted = scope.hoisted.map((id) => declare("var", name(id, span), null, span));
    // `cls` is the class
    if (takes && bound === "class")
      hoisted.push(declare("var", name(low.source(first), first), name(low.owner(), first), first));
    return block([...hoisted, ...statements], body ?? node);
  });
  return {
    params,
    body: lowered,
    generator: yields(body),
    async: node.children.some(({ type }) => type === "async"),
  };
}

/** Statements of a function's own, not of functions and classes inside it. */
function ownStatements(body: Syntax): Syntax[] {
  const out: Syntax[] = [];
  walkSyntax(body, (node) => {
    if (/_definition$|^lambda$/.test(node.type)) return false;
    if (/_statement$/.test(node.type)) out.push(node);
    return !/^expression_statement$/.test(node.type);
  });
  return out;
}

function yields(body: Syntax | null): boolean {
  let found = false;
  if (body !== null)
    walkSyntax(body, (node) => {
      found ||= node.type === "yield";
      return (
        !found && !/^(?:function_definition|class_definition|lambda|decorated_definition)$/.test(node.type)
      );
    });
  return found;
}

/** `def f(...): ...` outside of a class: a name that holds a function. */
export function functionStatement(low: Lowering, node: Syntax, out: Node[]): void {
  const id = part(node, "name");
  if (id === null) return;
  const text = low.source(id);
  const first = low.binds(text);
  const { params, body, generator, async } = made(low, node, null);
  const fn = make("ArrowFunctionExpression", node, { params, body, generator, async });
  const target = name(text, id);
  out.push(
    first
      ? declare("var", target, fn, node)
      : statementOf(make("AssignmentExpression", node, { operator: "=", left: target, right: fn }), node),
  );
}

const CONSTRUCTORS = new Set(["__init__", "__new__", "__post_init__", "__cinit__"]);

export function classStatement(low: Lowering, node: Syntax, out: Node[]): void {
  const id = part(node, "name");
  const body = part(node, "body");
  if (id === null) return;
  const text = low.source(id);
  low.binds(text);
  const superclasses = part(node, "superclasses");
  const base =
    superclasses === null ? undefined : named(superclasses).find(({ type }) => type !== "keyword_argument");
  const superClass = base === undefined ? null : low.expression(base);
  const scope = scopeOf("class", low.scope, { owner: text });
  const members = low.within(scope, () => {
    const list: Node[] = [];
    for (const one of body?.children ?? []) classMember(low, one, list);
    return list;
  });
  out.push(
    make("ClassDeclaration", node, {
      id: name(text, id),
      superClass,
      body: make("ClassBody", body ?? node, { body: members }),
    }),
  );
}

function classMember(low: Lowering, node: Syntax, out: Node[]): void {
  const definition = node.type === "decorated_definition" ? part(node, "definition") : node;
  if (definition?.type === "function_definition") {
    out.push(methodOf(low, definition, decorators(low, node)));
    return;
  }
  const assigned = node.type === "expression_statement" ? childOfType(node, "assignment") : null;
  const target = assigned === null ? null : part(assigned, "left");
  if (assigned !== null && target?.type === "identifier") {
    const value = part(assigned, "right");
    out.push(
      make("PropertyDefinition", node, {
        key: name(low.source(target), target),
        computed: false,
        static: true,
        value: value === null ? null : fieldDefault(low, value),
      }),
    );
    return;
  }
  const inside = low.statements([node]);
  if (inside.length > 0) out.push(make("StaticBlock", node, { body: inside }));
}

/** `field(default=0.0)`, `field(default_factory=list)` of dataclasses: how the field starts. */
function fieldDefault(low: Lowering, value: Syntax): Node {
  const callee = value.type === "call" ? part(value, "function") : null;
  if (callee === null || !/(?:^|\.)(?:field|Field|attrib|ib)$/.test(low.source(callee)))
    return low.expression(value);
  const list = part(value, "arguments");
  for (const argument of list === null ? [] : named(list)) {
    if (argument.type !== "keyword_argument") continue;
    const key = part(argument, "name");
    const given = part(argument, "value");
    if (key === null || given === null) continue;
    if (/^default$/.test(low.source(key))) return low.expression(given);
    if (/factory$/.test(low.source(key)))
      return make("NewExpression", given, { callee: low.expression(given), arguments: [] });
  }
  return literalOf(null, value);
}

function decorators(low: Lowering, node: Syntax): readonly string[] {
  if (node.type !== "decorated_definition") return [];
  return node.children
    .filter(({ type }) => type === "decorator")
    .map((decorator) => {
      const [what] = named(decorator);
      return what === undefined ? "" : low.source(what);
    });
}

function methodOf(low: Lowering, node: Syntax, decorated: readonly string[]): Node {
  const id = part(node, "name");
  const text = id === null ? "" : low.source(id);
  const isStatic = decorated.includes("staticmethod");
  const ofClass = decorated.includes("classmethod") || text === "__new__";
  const getter = decorated.some((one) =>
    /^(?:property|functools\.cached_property|cached_property)$/.test(one),
  );
  const setter = decorated.some((one) => /\.setter$/.test(one));
  const { params, body, generator, async } = made(low, node, isStatic ? null : ofClass ? "class" : "self");
  const value = make("FunctionExpression", node, { id: null, params, body, generator, async });
  return make("MethodDefinition", node, {
    key: name(CONSTRUCTORS.has(text) && text !== "__new__" ? "constructor" : text, id ?? behind(node)),
    computed: false,
    static: isStatic || ofClass,
    kind: getter
      ? "get"
      : setter
        ? "set"
        : CONSTRUCTORS.has(text) && text !== "__new__"
          ? "constructor"
          : "method",
    value,
  });
}

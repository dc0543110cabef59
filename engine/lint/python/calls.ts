/** Calls: plain ones, constructions, and methods of lists, sets and dictionaries under the names the rules know. */
import type { Node } from "../tree.js";
import { lowered } from "./arguments.js";
import { builtIn } from "./builtins.js";
import { assign, call, make, member, method, name, spread, type Lowering } from "./lowering.js";
import { moduleCall } from "./modules.js";
import { named, part, unwrapped, type Syntax } from "./syntax.js";

export function lowerCall(low: Lowering, node: Syntax): Node {
  const callee = part(node, "function");
  const list = part(node, "arguments");
  if (callee === null || list === null) return make("SequenceExpression", node, { expressions: [] });
  // `sum(x for x in xs)`
  const args = list.type === "generator_expression" ? [list] : named(list);
  const inner = unwrapped(callee);
  if (inner.type === "identifier") {
    const id = low.source(inner);
    if (id === "super") return make("Super", node);
    const known = low.isBuiltIn(id) ? builtIn(low, node, id, args) : null;
    if (known !== null) return known;
    const made = classNamed(low, inner);
    return made === null
      ? call(low.expression(inner), positional(low, id, args), node)
      : make("NewExpression", node, { callee: made, arguments: positional(low, "__init__", args) });
  }
  if (inner.type === "attribute") {
    const object = part(inner, "object");
    const field = part(inner, "attribute");
    if (object !== null && field !== null) {
      const known =
        moduleCall(low, node, inner, args) ?? methodCall(low, node, object, low.source(field), args);
      if (known !== null) return known;
      const made = classNamed(low, inner);
      if (made !== null) return make("NewExpression", node, { callee: made, arguments: lowered(low, args) });
    }
  }
  const made = classNamed(low, inner);
  if (made !== null) return make("NewExpression", node, { callee: made, arguments: lowered(low, args) });
  return call(low.expression(inner), lowered(low, args), node);
}

/** Named arguments at the places of a function of this file, as far as they fill its parameters without a gap. */
function positional(low: Lowering, fn: string, args: readonly Syntax[]): Node[] {
  const params = fn === "__init__" ? undefined : low.outline.params.get(fn);
  if (params === undefined) return lowered(low, args);
  const plain = args.filter(({ type }) => type !== "keyword_argument" && type !== "dictionary_splat");
  const byName = new Map<string, Syntax>();
  for (const argument of args) {
    const key = argument.type === "keyword_argument" ? part(argument, "name") : null;
    if (key !== null) byName.set(low.source(key), argument);
  }
  if (byName.size === 0 || plain.length + byName.size !== args.length) return lowered(low, args);
  const out = plain.map((argument) => low.expression(argument));
  for (const param of params.slice(plain.length)) {
    const argument = byName.get(param);
    const value = argument === undefined ? null : part(argument, "value");
    if (value === null) break;
    byName.delete(param);
    out.push(low.expression(value));
  }
  return byName.size === 0 ? out : lowered(low, args);
}

/** The class that a callee constructs: one of this file, one named as classes are, `cls`, `type(self)`. */
function classNamed(low: Lowering, callee: Syntax): Node | null {
  const text = low.source(callee);
  if (callee.type === "identifier") {
    if (low.outline.classes.has(text) || /^_*[A-Z]\w*[a-z]\w*$/.test(text)) return name(text, callee);
    if (/^[A-Z]$/.test(text) && low.outline.classes.has(text)) return name(text, callee);
    return text === "cls" && low.owner() !== "" ? name(low.owner(), callee) : null;
  }
  if (/^(?:self\.__class__|type\(\s*self\s*\))$/.test(text)) return name(low.owner() || "Node", callee);
  if (callee.type !== "attribute") return null;
  const field = part(callee, "attribute");
  return field !== null && /^_*[A-Z]\w*[a-z]\w*$/.test(low.source(field)) ? low.expression(callee) : null;
}

/** A method under the name of JavaScript's own that does the same; null: it is called as it is named. */
function methodCall(
  low: Lowering,
  node: Syntax,
  object: Syntax,
  field: string,
  args: readonly Syntax[],
): Node | null {
  const on = (): Node => low.expression(object);
  const [first, second] = args;
  const plain = args.every(({ type }) => !/splat|keyword/.test(type));
  if (!plain) return field === "sort" ? method(on(), "sort", [], node) : null;
  switch (field) {
    case "append":
      return args.length === 1 ? method(on(), "push", lowered(low, args), node) : null;
    case "appendleft":
      return method(on(), "unshift", lowered(low, args), node);
    case "extend":
      return args.length === 1 ? method(on(), "push", [spread(low.expression(first))], node) : null;
    case "insert":
      if (args.length !== 2) return null;
      return /^0$/.test(low.source(first))
        ? method(on(), "unshift", [low.expression(second)], node)
        : method(on(), "splice", lowered(low, args), node);
    case "pop":
      return popped(low, node, object, args);
    case "popleft":
      return method(on(), "shift", [], node);
    case "popitem":
      return method(on(), "pop", [], node);
    case "index":
      return args.length > 0 ? method(on(), "indexOf", [low.expression(first)], node) : null;
    case "copy":
      return args.length === 0 ? method(on(), "slice", [], node) : null;
    case "get":
      return args.length === 2
        ? make("LogicalExpression", node, {
            operator: "??",
            left: method(on(), "get", [low.expression(first)], node),
            right: low.expression(second),
          })
        : null;
    case "setdefault":
      return args.length === 2
        ? assign(
            make("MemberExpression", node, { object: on(), property: low.expression(first), computed: true }),
            low.expression(second),
            node,
            "??=",
          )
        : null;
    case "update":
      return updated(low, node, object, args);
    case "__getitem__":
    case "get_item":
      return args.length === 1 ? method(on(), "get", [low.expression(first)], node) : null;
  }
  return null;
}

/** `xs.pop()`, `xs.pop(0)`, `grads.pop(node)`, `grads.pop(node, 0.0)`. */
function popped(low: Lowering, node: Syntax, object: Syntax, args: readonly Syntax[]): Node {
  const on = low.expression(object);
  const [first, fallback] = args;
  if (first === undefined || /^-\s*1$/.test(low.source(first))) return method(on, "pop", [], node);
  if (/^0$/.test(low.source(first)) && !low.isDictionary(object)) return method(on, "shift", [], node);
  const taken = method(on, "get", [low.expression(first)], node);
  return fallback === undefined
    ? taken
    : make("LogicalExpression", node, { operator: "??", left: taken, right: low.expression(fallback) });
}

/** `grads.update(more)` puts entries over those that are there; a Counter adds, a set takes elements in. */
function updated(low: Lowering, node: Syntax, object: Syntax, args: readonly Syntax[]): Node | null {
  if (args.length !== 1) return null;
  const given = low.expression(args[0]);
  const on = low.expression(object);
  if (!low.isDictionary(object) || low.isCounter(object)) return method(on, "push", [spread(given)], node);
  const target = member(name("Object", { start: node.start, end: node.start }), "assign", node);
  return call(target, [on, given], node);
}

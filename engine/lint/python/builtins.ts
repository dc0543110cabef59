/** Built-in functions: what they do to a list, an object or a number in the words of the rules' tree. */
import type { Node } from "../tree.js";
import { keyword, lowered } from "./arguments.js";
import {
  assign,
  binary,
  call,
  construct,
  entry,
  listOf,
  literalOf,
  make,
  member,
  method,
  name,
  spread,
  type Lowering,
} from "./lowering.js";
import { named, unwrapped, type Syntax } from "./syntax.js";

/** Functions whose result stands for their argument: the same number, the same node. */
const TRANSPARENT = new Set(["float", "int", "complex", "id", "hash", "iter", "str", "repr", "bool"]);
const OF_MATH: Readonly<Record<string, string>> = {
  abs: "abs",
  max: "max",
  min: "min",
  pow: "pow",
  round: "round",
};

/** Null: nothing is known of it, it is called as any function. */
export function builtIn(low: Lowering, node: Syntax, id: string, args: readonly Syntax[]): Node | null {
  const one = args.length === 1 && !/splat|keyword/.test(args[0].type) ? args[0] : null;
  const given = (): Node => low.expression(args[0]);
  if (TRANSPARENT.has(id)) {
    if (one === null) return args.length === 0 ? literalOf(0, node) : null;
    return id === "str" || id === "repr" ? call(name("String", node), [given()], node) : given();
  }
  if (id in OF_MATH && args.length > 0)
    return method(
      name("Math", { start: node.start, end: node.start }),
      OF_MATH[id],
      lowered(low, args),
      node,
    );
  switch (id) {
    case "len":
      return one === null ? null : member(given(), "length", node);
    case "reversed":
      return one === null ? null : method(given(), "toReversed", [], node);
    case "sorted":
      return args.length > 0 ? sorted(low, node, args) : null;
    case "list":
    case "tuple":
    case "deque":
      if (args.length === 0) return listOf([], node);
      return listOf([spread(given())], node);
    case "set":
    case "frozenset":
      return construct("Set", args.length === 0 ? [] : [given()], node);
    case "dict":
    case "defaultdict":
    case "OrderedDict":
    case "Counter":
    case "WeakKeyDictionary":
    case "WeakValueDictionary":
      return dictionaryOf(low, node, id, args);
    case "isinstance":
      return args.length === 2 ? binary("instanceof", given(), low.expression(args[1]), node) : null;
    case "hasattr":
    case "getattr":
      return attributeOf(low, node, args);
    case "setattr":
      return args.length === 3 && isText(args[1])
        ? assign(member(given(), textOf(low, args[1]), node), low.expression(args[2]), node)
        : null;
    case "map":
    case "filter":
      return args.length === 2 ? method(low.expression(args[1]), id, [given()], node) : null;
    case "next":
      return args.length > 0 ? method(given(), "find", [], node) : null;
    case "partial":
      return bound(low, node, args);
  }
  return null;
}

/** `sorted(xs, key=..., reverse=True)` is turned round. */
function sorted(low: Lowering, node: Syntax, args: readonly Syntax[]): Node {
  const upwards = method(low.expression(args[0]), "toSorted", lowered(low, args.slice(1)), node);
  const turned = keyword(low, args, "reverse");
  return turned?.type === "true" ? method(upwards, "toReversed", [], node) : upwards;
}

/** `dict(pairs)`, `dict(a=1)`, `defaultdict(float)`. */
function dictionaryOf(low: Lowering, node: Syntax, id: string, args: readonly Syntax[]): Node {
  const keyed = args.length > 0 && args.every(({ type }) => type === "keyword_argument");
  if (id === "dict" && keyed) return lowered(low, args)[0];
  const from = id === "defaultdict" ? args[1] : args[0];
  return construct("Map", from === undefined ? [] : [low.expression(from)], node);
}

/** `getattr(x, "grad", None)` reads the field. */
function attributeOf(low: Lowering, node: Syntax, args: readonly Syntax[]): Node | null {
  if (args.length < 2) return null;
  const read = isText(args[1])
    ? member(low.expression(args[0]), textOf(low, args[1]), node)
    : entry(low.expression(args[0]), low.expression(args[1]), node);
  return args.length < 3
    ? read
    : make("LogicalExpression", node, { operator: "??", left: read, right: low.expression(args[2]) });
}

/** `partial(f, a)` is a function that will run `f`. */
export function bound(low: Lowering, node: Syntax, args: readonly Syntax[]): Node | null {
  const [fn, ...more] = args;
  if (fn === undefined) return null;
  return method(low.expression(fn), "bind", [literalOf(null, node), ...lowered(low, more)], node);
}

function isText(node: Syntax): boolean {
  const inner = unwrapped(node);
  return inner.type === "string" && named(inner).every(({ type }) => type !== "interpolation");
}

const textOf = (low: Lowering, node: Syntax): string =>
  named(unwrapped(node))
    .filter(({ type }) => type === "string_content")
    .map((inside) => low.source(inside))
    .join("");

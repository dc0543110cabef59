/** Functions of a file: their names, what they stand in, and whether they run where they stand or later. */
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  keyName,
  propertyName,
  receiver,
  type Node,
} from "./tree.js";

/** Methods that call their function argument at once, for each element. */
const AT_ONCE = new Set([
  "forEach",
  "map",
  "flatMap",
  "filter",
  "reduce",
  "reduceRight",
  "some",
  "every",
  "find",
  "findIndex",
  "findLast",
  "sort",
  "toSorted",
  "from",
  "of",
  "entries",
  "each",
  "eachBefore",
  "eachAfter",
  "untracked",
]);

export interface Fn {
  readonly node: Node;
  /** the name it is known by: its own, its variable's, its property's or its method's; "" when it has none */
  readonly name: string;
  /** class it is a method or field of */
  readonly owner: Node | null;
  readonly kind: "method" | "constructor" | "get" | "set" | "function";
  readonly isStatic: boolean;
  /** called at once where it stands: a callback of forEach, an immediately invoked function */
  readonly inline: boolean;
  /** the nearest function around it */
  readonly parent: Fn | null;
  /** member expression that it is assigned to (`out._backward = ...`), null otherwise */
  readonly storedOn: Node | null;
  readonly params: readonly Node[];
  /** return statements, and the body of an arrow without braces */
  readonly returns: Node[];
}

/** Where a function value ends up, through parentheses, casts, conditionals, `.bind(this)` and decorating calls of one argument. */
function destination(node: Node): Node {
  let at = node;
  for (;;) {
    const parent = at.parent;
    if (parent === null || parent === undefined) return at;
    if (
      bare(parent) !== parent ||
      parent.type === "ConditionalExpression" ||
      parent.type === "LogicalExpression"
    )
      at = parent;
    else if (
      isMember(parent) &&
      child(parent, "object") === at &&
      propertyName(parent) === "bind" &&
      parent.parent !== null &&
      parent.parent !== undefined &&
      isCall(parent.parent)
    )
      at = parent.parent;
    else return at;
  }
}

export function isInline(node: Node): boolean {
  const at = destination(node);
  const parent = at.parent;
  if (parent === null || parent === undefined || !isCall(parent)) return false;
  if (child(parent, "callee") === at || (at !== node && child(parent, "callee") === at)) return true;
  const callee = child(parent, "callee");
  if (callee !== null && isFunction(bare(callee))) return true;
  const name = calleeName(parent);
  return receiver(parent) !== null && name !== null && AT_ONCE.has(name);
}

export function describeFunction(node: Node, parent: Fn | null): Fn {
  let name = identifier(child(node, "id")) ?? "";
  let owner: Node | null = null;
  let kind: Fn["kind"] = "function";
  let isStatic = false;
  let storedOn: Node | null = null;
  const at = destination(node);
  const holder = at.parent;
  if (holder !== null && holder !== undefined) {
    switch (holder.type) {
      case "MethodDefinition":
      case "PropertyDefinition":
      case "AccessorProperty":
      case "TSAbstractMethodDefinition":
        name = keyName(child(holder, "key")!, holder.computed === true) ?? name;
        owner = holder.parent?.parent ?? null;
        isStatic = holder.static === true;
        kind = "method";
        if (holder.kind === "constructor" || holder.kind === "get" || holder.kind === "set")
          kind = holder.kind;
        break;
      case "Property":
        name = keyName(child(holder, "key")!, holder.computed === true) ?? name;
        if (holder.kind === "get" || holder.kind === "set") kind = holder.kind;
        break;
      case "VariableDeclarator":
        name ||= identifier(child(holder, "id")) ?? "";
        break;
      case "AssignmentPattern":
        name ||= identifier(child(holder, "left")) ?? "";
        break;
      case "AssignmentExpression": {
        const left = bare(child(holder, "left")!);
        if (isMember(left)) {
          storedOn = left;
          name = propertyName(left) ?? name;
        } else name ||= identifier(left) ?? "";
      }
    }
  }
  const fn: Fn = {
    node,
    name,
    owner,
    kind,
    isStatic,
    inline: isInline(node),
    parent,
    storedOn,
    params: children(node, "params").filter((param) => param !== null),
    returns: [],
  };
  const body = child(node, "body");
  if (body !== null && body.type !== "BlockStatement") fn.returns.push(body);
  return fn;
}

/** The class or prototype a method stands in, as a word for messages. */
export function ownerName(fn: Fn): string | null {
  if (fn.owner !== null) return identifier(child(fn.owner, "id"));
  return null;
}

/** `Ctor.prototype.name = function ...`: the constructor's name. */
export function prototypeOf(fn: Fn): string | null {
  const object = fn.storedOn === null ? null : bare(child(fn.storedOn, "object")!);
  if (object === null || !isMember(object) || propertyName(object) !== "prototype") return null;
  return identifier(child(object, "object"));
}

/** Statement lists run before what a `return` leaves: the arguments of the call that receives a callback. */
export function callOf(fn: Fn): Node | null {
  const parent = fn.node.parent;
  return parent !== null && parent !== undefined && isCall(parent) && argumentsOf(parent).includes(fn.node)
    ? parent
    : null;
}

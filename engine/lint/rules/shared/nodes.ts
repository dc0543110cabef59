/** Nodes of a kind, and the function in whose run a node is evaluated when visitors with a name count as functions. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { methodsNamed, localFunction } from "../../local.js";
import { groupBy, partOf } from "../../lookups.js";
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
  startOf,
  endOf,
  walk,
  type Node,
} from "../../tree.js";

/** All nodes of a type, in the order of the text. */
export const nodesOf = (facts: FileFacts, type: string): readonly Node[] => facts.byType.get(type) ?? [];

/** Those of a type that stand inside a node. */
export const nodesIn = (facts: FileFacts, type: string, outer: Node): readonly Node[] =>
  partOf(nodesOf(facts, type), outer);

/** Like `facts.home`, but an invoked function with a name of its own (`(function visit(n) { ... })(root)`) is a home. */
export function runsIn(facts: FileFacts, node: Node): Fn | null {
  let fn = facts.enclosing(node);
  while (fn !== null && fn.inline && identifier(child(fn.node, "id")) === null) fn = fn.parent;
  return fn;
}

export const callsIn = (facts: FileFacts, fn: Fn): readonly Node[] =>
  facts.once("calls by home", (file) => groupBy(file.calls, (call) => runsIn(file, call))).get(fn) ?? [];

/** Constructions that run in a function. */
export const newsIn = (facts: FileFacts, fn: Fn): readonly Node[] =>
  facts.once("news by home", (file) => groupBy(file.news, (node) => runsIn(file, node))).get(fn) ?? [];

export const inside = (node: Node, outer: Node): boolean =>
  startOf(node) >= startOf(outer) && endOf(node) <= endOf(outer);

/** Every node of `root` in the order of the text. */
export function partsOf(root: Node): Node[] {
  const out: Node[] = [];
  walk(root, (node) => void out.push(node));
  return out;
}

export const mentionsNode = (root: Node, test: (node: Node) => boolean): boolean => partsOf(root).some(test);

/** Calls of `fn`, by its name, by a method of that name, and where it is handed to a method of arrays. */
export function isCallOf(facts: FileFacts, call: Node, fn: Fn): boolean {
  const callee = bare(child(call, "callee")!);
  if (callee.type === "Identifier") {
    const binding = facts.scopes.resolve(callee);
    return (
      binding !== null &&
      (binding.declaration === fn.node ||
        (binding.kind === "variable" &&
          binding.definitions.some(
            ({ expression, path }) => path.length === 0 && bare(expression) === fn.node,
          )))
    );
  }
  const called = isMember(callee) ? propertyName(callee) : null;
  if (called === null || called !== fn.name || fn.name === "") return false;
  if (fn.kind === "method" || fn.storedOn !== null || fn.node.parent?.type === "Property") return true;
  // a local function kept in a field of its own name: `out.backward = backward`
  return fn.kind === "function" && !fn.inline && keptAs(facts, fn).includes(called);
}

/** Names under which a function is kept on objects: a property, a parameter of a constructor or maker it is handed to. */
export function keptAs(facts: FileFacts, fn: Fn): readonly string[] {
  const cache = facts.once("kept as", () => new Map<Fn, readonly string[]>());
  const known = cache.get(fn);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const note = (node: Node): void => {
    const parent = outermost(node).parent;
    if (parent == null) return;
    if (parent.type === "Property" && parent.parent?.type === "ObjectExpression") {
      const name = keyName(child(parent, "key")!, parent.computed === true);
      if (name !== null) names.add(name);
    } else if (parent.type === "AssignmentExpression") {
      const left = bare(child(parent, "left")!);
      if (isMember(left)) names.add(propertyName(left) ?? "[]");
    } else if (isCall(parent) || parent.type === "NewExpression") {
      const at = argumentsOf(parent).findIndex((argument) => bare(argument) === bare(node));
      for (const name of parameterNames(facts, parent, at)) names.add(name);
    }
  };
  if (fn.kind === "method" && fn.name !== "") names.add(fn.name);
  note(fn.node);
  for (const use of usesOf(facts, fn)) note(use);
  names.delete("");
  const list = [...names];
  cache.set(fn, list);
  return list;
}

function outermost(node: Node): Node {
  let at = node;
  while (
    at.parent != null &&
    (bare(at.parent) !== at.parent ||
      (at.parent.type === "ConditionalExpression" && child(at.parent, "test") !== at))
  )
    at = at.parent;
  return at;
}

/** `b` of `a.b`: no use of a local `b`. */
const isNameOfMember = (node: Node): boolean => {
  const { parent } = node;
  return parent != null && isMember(parent) && parent.computed !== true && child(parent, "property") === node;
};

/** Identifiers that stand for a named local function where it is not called. */
function usesOf(facts: FileFacts, fn: Fn): readonly Node[] {
  if (fn.name === "" || fn.kind === "method" || fn.storedOn !== null) return [];
  const table = facts.once("uses by name", (file) => {
    const names = new Set(file.functions.map(({ name }) => name));
    return groupBy(nodesOf(file, "Identifier"), (node) =>
      names.has(node.name as string) && !isNameOfMember(node) ? (node.name as string) : null,
    );
  });
  return (table.get(fn.name) ?? []).filter((node) => {
    const binding = facts.scopes.resolve(node);
    return (
      binding !== null &&
      binding.declaration !== node &&
      (binding.declaration === fn.node ||
        binding.definitions.some(({ expression }) => bare(expression) === fn.node))
    );
  });
}

/** The name of the parameter an argument lands in, and of the field that parameter is stored in. */
export function parameterNames(facts: FileFacts, call: Node, at: number): readonly string[] {
  if (at < 0) return [];
  const target = makerOf(facts, call);
  const param = target?.params[at];
  if (target == null || param === undefined) return [];
  const inner =
    param.type === "TSParameterProperty"
      ? child(param, "parameter")!
      : param.type === "AssignmentPattern"
        ? child(param, "left")!
        : param;
  const id = inner.type === "AssignmentPattern" ? child(inner, "left")! : inner;
  const name = identifier(id);
  if (name === null) return [];
  // `constructor(readonly inputs)` declares the field with the parameter
  const out = param.type === "TSParameterProperty" ? [name, name] : [name];
  // `this.fields = param`, `{ field: param }`
  for (const node of partsOf(target.node)) {
    if (node.type === "AssignmentExpression") {
      const left = bare(child(node, "left")!);
      let right = bare(child(node, "right")!);
      // `this.operands = operands ?? []`
      if (right.type === "LogicalExpression") right = bare(child(right, "left")!);
      if (isMember(left) && identifier(right) === name) out.push(propertyName(left) ?? "[]");
    } else if (node.type === "Property" && identifier(child(node, "value")) === name) {
      const key = keyName(child(node, "key")!, node.computed === true);
      if (key !== null) out.push(key);
    }
  }
  return out;
}

const constructorOf = (facts: FileFacts, owner: Node): Fn | undefined =>
  facts
    .once("constructors", (file) =>
      groupBy(file.functions, (fn) => (fn.kind === "constructor" ? fn.owner : null)),
    )
    .get(owner)?.[0];

/** The constructor or function of this file that a call or `new` runs. */
export function makerOf(facts: FileFacts, call: Node): Fn | null {
  if (isCall(call)) return localFunction(facts, call);
  const callee = bare(child(call, "callee")!);
  const binding = callee.type === "Identifier" ? facts.scopes.resolve(callee) : null;
  if (binding === null) return null;
  return (
    constructorOf(facts, binding.declaration) ??
    (isFunction(binding.declaration) ? facts.functionOf(binding.declaration) : null)
  );
}

/** Functions of this file that a call may run: plain calls, and methods by their name. */
export function targetsOf(facts: FileFacts, call: Node): readonly Fn[] {
  const local = localFunction(facts, call);
  if (local !== null) return [local];
  const name = calleeName(call);
  return name !== null && receiver(call) !== null ? methodsNamed(facts, name) : [];
}

export const literals = (node: Node): readonly Node[] =>
  node.type === "ArrayExpression" ? children(node, "elements").filter((e) => e !== null) : [];

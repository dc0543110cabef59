/** Assignments: first ones declare, those to entries of dictionaries put into a Map, tuples are taken apart. */
import type { Node } from "../tree.js";
import { targetsOf } from "./iteration.js";
import {
  assign,
  binary,
  declare,
  entry,
  make,
  method,
  name,
  statementOf,
  type Lowering,
} from "./lowering.js";
import { indexNode, sliceOf, subscripts } from "./subscripts.js";
import { named, part, unwrapped, type Syntax } from "./syntax.js";
import { isBuiltText } from "./texts.js";

/** `a = b`, `a: T = b`, `a = b = c`, `a, b = c`; `a: T` alone declares nothing. */
export function assignment(low: Lowering, node: Syntax, out: Node[]): void {
  const targets: Syntax[] = [];
  let value: Syntax | null = node;
  while (value !== null && value.type === "assignment") {
    const left: Syntax | null = part(value, "left");
    if (left !== null) targets.push(left);
    value = part(value, "right");
  }
  if (value === null) return;
  if (targets.length === 1) {
    one(low, node, targets[0], value, out);
    return;
  }
  // `a.grad = b.grad = g`: the value goes into each, from the left
  let shared: Node | null = null;
  for (const target of targets) {
    const given: Node = shared ?? low.expression(value);
    store(low, node, target, given, out, true);
    shared = given.type === "Identifier" || given.type === "Literal" ? given : low.expression(value);
  }
}

function one(low: Lowering, node: Syntax, target: Syntax, value: Syntax, out: Node[]): void {
  const targets = targetsOf(target);
  const values = targets === null ? null : valuesOf(value);
  if (targets !== null && values !== null && targets.length === values.length) {
    const lowered = values.map((given) => low.expression(given));
    targets.forEach((part, i) => store(low, node, part, lowered[i], out, true));
    return;
  }
  store(low, node, target, low.expression(value), out);
}

/** The elements of a tuple or list that is spelled out. */
function valuesOf(node: Syntax): readonly Syntax[] | null {
  const inner = unwrapped(node);
  if (!/^(?:expression_list|tuple|list)$/.test(inner.type)) return null;
  const inside = named(inner);
  return inside.some(({ type }) => /splat/.test(type)) ? null : inside;
}

/** One target of an assignment. `split`: it is one of several in the statement. */
export function store(
  low: Lowering,
  node: Syntax,
  target: Syntax,
  value: Node,
  out: Node[],
  split = false,
): void {
  const inner = unwrapped(target);
  const span = split ? { start: inner.start, end: Math.max(inner.end, value.end ?? 0) } : node;
  if (inner.type === "identifier") {
    const id = low.source(inner);
    const target = name(id, inner);
    if (low.binds(id)) out.push(declare("var", target, value, span));
    else out.push(statementOf(assign(target, value, span), span));
    return;
  }
  if (targetsOf(inner) !== null) {
    destructure(low, node, inner, value, out);
    return;
  }
  const written = placeWritten(low, inner, value, span);
  if (written !== null) out.push(statementOf(split ? { ...written, split } : written, span));
}

/** `self.grads["W"] = ...`: a parameter's own record, kept under a name by the object that has the parameter. */
function ownRecord(low: Lowering, target: Syntax): Node | null {
  const object = part(target, "value");
  const [index, ...more] = subscripts(target);
  if (object === null || index === undefined || more.length > 0 || unwrapped(index).type !== "string")
    return null;
  const holder = object.type === "attribute" ? part(object, "object") : null;
  if (holder?.type !== "identifier") return null;
  const lowered = low.expression(holder);
  return lowered.type === "ThisExpression" ? entry(lowered, low.expression(index), target) : null;
}

/** A field or an entry written; null: nothing that a rule could look at. */
function placeWritten(
  low: Lowering,
  target: Syntax,
  value: Node,
  span: { start: number; end: number },
): Node | null {
  if (target.type !== "subscript") return assign(low.expression(target), value, span);
  const own = ownRecord(low, target);
  if (own !== null) return assign(own, value, span);
  const object = part(target, "value");
  const indices = subscripts(target);
  if (object === null || indices.length === 0) return value;
  if (indices.length === 1) {
    const [index] = indices;
    // `x.grad[:] = values`, `x.grad[...] = values`: the whole content
    if (index.type === "ellipsis" || isWhole(index))
      return method(low.expression(object), "set", [value], span);
    // a parameter of a model under a name that is put together is no node
    if (isBuiltText(index)) return value;
    const constant = value.type === "Literal";
    if (!constant && low.isDictionary(object) && !/^(?:string|integer)$/.test(unwrapped(index).type))
      return method(low.expression(object), "set", [low.expression(index), value], span);
  }
  return assign(entry(low.expression(object), indexNode(low, indices), target), value, span);
}

function isWhole(index: Syntax): boolean {
  if (index.type !== "slice") return false;
  const { from, to, step } = sliceOf(index);
  return from === null && to === null && step === null;
}

/** `a, b = f()`: names that are new are declared, fields are written. */
function destructure(low: Lowering, node: Syntax, target: Syntax, value: Node, out: Node[]): void {
  const leaves = leavesOf(target);
  const ids = leaves.filter(({ type }) => type === "identifier").map((leaf) => low.source(leaf));
  const fresh = ids.filter((id) => low.binds(id));
  const pattern = patternFor(low, target);
  if (fresh.length === ids.length && ids.length === leaves.length && fresh.length > 0) {
    out.push(declare("var", pattern, value, node));
    return;
  }
  for (const id of fresh)
    out.push(declare("var", name(id, { start: node.start, end: node.start }), null, node));
  out.push(statementOf(assign(pattern, value, node), node));
}

function leavesOf(target: Syntax): readonly Syntax[] {
  const inside = targetsOf(target);
  if (inside !== null) return inside.flatMap(leavesOf);
  return /splat/.test(target.type) ? named(target).flatMap(leavesOf) : [target];
}

function patternFor(low: Lowering, target: Syntax): Node {
  const inside = targetsOf(target);
  if (inside !== null)
    return make("ArrayPattern", target, { elements: inside.map((one) => patternFor(low, one)) });
  if (/splat/.test(target.type)) {
    const [inner] = named(target);
    return make("RestElement", target, {
      argument: inner === undefined ? name("rest", target) : patternFor(low, inner),
    });
  }
  return target.type === "identifier" ? name(low.source(target), target) : plainTarget(low, target);
}

/** `grads[i], self.dW = ...`: the place itself, whatever its index says. */
function plainTarget(low: Lowering, target: Syntax): Node {
  const object = target.type === "subscript" ? part(target, "value") : null;
  if (object === null) return low.expression(target);
  const indices = subscripts(target);
  if (indices.some(isBuiltText)) return name("_", target);
  return entry(low.expression(object), indexNode(low, indices), target);
}

/** `a += b`, `a @= b`, `a[:] += b`. */
export function augmented(low: Lowering, node: Syntax, out: Node[]): void {
  const left = part(node, "left");
  const right = part(node, "right");
  const operator = part(node, "operator");
  if (left === null || right === null || operator === null) return;
  const sign = low.source(operator);
  const value = low.expression(right);
  const inner = unwrapped(left);
  if (inner.type === "identifier") {
    const id = low.source(inner);
    // a name that no scope around binds either: it is bound by what is not seen (`exec`, a star import)
    out.push(statementOf(assign(name(id, inner), value, node, sign), node));
    return;
  }
  if (inner.type !== "subscript") {
    out.push(statementOf(assign(low.expression(inner), value, node, sign), node));
    return;
  }
  const own = ownRecord(low, inner);
  if (own !== null) {
    out.push(statementOf(assign(own, value, node, sign), node));
    return;
  }
  const object = part(inner, "value");
  const indices = subscripts(inner);
  if (object === null || indices.length === 0) return;
  if (indices.length === 1 && (indices[0].type === "ellipsis" || isWhole(indices[0]))) {
    out.push(statementOf(assign(low.expression(object), value, node, sign), node));
    return;
  }
  if (indices.some(isBuiltText)) {
    out.push(statementOf(value, node));
    return;
  }
  const adds = sign === "+=" || sign === "-=";
  const keyed =
    indices.length === 1 &&
    low.isDictionary(object) &&
    !/^(?:string|integer)$/.test(unwrapped(indices[0]).type);
  if (keyed && adds) {
    // as `grads.set(k, grads.get(k) + c)`, so that it is told of with `grads[k] = c`
    const old = method(low.expression(object), "get", [low.expression(indices[0])], inner);
    const sum = binary(sign[0], old, value, node);
    out.push(
      statementOf(method(low.expression(object), "set", [low.expression(indices[0]), sum], node), node),
    );
    return;
  }
  const target = entry(low.expression(object), indexNode(low, indices), inner);
  out.push(statementOf(assign(target, value, node, sign), node));
}

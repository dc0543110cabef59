/** The order that lists of nodes are in: operands first (post-order), outputs first (reversed), or preorder. */
import type { FileFacts } from "../../facts.js";
import { callsOf, localFunction } from "../../local.js";
import { callsNamed } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { paramName } from "../../overwriting/slots.js";
import { valuesOf } from "../../values.js";
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
  type Node,
} from "../../tree.js";
import { logged, stacked, yielded } from "./iterative-orders.js";
import { isCallOf, runsIn } from "./nodes.js";
import { recursionsOf } from "./recursion.js";

export type Order = "operands-first" | "outputs-first" | "preorder";

export interface Ordered {
  readonly order: Order;
  /** the push that makes it so */
  readonly push: Node;
}

const turned = (ordered: Ordered): Ordered => ({
  ...ordered,
  order:
    ordered.order === "operands-first"
      ? "outputs-first"
      : ordered.order === "outputs-first"
        ? "operands-first"
        : "preorder",
});

/** Lists that recursive visitors fill, by key. */
const filled = (facts: FileFacts): ReadonlyMap<string, Ordered> =>
  facts.once("filled lists", (file) => {
    const out = new Map<string, Ordered>();
    const values = valuesOf(file);
    const recursions = recursionsOf(file);
    for (const call of file.calls) {
      const name = calleeName(call);
      const list = receiver(call);
      // a Set is walked in the order in which it was filled
      if ((name !== "push" && name !== "unshift" && name !== "add") || list === null) continue;
      const fn = runsIn(file, call);
      const own = recursions.filter((one) => one.fn === fn);
      const args = argumentsOf(call);
      if (fn === null || own.length === 0 || args.length !== 1 || !own[0].current.has(values.key(args[0])))
        continue;
      const after = own.every(({ site }) => startOf(site) < startOf(call));
      const before = own.every(({ site }) => startOf(site) > startOf(call));
      if (!after && !before) continue;
      const order: Order = before ? "preorder" : name === "unshift" ? "outputs-first" : "operands-first";
      const ordered = { order, push: call };
      const key = values.key(list);
      out.set(key, ordered);
      // a list that is handed in has the same order where it comes from
      fn.params.forEach((param, i) => {
        const id = paramName(param);
        if (id === null || values.key(id) !== key) return;
        for (const outer of file.calls)
          if (isCallOf(file, outer, fn) && runsIn(file, outer) !== fn && argumentsOf(outer)[i] !== undefined)
            out.set(values.key(argumentsOf(outer)[i]), ordered);
      });
    }
    return out;
  });

/** Lists that operations push their nodes or closures on as they are made: operands first. */
const recorded = (facts: FileFacts): ReadonlyMap<string, Ordered> =>
  facts.once("recorded lists", (file) => {
    const out = new Map<string, Ordered>();
    for (const call of file.calls) {
      const list = receiver(call);
      if (calleeName(call) !== "push" || list === null) continue;
      if (argumentsOf(call).some((argument) => isRecorded(file, call, argument)))
        out.set(valuesOf(file).key(list), { order: "operands-first", push: call });
    }
    return out;
  });

/** A closure of an operation: itself, a name of one, or what `record(step) { this.steps.push(step); }` is handed. */
function isRecorded(facts: FileFacts, call: Node, argument: Node): boolean {
  const binding = facts.binding(argument);
  const stored = binding?.definitions ?? [];
  const closes = (node: Node): boolean => {
    const fn = facts.functionOf(bare(node));
    return fn !== null && operationOf(facts, fn)?.linked === true;
  };
  if (closes(stored.length === 1 ? stored[0].expression : argument)) return true;
  const home = binding?.kind === "param" ? facts.home(call) : null;
  const at = home?.params.findIndex((param) => facts.binding(paramName(param) ?? param) === binding) ?? -1;
  return (
    home !== null &&
    at !== -1 &&
    callsOf(facts, home).some(
      (outer) => argumentsOf(outer)[at] !== undefined && closes(argumentsOf(outer)[at]),
    )
  );
}

/** The order of a list where `before` stands, null when it is not known. */
export function orderOf(facts: FileFacts, list: Node, before: Node, depth = 0): Ordered | null {
  if (depth > 8) return null;
  const node = bare(list);
  const values = valuesOf(facts);
  const again = (next: Node): Ordered | null => orderOf(facts, next, before, depth + 1);
  if (isCall(node)) {
    const name = calleeName(node) ?? "";
    const object = receiver(node);
    const args = argumentsOf(node);
    if (object !== null && (name === "reverse" || name === "toReversed")) {
      const inner = again(object);
      return inner === null ? null : turned(inner);
    }
    if (object !== null && (name === "sort" || name === "toSorted")) return byNumber(facts, node);
    if (object !== null && name === "from" && args.length === 1) return again(args[0]);
    if (object !== null && /^(?:slice|filter|values)$/.test(name)) return again(object);
    const fn = localFunction(facts, node);
    if (fn !== null && fn.node.generator === true) return yielded(facts).get(fn.node) ?? null;
    if (fn === null || fn.returns.length === 0) return null;
    const orders = fn.returns.map((value) => orderOf(facts, value, value, depth + 1));
    return orders.every((one) => one !== null && one.order === orders[0]!.order) ? orders[0] : null;
  }
  if (node.type === "ArrayExpression") {
    const only = children(node, "elements");
    return only.length === 1 && only[0]?.type === "SpreadElement" ? again(child(only[0], "argument")!) : null;
  }
  const key = values.key(node);
  const binding = facts.binding(node);
  const made = binding?.definitions.find(({ kind }) => kind === "initial");
  // `const back = tape.slice().reverse()` shares its elements with the tape, and not their order
  let found = made?.path.length === 0 ? again(made.expression) : null;
  found ??=
    filled(facts).get(key) ??
    recorded(facts).get(key) ??
    stacked(facts).get(key) ??
    logged(facts).get(key) ??
    null;
  if (found === null && made?.path.length === 1) found = part(facts, made.expression, made.path[0], depth);
  if (found === null) return null;
  // what is sorted in place later has an order of its own
  const sorted = binding === null ? sortedByKey(facts, key) : sortedByKey(facts, key, binding.name);
  if (sorted && !isSorting(found.push)) return null;
  return flips(facts, node, before) % 2 === 1 ? turned(found) : found;
}

/** Numbers that are given out as nodes are made: operands have the smaller ones. */
const SERIAL = /^_*(?:id|idx|index|seq|serial|order|created|stamp|tick|time|gen|generation|uid|nr?|num|i)$/i;

/** Fields that a running count is stored in: `readonly no = made++;`, `this.no = made++`, `{ no: made++ }`. */
const numbersOnCreation = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("numbers on creation", (file) => {
    const out = new Set<string>();
    for (const { operator, parent } of file.updates) {
      if (operator !== "++" || parent == null) continue;
      const key = child(parent, "key");
      const left = parent.type === "AssignmentExpression" ? bare(child(parent, "left")!) : null;
      const name = left !== null && isMember(left) ? propertyName(left) : null;
      const field = key === null ? name : keyName(key, parent.computed === true);
      if (field !== null) out.add(field);
    }
    return out;
  });

/** `nodes.sort((a, b) => a.id - b.id)`: operands first; the other way round outputs first. */
function byNumber(facts: FileFacts, call: Node): Ordered | null {
  const [compare] = argumentsOf(call);
  const fn = compare === undefined || !isFunction(bare(compare)) ? null : facts.functionOf(bare(compare));
  const [value, ...more] = fn?.returns ?? [];
  if (fn === null || fn.params.length !== 2 || value === undefined || more.length > 0) return null;
  const inner = bare(value);
  if (inner.type !== "BinaryExpression" || inner.operator !== "-") return null;
  const [left, right] = [bare(child(inner, "left")!), bare(child(inner, "right")!)];
  const [a, b] = fn.params.map((param) => identifier(param));
  if (!isMember(left) || !isMember(right) || propertyName(left) !== propertyName(right)) return null;
  const field = propertyName(left) ?? "";
  if (!SERIAL.test(field) && !numbersOnCreation(facts).has(field)) return null;
  const [first, second] = [identifier(child(left, "object")), identifier(child(right, "object"))];
  if (first === a && second === b) return { order: "operands-first", push: call };
  return first === b && second === a ? { order: "outputs-first", push: call } : null;
}

/** `const { topo } = order(root)`: the property of what the function returns. */
function part(facts: FileFacts, expression: Node, step: string, depth: number): Ordered | null {
  const call = bare(expression);
  const fn = isCall(call) ? localFunction(facts, call) : null;
  const value = fn === null || fn.returns.length !== 1 ? null : bare(fn.returns[0]);
  if (value === null || value.type !== "ObjectExpression") return null;
  for (const property of children(value, "properties")) {
    if (property?.type !== "Property") continue;
    const name = keyName(child(property, "key")!, property.computed === true);
    if (`.${name}` === step) return orderOf(facts, child(property, "value")!, value, depth + 1);
  }
  return null;
}

const isSorting = (call: Node): boolean => /^(?:sort|toSorted)$/.test(calleeName(call) ?? "");

function sortedByKey(facts: FileFacts, key: string, name?: string): boolean {
  return callsNamed(facts, "sort").some((call) => {
    const object = receiver(call);
    return (
      object !== null &&
      (valuesOf(facts).key(object) === key || (name !== undefined && bare(object).name === name))
    );
  });
}

/** How often a list is turned round in place before a point. */
function flips(facts: FileFacts, list: Node, before: Node): number {
  const binding = facts.binding(list);
  const key = valuesOf(facts).key(list);
  return callsNamed(facts, "reverse").filter((call) => {
    const object = receiver(call);
    if (object === null || startOf(call) >= startOf(before)) return false;
    const same = binding === null ? valuesOf(facts).key(object) === key : facts.binding(object) === binding;
    const parent = call.parent;
    if (!same || parent == null) return false;
    if (parent.type === "ExpressionStatement") return true;
    return (
      parent.type === "AssignmentExpression" &&
      (binding === null
        ? valuesOf(facts).key(child(parent, "left")!) === key
        : facts.binding(child(parent, "left")!) === binding)
    );
  }).length;
}

/**
 * Places that an engine pays through a helper which adds: `pay(table, a, g * b.val)` in the closures of the operations. A closure
 * that stores into such a place itself, `table.set(a.id, g)`, replaces what the others add, whatever the names are.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { operationOf } from "../operations.js";
import {
  argumentsOf,
  bare,
  isFunction,
  isMember,
  propertyName,
  receiver,
  child,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isEntry } from "./entries.js";
import { rootOf } from "./exclusions.js";
import { guarded, keepsBest } from "./guards.js";
import { scales } from "./parts.js";
import { isBlank, slotNamesOf, startsOf } from "./slots.js";
import { startsAt } from "./upstream.js";

/** Writes of closures into places that others pay through a helper, with what the helper does there. */
export const paidElsewhere = (facts: FileFacts): ReadonlyMap<Write, readonly Write[]> =>
  facts.once("paid elsewhere", (file) => {
    const found = new Map<Write, readonly Write[]>();
    if (file.names.minified) return found;
    const places = paidPlaces(file);
    if (places.size === 0) return found;
    for (const write of writesOf(file)) {
      if (!/^(?:assign|map-set|buffer-set|object-assign)$/.test(write.form)) continue;
      const closure = closureOf(file, write.node);
      if (!isEntry(write) && !isSeeded(file, write.name)) continue;
      if (closure === null || !isOfOperation(file, isEntry(write) ? write.index : write.object, closure))
        continue;
      const place = placeIn(file, closure, isEntry(write) ? write.container : `.${write.name}`);
      const others = (places.get(place) ?? []).filter((payment) => payment.closure !== closure);
      if (!others.some(({ product }) => product) || !carries(file, write, closure)) continue;
      const old = slotOf(write, (name) => [name]);
      if (adds(file, write.value, old) || guarded(file, write, closure) || keepsBest(file, write, closure))
        continue;
      found.set(write, [...new Set(others.map((payment) => payment.write))]);
    }
    return found;
  });

/** Vectors have fields that are added to, too: a slot starts at nothing, and a sweep stores one into it. */
function isSeeded(facts: FileFacts, name: string): boolean {
  const { blank, one } = startsOf(facts);
  const slot = slotNamesOf(facts).canonical(name);
  return facts.names.gradient(name) > 0 || (blank.has(slot) && one.has(slot));
}

interface Payment {
  readonly closure: Fn;
  /** what the helper does */
  readonly write: Write;
  /** what is paid is a product */
  readonly product: boolean;
}

/** Places by what the closures call them: `#1/2` is the second of a closure's two parameters, `.grad` a field of an operand. */
function paidPlaces(facts: FileFacts): ReadonlyMap<string, readonly Payment[]> {
  const places = new Map<string, Payment[]>();
  const values = valuesOf(facts);
  for (const write of writesOf(facts)) {
    if (!/^(?:add|assign|map-set)$/.test(write.form)) continue;
    const helper = facts.home(write.node);
    if (helper === null || helper.name === "" || helper.params.length === 0) continue;
    const calls = callsOf(facts, helper);
    // few functions take a place and an amount, fewer of them add: the dear look comes last
    if (calls.length === 0) continue;
    const at = (node: Node | null): number =>
      node === null ? -1 : helper.params.findIndex((param) => rootKey(facts, node) === values.key(param));
    const entry = isEntry(write);
    const operand = at(entry ? write.index : write.object);
    if (operand === -1 && (entry || write.objectKey !== "this")) continue;
    const amount = amountOf(facts, write, helper);
    if (amount === -1 || !isAdding(facts, write)) continue;
    for (const call of calls) {
      const closure = closureOf(facts, call);
      const args = argumentsOf(call);
      const [paid, value] = [operand === -1 ? receiver(call) : args[operand], args[amount]];
      if (closure === null || closure === helper || paid == null || value === undefined) continue;
      if (!isOfOperation(facts, paid, closure)) continue;
      const name = entry ? tableAt(facts, write, call, at(write.target)) : `.${write.name}`;
      if (name === null) continue;
      const place = placeIn(facts, closure, name);
      places.set(place, [...(places.get(place) ?? []), { closure, write, product: scales(facts, value) }]);
    }
  }
  return places;
}

function isAdding(facts: FileFacts, write: Write): boolean {
  if (write.form === "add") return true;
  if (!/^(?:assign|map-set)$/.test(write.form)) return false;
  return adds(
    facts,
    write.value,
    slotOf(write, (name) => [name]),
  );
}

/** The parameter that is added; -1: none. */
function amountOf(facts: FileFacts, write: Write, helper: Fn): number {
  const place = isEntry(write) ? write.indexKey : write.objectKey;
  const table = rootKey(facts, write.target);
  return helper.params.findIndex((param) => {
    const key = valuesOf(facts).key(param);
    if (key === place || startsAt(place, key) || key === table) return false;
    return valuesOf(facts)
      .reads(write.value)
      .some((read) => read.kind === "param" && facts.binding(param) === read.binding);
  });
}

/** Key of the table that a call pays into: what it hands over, what the helper sees, a field of what it is called on. */
function tableAt(facts: FileFacts, write: Write, call: Node, param: number): string | null {
  const values = valuesOf(facts);
  if (param !== -1) {
    const handed = argumentsOf(call)[param];
    return handed === undefined ? null : values.key(handed);
  }
  if (!startsAt(write.container, "this")) return write.container;
  const object = receiver(call);
  return object === null ? null : values.key(object) + write.container.slice("this".length);
}

/** A place as all closures of its kind call it. */
function placeIn(facts: FileFacts, closure: Fn, key: string): string {
  for (const [at, param] of closure.params.entries()) {
    const own = valuesOf(facts).key(param);
    if (key === own || startsAt(key, own)) return `#${at}/${closure.params.length}${key.slice(own.length)}`;
  }
  return key;
}

/** The deferred function of an operation that a node runs in. */
function closureOf(facts: FileFacts, node: Node): Fn | null {
  const fn = facts.home(node);
  return fn !== null && operationOf(facts, fn)?.linked === true ? fn : null;
}

/** Rooted in what the operation was handed or made, not in what its closure is handed later. */
function isOfOperation(facts: FileFacts, node: Node | null, closure: Fn): boolean {
  const root = node === null ? null : rootOf(bare(node));
  if (root === null) return false;
  if (root.type === "ThisExpression") return true;
  const binding = facts.binding(root);
  const fn = operationOf(facts, closure)!.fn;
  return (
    binding !== null &&
    (binding.kind === "param" || binding.kind === "variable") &&
    facts.scopes.declaredIn(binding, fn.node)
  );
}

/** What is stored is made of what the closure is handed, or of another of the places. */
function carries(facts: FileFacts, write: Write, closure: Fn): boolean {
  if (isBlank(facts, write.value) || isFunction(bare(write.value))) return false;
  const table = rootKey(facts, write.target);
  return valuesOf(facts)
    .reads(write.value)
    .some((read) => {
      if (read.kind === "param")
        return (
          facts.scopes.declaredIn(read.binding, closure.node) &&
          `${read.binding.name}~${read.binding.id}` !== table
        );
      return read.kind === "element"
        ? isEntry(write) && read.container === write.container && read.index !== write.indexKey
        : !isEntry(write) && read.name === write.name && read.object !== write.objectKey;
    });
}

/** Key of the name that a place begins with. */
function rootKey(facts: FileFacts, node: Node): string {
  let at = bare(node);
  while (isMember(at) && (propertyName(at) !== null || at.computed === true)) at = bare(child(at, "object")!);
  return valuesOf(facts).key(at);
}

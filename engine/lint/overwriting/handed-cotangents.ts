/**
 * Rules by what they are handed, whatever they are called: a function seeds a slot and, going back over the nodes, hands the
 * slot of each node to a function out of a table (`rules[node.kind](node, grads.get(node), grads)`) or to one that the
 * node keeps (`node.step(rec[node.id], rec)`).
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isOne, loopsAround } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isMember,
  keyName,
  propertyName,
  receiver,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf } from "../writes.js";
import { mapValues, slotNamesOf } from "./slots.js";

/** The function is handed an entry or a field of this slot by a sweep. */
export const isHanded = (facts: FileFacts, fn: Fn, slot: string): boolean =>
  fn.params.length > 0 && handed(facts).get(fn)?.has(slotNamesOf(facts).canonical(slot)) === true;

const handed = (facts: FileFacts): ReadonlyMap<Fn, ReadonlySet<string>> =>
  facts.once("functions handed cotangents", (file) => {
    const out = new Map<Fn, Set<string>>();
    const seeded = seedsOf(file);
    if (seeded.size === 0) return out;
    const slots = slotNamesOf(file);
    for (const call of file.calls) {
      const callee = bare(child(call, "callee")!);
      if (!isMember(callee) || argumentsOf(call).length < 2) continue;
      const own = seedsAround(file, seeded, call);
      if (own.size === 0 || !loopsAround(file, call).some(({ reverse }) => reverse)) continue;
      const names = new Set(slotsHanded(file, call).map((name) => slots.canonical(name)));
      const paid = [...names].filter((name) => own.has(name));
      if (paid.length === 0) continue;
      for (const fn of calledFunctions(file, callee)) out.set(fn, new Set([...(out.get(fn) ?? []), ...paid]));
    }
    return out;
  });

/** Slots by the functions that put a one into them, or make them with one in them. */
function seedsOf(file: FileFacts): ReadonlyMap<Fn, ReadonlySet<string>> {
  const slots = slotNamesOf(file);
  const out = new Map<Fn, Set<string>>();
  const note = (node: Node, name: string | null): void => {
    const home = file.home(node);
    if (name === null || name === "" || home === null || home.kind === "constructor") return;
    out.set(home, (out.get(home) ?? new Set()).add(slots.canonical(name)));
  };
  for (const write of writesOf(file))
    if (write.form !== "add" && write.form !== "scale" && isOne(bare(write.value)))
      note(write.node, write.name);
  // of a map: two arguments, a one among them, are read as values and a place in a buffer elsewhere
  for (const call of file.calls) {
    const [, value] = argumentsOf(call);
    const object = receiver(call);
    if (object !== null && calleeName(call) === "set" && value !== undefined && isOne(value))
      note(call, isMember(object) ? propertyName(object) : identifier(object));
  }
  for (const declarator of file.declarators) {
    const init = child(declarator, "init");
    if (init !== null && holdsOne(bare(init))) note(declarator, identifier(child(declarator, "id")));
  }
  return out;
}

/** `{ [root.id]: 1 }`, `new Map([[root, 1]])`. */
function holdsOne(init: Node): boolean {
  if (init.type === "ObjectExpression")
    return children(init, "properties").some(
      (one) => one?.type === "Property" && one.computed === true && isOne(child(one, "value")!),
    );
  return mapValues(init).some((value) => isOne(value));
}

/** Slots seeded before a call in the function that it stands in, or around it. */
function seedsAround(
  file: FileFacts,
  seeded: ReadonlyMap<Fn, ReadonlySet<string>>,
  call: Node,
): ReadonlySet<string> {
  const out = new Set<string>();
  for (let fn = file.home(call); fn !== null; fn = file.outer(fn))
    for (const name of seeded.get(fn) ?? []) out.add(name);
  return out;
}

/** Names of the slots that the arguments are entries or fields of. */
function slotsHanded(file: FileFacts, call: Node): readonly string[] {
  const values = valuesOf(file);
  return argumentsOf(call).flatMap((argument) =>
    values.reads(argument).flatMap((read) => {
      if (read.kind === "field") return [read.name];
      if (read.kind === "element") return /([\w$#]+?)(?:~\d+)?$/.exec(read.container)?.slice(1) ?? [];
      return [];
    }),
  );
}

/** The functions of a table that is asked for one by a computed key; functions kept under a name. */
function calledFunctions(file: FileFacts, callee: Node): readonly Fn[] {
  const name = callee.computed === true ? null : propertyName(callee);
  if (name !== null) return file.functions.filter((fn) => keptUnder(fn) === name);
  const table = bare(child(callee, "object")!);
  const tableName = identifier(table) ?? (isMember(table) ? propertyName(table) : null);
  return tableName === null ? [] : file.functions.filter((fn) => tableOf(fn) === tableName);
}

/** The name of the property or method that a function is. */
function keptUnder(fn: Fn): string | null {
  const parent = fn.node.parent;
  const kept =
    parent?.type === "Property" ||
    parent?.type === "MethodDefinition" ||
    parent?.type === "PropertyDefinition";
  return kept ? keyName(child(parent, "key")!, parent.computed === true) : null;
}

/** The name of the table that a function is an entry of: `const rules = { add: (node, g) => ... }`. */
function tableOf(fn: Fn): string | null {
  const property = fn.node.parent;
  if (property?.type !== "Property") return null;
  let at = property.parent ?? null;
  while (at !== null && /^(?:ObjectExpression|TS(?:Satisfies|As)Expression|CallExpression)$/.test(at.type))
    at = at.parent ?? null;
  if (at?.type === "VariableDeclarator") return identifier(child(at, "id"));
  if (at?.type === "PropertyDefinition") return keyName(child(at, "key")!, at.computed === true);
  return null;
}

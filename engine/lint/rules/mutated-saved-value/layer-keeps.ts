/** What the forward method of a layer keeps by reference for its backward method: the array it is handed, or the one it gives back. */
import type { FileFacts } from "../../facts.js";
import { prototypeOf, type Fn } from "../../functions.js";
import { callsNamed, groupBy } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import {
  argumentsOf,
  bare,
  child,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { nodesIn } from "../shared/nodes.js";
import { keptParts } from "./kept-parts.js";

export interface Keep {
  readonly forward: Fn;
  readonly backward: Fn;
  /** where it is kept: `this.x = x`, `this.xs.push(x)` */
  readonly node: Node;
  readonly field: string;
  /** which parameter is kept; -1: what the method gives back; -2: another array of its own */
  readonly param: number;
  /** key of the array as the forward method knows it */
  readonly key: string;
  /** in a field of its own, not on a stack */
  readonly alone: boolean;
  /** what the backward method reads */
  readonly read: Node;
}

/** A method of a class, of a prototype, or of a record of functions. */
export const isMethod = (fn: Fn): boolean =>
  !fn.isStatic && fn.kind !== "constructor" && classOf(fn) !== null;

/** The class of a method, the name of the constructor on whose prototype it is, or the record it stands in. */
export function classOf(fn: Fn): Node | string | null {
  if (fn.owner !== null) return fn.owner;
  const holder = fn.node.parent;
  return holder?.type === "Property" ? (holder.parent ?? null) : prototypeOf(fn);
}

/** Methods of the reverse sweep by their class. */
const backwards = (facts: FileFacts): ReadonlyMap<Node | string, readonly Fn[]> =>
  facts.once("backward methods by class", (file) =>
    groupBy(
      file.functions.filter((fn) => isMethod(fn) && isBackward(file, fn)),
      classOf,
    ),
  );

/** It runs in a method of a class that has one of the reverse sweep. */
function isOfLayer(facts: FileFacts, node: Node): boolean {
  const home = facts.home(node);
  const owner = home === null ? null : classOf(home);
  return owner !== null && backwards(facts).has(owner);
}

export const keepsOf = (facts: FileFacts): readonly Keep[] =>
  facts.once("arrays kept by layers", (file) => {
    const out: Keep[] = [];
    if (backwards(file).size === 0) return out;
    const note = (node: Node, holder: Node, kept: Node, alone: boolean): void => {
      const forward = file.home(node);
      if (forward === null || !isMethod(forward) || isBackward(file, forward)) return;
      const field = isMember(holder) ? propertyName(holder) : null;
      if (field === null || bare(child(holder, "object")!).type !== "ThisExpression") return;
      if (file.names.gradient(field) === 2) return;
      const name = bare(kept);
      const binding = file.binding(name);
      if (binding === null || binding.pattern !== null || !file.scopes.declaredIn(binding, forward.node))
        return;
      const param = forward.params.findIndex((one) => file.binding(bare(one)) === binding);
      const given = forward.returns.some((value) => file.binding(value) === binding || isField(value, field));
      for (const backward of backwards(file).get(classOf(forward)!) ?? []) {
        const read = nodesIn(file, "MemberExpression", backward.node).find(
          (member) => isField(member, field) && isContent(member),
        );
        if (read === undefined) continue;
        const key = valuesOf(file).key(name);
        out.push({
          forward,
          backward,
          node,
          field,
          param: param < 0 && !given ? -2 : param,
          key,
          alone,
          read,
        });
      }
    };
    for (const { node, form, element, objectKey, value, target } of writesOf(file))
      if (objectKey === "this" && !element && form === "assign" && isOfLayer(file, node)) {
        note(node, bare(target), value, true);
        for (const part of bare(value).type === "Identifier" ? [] : keptParts(value))
          if (isReadAs(file, node, part)) note(node, bare(target), part, true);
      }
    for (const push of callsNamed(file, "push")) {
      const list = receiver(push);
      if (list === null) continue;
      for (const part of argumentsOf(push).flatMap(keptParts)) note(push, bare(list), part, false);
    }
    return out;
  });

/** `this.field`. */
const isField = (node: Node, field: string): boolean => {
  const inner = bare(node);
  return (
    isMember(inner) &&
    propertyName(inner) === field &&
    bare(child(inner, "object")!).type === "ThisExpression"
  );
};

/** The array is looked into or handed on: neither its length nor a store of a new one. */
function isContent(member: Node): boolean {
  const parent = member.parent;
  if (parent == null) return false;
  if (isMember(parent) && child(parent, "object") === member) return propertyName(parent) !== "length";
  return !(parent.type === "AssignmentExpression" && child(parent, "left") === member);
}

/** `this.cache = { x }`, and the backward method speaks of `x`. */
function isReadAs(facts: FileFacts, store: Node, part: Node): boolean {
  const property = part.parent;
  const key = property?.type === "Property" ? identifier(child(property, "key")) : null;
  if (key === null) return true;
  const forward = facts.home(store);
  return (backwards(facts).get(forward === null ? "" : (classOf(forward) ?? "")) ?? []).some((fn) =>
    nodesIn(facts, "Identifier", fn.node).some((name) => name.name === key && !isLength(name)),
  );
}

const isLength = ({ parent }: Node): boolean =>
  parent != null && isMember(parent) && propertyName(parent) === "length";

/** The class that a receiver was made of, as far as it is told: `const l = new Dense()`, `this.l = new Dense()`. */
export function madeAs(facts: FileFacts, object: Node): string | null {
  const inner = bare(object);
  const values = isMember(inner)
    ? facts.assignments
        .filter((node) => valuesOf(facts).key(child(node, "left")!) === valuesOf(facts).key(inner))
        .map((node) => child(node, "right")!)
    : (facts.binding(inner)?.definitions ?? [])
        .filter(({ kind }) => kind !== "element")
        .map(({ expression, path }) => (path.length === 0 ? expression : object));
  if (values.length !== 1) return null;
  const made = bare(values[0]);
  return made.type === "NewExpression" && !isCall(made) ? identifier(bare(child(made, "callee")!)) : null;
}

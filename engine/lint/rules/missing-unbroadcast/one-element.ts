/** Operands of one element: all that the forward pass reads of them is at one place, and every element of the output is made of it. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { namesOf, partOf } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside } from "../shared/nodes.js";

const FORM = /^(?:length|size|shape|rows|cols|columns|dims|ndim|rank|numel|strides)$/;

/**
 * The read of the one element of an operand (`s.data[0]`, `s.data.at(0)`, `const [k] = s.data`) that goes into all elements
 * of the output; null where the forward pass looks at more of the operand, or uses the element once.
 */
export function elementOf(
  facts: FileFacts,
  forward: Fn,
  closure: Fn,
  operand: string,
  slot: string,
): Node | null {
  const values = valuesOf(facts);
  const reads: Node[] = [];
  for (const member of partOf(facts.byType.get("MemberExpression") ?? [], forward.node)) {
    const name = propertyName(member);
    if (name === null || name === slot || FORM.test(name) || inside(member, closure.node)) continue;
    if (facts.names.gradient(name) === 2 || values.key(child(member, "object")!) !== operand) continue;
    // a method of the operand may look at anything
    const parent = member.parent;
    if (parent != null && isCall(parent) && child(parent, "callee") === member) return null;
    if (!collect(facts, member, closure, reads)) return null;
  }
  return oneOf(facts, reads, forward, closure);
}

/** The reads are all of one place: coefficients are read at several. */
function oneOf(facts: FileFacts, reads: readonly Node[], forward: Fn, closure: Fn): Node | null {
  const places = new Set(reads.map((read) => (isMember(read) ? literal(child(read, "property")!) : 0)));
  if (places.size !== 1) return null;
  return reads.find((read) => everywhere(facts, read, forward, closure)) ?? null;
}

/** The same of an array that is handed in itself: `k[0]`, or `k` where it is a number. */
export function elementOfParam(facts: FileFacts, param: Binding, forward: Fn, closure: Fn): Node | null {
  const reads: Node[] = [];
  for (const name of namesOf(facts, param)) {
    if (name === param.declaration || inside(name, closure.node)) continue;
    const parent = name.parent;
    if (parent?.type === "BinaryExpression") {
      reads.push(name);
      continue;
    }
    if (!collect(facts, name, closure, reads)) return null;
  }
  return oneOf(facts, reads, forward, closure);
}

/** Notes the read of one element that a mention of the whole is for; false where it is for more. */
function collect(facts: FileFacts, whole: Node, closure: Fn, out: Node[]): boolean {
  let at = whole;
  while (at.parent != null && bare(at.parent) !== at.parent) at = at.parent;
  const parent = at.parent;
  if (parent == null) return false;
  if (isMember(parent) && child(parent, "object") === at) {
    const name = propertyName(parent);
    if (name === null) {
      if (typeof literal(child(parent, "property")!) !== "number") return false;
      out.push(parent);
      return true;
    }
    if (FORM.test(name)) return true;
    const call = parent.parent != null && isCall(parent.parent) ? parent.parent : null;
    // `s.value.xs[0]`
    if (call === null || child(call, "callee") !== parent) return collect(facts, parent, closure, out);
    const [place] = name === "at" ? argumentsOf(call) : [];
    if (place === undefined || typeof literal(place) !== "number") return false;
    out.push(call);
    return true;
  }
  if (parent.type !== "VariableDeclarator" || child(parent, "init") !== at) return false;
  const id = child(parent, "id")!;
  if (id.type === "ArrayPattern") {
    const [first, ...more] = children(id, "elements");
    if (first == null || more.length > 0 || first.type !== "Identifier") return false;
    out.push(first);
    return true;
  }
  // `const d = s.data;`
  const binding = facts.binding(id);
  if (binding === null || binding.definitions.length !== 1) return false;
  return namesOf(facts, binding).every(
    (name) =>
      name === binding.declaration || inside(name, closure.node) || collect(facts, name, closure, out),
  );
}

/** The read, or the name that keeps it, stands in a loop or a callback over elements, or is handed to a method of an array. */
function everywhere(facts: FileFacts, read: Node, forward: Fn, closure: Fn): boolean {
  if (overElements(facts, read, forward)) return true;
  const declarator =
    read.type === "Identifier"
      ? read
      : read.parent?.type === "VariableDeclarator"
        ? child(read.parent, "id")
        : null;
  const binding = declarator === null || declarator === undefined ? null : facts.binding(declarator);
  // one that is changed later is the start of a search or of a sum
  if (binding === null || binding.definitions.length !== 1 || binding.definitions[0].kind !== "initial")
    return false;
  return namesOf(facts, binding).some(
    (name) =>
      name !== binding.declaration && !inside(name, closure.node) && overElements(facts, name, forward),
  );
}

const SCALES =
  /^(?:scale|mul|times|multiply|mulScalar|timesScalar|add|plus|addScalar|sub|minus|shift|divide?)/i;

function overElements(facts: FileFacts, node: Node, fn: Fn): boolean {
  const call = node.parent;
  if (call != null && isCall(call) && argumentsOf(call).includes(node)) {
    const callee = bare(child(call, "callee")!);
    if (isMember(callee) && SCALES.test(propertyName(callee) ?? "")) return true;
  }
  for (let at: Node | null | undefined = node.parent; at != null && at !== fn.node; at = at.parent)
    if (/^(?:For|While)/.test(at.type) || (isFunction(at) && facts.functionOf(at)?.inline === true))
      return true;
  return false;
}

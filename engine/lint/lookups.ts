/**
 * Lists of a file by what rules ask for: what stands inside a node, what is called on or stored into a name, what runs
 * in a function. Each is made once a file, so that a rule may ask for every closure without looking at the whole file.
 */
import type { FileFacts } from "./facts.js";
import type { Fn } from "./functions.js";
import type { Binding } from "./scopes.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isMember,
  keyName,
  propertyName,
  startOf,
  type Node,
} from "./tree.js";

/** Whether a list of the facts is in the order of the text; lists do not change once the facts are made. */
const ordered = new WeakMap<readonly Node[], boolean>();

/** Decorators and templates can be walked in another order than they are written. */
function inOrder(list: readonly Node[]): boolean {
  let known = ordered.get(list);
  if (known === undefined) {
    known = list.every((node, i) => i === 0 || startOf(list[i - 1]) <= startOf(node));
    ordered.set(list, known);
  }
  return known;
}

/** The nodes of a list of the facts that are `outer` or stand inside it, in the order of the list. */
export function partOf(list: readonly Node[], outer: Node): readonly Node[] {
  const start = startOf(outer);
  const end = endOf(outer);
  if (!inOrder(list)) return list.filter((node) => startOf(node) >= start && endOf(node) <= end);
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (startOf(list[middle]) < start) low = middle + 1;
    else high = middle;
  }
  const out: Node[] = [];
  for (let i = low; i < list.length && startOf(list[i]) < end; i++)
    if (endOf(list[i]) <= end) out.push(list[i]);
  return out;
}

/** Lists by a key that each item has; items without one are left out. */
export function groupBy<K, T>(
  items: Iterable<T>,
  keyOf: (item: T) => K | null,
): ReadonlyMap<K, readonly T[]> {
  const map = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const list = map.get(key);
    if (list === undefined) map.set(key, [item]);
    else list.push(item);
  }
  return map;
}

const none: readonly Node[] = [];

/** Plain calls of what a name is bound to: `f(x)`. */
export const callsThrough = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("calls through a name", (file) =>
      groupBy(file.calls, (call) => file.binding(bare(child(call, "callee")!))),
    )
    .get(binding) ?? none;

/** Calls of methods and functions by their last name. */
export const callsNamed = (facts: FileFacts, name: string): readonly Node[] =>
  facts.once("calls by name", (file) => groupBy(file.calls, calleeName)).get(name) ?? none;

/** Assignments to the name itself. */
export const assignmentsTo = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("assignments by name", (file) =>
      groupBy(file.assignments, (node) => file.binding(child(node, "left")!)),
    )
    .get(binding) ?? none;

/** Stores of the name itself, as it is: `last = entry`. */
export const assignmentsOf = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("assignments by value", (file) =>
      groupBy(file.assignments, (node) =>
        node.operator === "=" ? file.binding(child(node, "right")!) : null,
      ),
    )
    .get(binding) ?? none;

/** `i++` and `--i` of the name itself. */
export const updatesOf = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("updates by name", (file) =>
      groupBy(file.updates, (node) => file.binding(child(node, "argument")!)),
    )
    .get(binding) ?? none;

/** Calls that a function makes, those in callbacks that run at once among them. */
export const callsFrom = (facts: FileFacts, home: Fn): readonly Node[] =>
  facts.once("calls by function", (file) => groupBy(file.calls, (call) => file.home(call))).get(home) ?? none;

/** Every place where a name stands for a binding, its declaration among them. */
export const namesOf = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("names by binding", (file) =>
      groupBy(file.byType.get("Identifier") ?? [], (node) => {
        const parent = node.parent;
        const ofMember =
          parent != null &&
          isMember(parent) &&
          child(parent, "property") === node &&
          parent.computed !== true;
        return ofMember ? null : file.scopes.resolve(node);
      }),
    )
    .get(binding) ?? none;

/** The name or field is made a Map somewhere in the file: `private readonly table = new Map<Node, number>()`. */
export function holdsMap(facts: FileFacts, node: Node): boolean {
  const inner = bare(node);
  const name = isMember(inner) ? propertyName(inner) : identifier(inner);
  return name !== null && madeOf(facts, "names of maps", /^(?:Weak)?Map$/).has(name);
}

/** Names and fields that are given something new of a class, kept under a name of its own. */
export const madeOf = (facts: FileFacts, kept: string, type: RegExp): ReadonlySet<string> =>
  facts.once(kept, (file) => {
    const names = new Set<string>();
    for (const made of file.news) {
      const parent = type.test(calleeName(made) ?? "") ? made.parent : null;
      if (parent == null) continue;
      const target =
        parent.type === "AssignmentExpression"
          ? bare(child(parent, "left")!)
          : (child(parent, "id") ?? child(parent, "key"));
      const name = target === null ? null : isMember(target) ? propertyName(target) : keyName(target, false);
      if (name !== null) names.add(name);
    }
    return names;
  });

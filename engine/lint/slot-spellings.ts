/** Spellings of a slot: parts of it, other names of it, and buffers told from maps. */
import type { FileFacts } from "./facts.js";
import { madeOf } from "./lookups.js";
import { localFunction } from "./local.js";
import type { Binding } from "./scopes.js";
import {
  argumentsOf,
  bare,
  child,
  identifier,
  isCall,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";

const CONTENT = /^_?(?:[xyzwri]|re|im|real|imag|data|d|v|val|values?|buffer|buf|elements|array|arr|items)$/;

/** `a.bar.x`, `t.grad.data[i]`: a component, or the content, of a slot whose own name says gradient. */
export function partOfSlot(facts: FileFacts, field: string, object: Node): Node | null {
  if (facts.names.gradient(field) > 1 || !CONTENT.test(field) || !isMember(object)) return null;
  const slot = propertyName(object);
  return slot !== null && facts.names.gradient(slot) === 2 ? object : null;
}

/** `const have = bars.get(id); have[k] += c`: by the name that says gradient, where the local's own says nothing. */
export function aliasName(facts: FileFacts, base: Node): string {
  const name = identifier(base);
  if (name === null || facts.names.gradient(name) > 0) return name ?? "";
  const key = valuesOf(facts).key(base);
  const last = /([\w$#]+)(?:~\d+)?(?:\[.*\])?$/.exec(key)?.[1] ?? name;
  return facts.names.gradient(last) > 0 ? last : name;
}

/** `set(values, 3)`: a place in a buffer rather than a value of a map. */
export function isOffset(node: Node): boolean {
  const inner = bare(node);
  return (
    typeof literal(inner) === "number" ||
    (inner.type === "Identifier" && /^(?:offset|start|pos)$/i.test(String(inner.name)))
  );
}

/** The field or name is given a typed array somewhere in the file: `set` takes values and a place then. */
export function isTyped(facts: FileFacts, holder: Node): boolean {
  const name = isMember(holder)
    ? propertyName(holder)
    : (identifier(holder) ?? handedSlot(facts, holder)?.name ?? null);
  const typed = madeOf(facts, "typed arrays", /(?:Int|Uint|Float|UintClamped)\d+(?:Clamped)?Array$/);
  return name !== null && typed.has(name);
}

interface Handed {
  readonly object: Node;
  readonly name: string;
}

/** `gradOf(x)` and `x.gradBuffer()`, where a function of the file makes a slot at its first use and hands it out. */
export function handedSlot(facts: FileFacts, given: Node): Handed | null {
  if (given.type !== "Identifier") return handedOut(facts, given);
  // `const gx = gradOf(x);`
  const binding = facts.scopes.resolve(given);
  if (binding === null) return null;
  const known = facts.once("slots by name", () => new Map<Binding, Handed | null>());
  let found = known.get(binding);
  if (found === undefined) {
    const [made, ...others] = binding.definitions;
    const only =
      made !== undefined && made.path.length === 0 && others.every(({ kind }) => kind === "element");
    known.set(binding, (found = only ? handedOut(facts, bare(made.expression)) : null));
  }
  return found;
}

function handedOut(facts: FileFacts, call: Node): Handed | null {
  const fn = isCall(call) ? localFunction(facts, call) : null;
  const [value, ...more] = fn?.returns ?? [];
  if (fn === null || value === undefined || more.length > 0) return null;
  let place = bare(value);
  if (place.type === "AssignmentExpression" || place.type === "LogicalExpression")
    place = bare(child(place, "left")!);
  const name = isMember(place) ? propertyName(place) : null;
  if (name === null || facts.names.gradient(name) === 0) return null;
  const holder = bare(child(place, "object")!);
  if (holder.type === "ThisExpression") {
    const object = receiver(call);
    return object === null ? null : { object, name };
  }
  const binding = facts.binding(holder);
  const at = binding === null ? -1 : fn.params.findIndex((param) => facts.binding(param) === binding);
  const object = argumentsOf(call)[at];
  return object === undefined ? null : { object, name };
}

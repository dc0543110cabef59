/** Spellings of a slot: parts of it, other names of it, and buffers told from maps. */
import type { FileFacts } from "./facts.js";
import { callsNamed, madeOf } from "./lookups.js";
import { localFunction } from "./local.js";
import type { Binding } from "./scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
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

const CONTENT =
  /^_?(?:[xyzwri]|re|im|real|imag|data|d|v|val|values?|buffer|buf|elements|array|arr|items|cur|current|ref)$/;

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

interface Stretch {
  readonly of: Node;
  readonly from: Node;
}

/**
 * The stretch of one buffer of all that a view stands for, where what is stored there is made of other places of the buffer and
 * not of those that it is stored over; null where it is anything else.
 */
export function paidFromOthers(facts: FileFacts, view: Node, value: Node): Stretch | null {
  const stretch = callsNamed(facts, "subarray").length === 0 ? null : stretchOf(facts, view);
  if (stretch === null) return null;
  const values = valuesOf(facts);
  const [buffer, from] = [values.key(stretch.of), values.key(stretch.from)];
  const places = values
    .reads(value)
    .flatMap((read) => (read.kind === "element" && read.container === buffer ? [read.index] : []));
  return places.length > 0 && places.every((place) => !place.includes(from)) ? stretch : null;
}

/** A stretch of one buffer of all: `adj.subarray(op.x, op.x + n)`, or a local that is given one. */
function stretchOf(facts: FileFacts, node: Node): Stretch | null {
  const [made, ...more] = facts.binding(node)?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  const call = bare(
    made !== undefined && more.length === 0 && made.path.length === 0 ? made.expression : node,
  );
  if (!isCall(call) || calleeName(call) !== "subarray") return null;
  const of = receiver(call);
  const [from] = argumentsOf(call);
  return of === null || from === undefined || !isOfNode(facts, from) ? null : { of, from };
}

/** A place that comes out of data: `op.x`, `x` of `const { x } = op`; `H` and `0` of a buffer with parts do not. */
function isOfNode(facts: FileFacts, from: Node): boolean {
  const inner = bare(from);
  if (inner.type === "BinaryExpression")
    return isOfNode(facts, child(inner, "left")!) || isOfNode(facts, child(inner, "right")!);
  const made = facts.binding(inner)?.definitions ?? [];
  return (
    (isMember(inner) && bare(child(inner, "object")!).type !== "ThisExpression") ||
    made.some(({ path }) => path.length > 0)
  );
}

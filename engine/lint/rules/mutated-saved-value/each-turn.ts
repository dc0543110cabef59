/**
 * One place that each turn of the forward loop stores what it works with in, and that each turn of the reverse loop reads:
 * `ctx.x = x; x = f(x);`. The reverse loop finds what the last turn stored, in all of its turns.
 */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo, partOf, updatesOf } from "../../lookups.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { loopsOf } from "../shared/all-loops.js";
import { inside, partsOf, runsIn } from "../shared/nodes.js";
import { sweepLoops } from "./sweep-loops.js";

export function* eachTurn(facts: FileFacts): Iterable<Finding> {
  const sweeps = sweepLoops(facts);
  if (sweeps.length === 0) return;
  for (const { node: loop, reverse } of loopsOf(facts)) {
    if (reverse) continue;
    const carried = carriedBy(facts, loop);
    if (carried.size === 0) continue;
    const told = new Set<string>();
    for (const slot of slotsIn(facts, loop)) {
      if (told.has(slot.key) || !dependsOn(facts, slot.value, carried, loop, slot.binding)) continue;
      const read = readBack(facts, slot, loop, sweeps);
      if (read === null) continue;
      told.add(slot.key);
      yield {
        start: startOf(slot.node),
        end: endOf(slot.node),
        message: `\`${facts.source(slot.target)}\` is one place for all turns of this loop, and the reverse loop reads it in each of its turns (line ${lineOf(facts, read)}): it then finds what the last turn stored. Keep one for each turn.`,
        evidence: "structural",
        related: [place(read, "read in each turn of the reverse loop")],
      };
    }
  }
}

interface Slot {
  readonly node: Node;
  readonly target: Node;
  readonly key: string;
  /** the variable that is the slot, null for a part of an object */
  readonly binding: Binding | null;
  readonly value: Node;
}

/** Variables from outside of a loop that a turn makes out of what the turn before left: `x = f(x)`, `h = s; s = g(h)`. */
function carriedBy(facts: FileFacts, loop: Node): ReadonlySet<Binding> {
  const stored = new Map<Binding, Node[]>();
  for (const node of partOf(facts.assignments, loop)) {
    const binding = facts.binding(child(node, "left")!);
    if (binding === null || binding.kind === "function" || inside(binding.scope, loop)) continue;
    const list = stored.get(binding) ?? [];
    list.push(node.operator === "=" ? child(node, "right")! : node);
    stored.set(binding, list);
  }
  const out = new Set<Binding>();
  for (const [binding, values] of stored) {
    if (values.every((value) => isFold(value, binding.name))) continue;
    if (values.some((value) => reaches(facts, value, loop, stored, (one) => one === binding)))
      out.add(binding);
  }
  return out;
}

/** `s += v`, `m = Math.max(m, v)`: gathered over the turns, no state that a turn works with. */
function isFold(value: Node, name: string): boolean {
  const inner = bare(value);
  if (inner.type === "AssignmentExpression")
    return !partsOf(child(inner, "right")!).some((part) => part.type === "Identifier" && part.name === name);
  return inner.type === "CallExpression" && /^(?:max|min|hypot)$/.test(calleeName(inner) ?? "");
}

/** A value is made of a variable, through what the loop stores into others. */
function reaches(
  facts: FileFacts,
  value: Node,
  loop: Node,
  stored: ReadonlyMap<Binding, readonly Node[]>,
  asked: (binding: Binding) => boolean,
): boolean {
  const queue = [value];
  const seen = new Set<Binding>();
  while (queue.length > 0)
    for (const part of partsOf(queue.pop()!)) {
      if (part.type !== "Identifier" || isPropertyPosition(part)) continue;
      const binding = facts.scopes.resolve(part);
      if (binding === null) continue;
      if (asked(binding)) return true;
      if (seen.has(binding)) continue;
      seen.add(binding);
      queue.push(...(stored.get(binding) ?? []));
      for (const { expression, at } of binding.definitions)
        if (inside(at, loop) && !stored.has(binding)) queue.push(expression);
    }
  return false;
}

const none: ReadonlyMap<Binding, readonly Node[]> = new Map();

const dependsOn = (
  facts: FileFacts,
  value: Node,
  carried: ReadonlySet<Binding>,
  loop: Node,
  own: Binding | null,
): boolean => reaches(facts, value, loop, none, (binding) => binding !== own && carried.has(binding));

/** Stores of a turn into one place from outside of the loop: a variable, a field, an entry under a constant key, a whole buffer. */
function* slotsIn(facts: FileFacts, loop: Node): Iterable<Slot> {
  const values = valuesOf(facts);
  const home = runsIn(facts, loop);
  const outside = (target: Node): boolean => {
    let root = bare(target);
    while (isMember(root)) root = bare(child(root, "object")!);
    const binding = facts.binding(root);
    return root.type === "ThisExpression" || (binding !== null && !inside(binding.scope, loop));
  };
  const always = (node: Node): boolean => {
    if (runsIn(facts, node) !== home) return false;
    for (let at = node.parent; at != null && at !== loop; at = at.parent)
      if (/^(?:If|Switch|Conditional|Logical|For|While|DoWhile)/.test(at.type)) return false;
    return true;
  };
  for (const node of partOf(facts.assignments, loop)) {
    const target = bare(child(node, "left")!);
    const value = child(node, "right")!;
    if (node.operator !== "=" || isBlank(facts, value) || !outside(target) || !always(node)) continue;
    const binding = facts.binding(target);
    if (binding !== null ? binding.kind !== "variable" : !isFixed(target)) continue;
    const name = binding?.name ?? propertyName(target) ?? "";
    if (facts.names.gradient(name) < 2) yield { node, target, key: values.key(target), binding, value };
  }
  for (const call of partOf(facts.calls, loop)) {
    const holder = receiver(call);
    const args = argumentsOf(call);
    if (calleeName(call) !== "set" || holder === null || !outside(holder) || !always(call)) continue;
    const [first, second] = args;
    if (args.length === 1)
      yield { node: call, target: holder, key: values.key(holder), binding: null, value: first };
    else if (args.length === 2 && typeof literal(first) === "string")
      yield {
        node: call,
        target: holder,
        key: `${values.key(holder)}[${values.key(first)}]`,
        binding: null,
        value: second,
      };
  }
}

/** `ctx.x`, `this.x`, `kept[0]`: the same place in each turn. */
function isFixed(target: Node): boolean {
  for (let at = target; isMember(at); at = bare(child(at, "object")!))
    if (propertyName(at) === null && typeof literal(child(at, "property")!) !== "number") return false;
  return isMember(target);
}

/** The read of the place in a turn of a reverse loop that does not store there itself; null: there is none. */
function readBack(facts: FileFacts, slot: Slot, loop: Node, sweeps: readonly Node[]): Node | null {
  const values = valuesOf(facts);
  const home = runsIn(facts, loop);
  for (const sweep of sweeps) {
    const other = runsIn(facts, sweep);
    if (inside(sweep, loop) || inside(loop, sweep)) continue;
    if (other === home ? startOf(sweep) < startOf(loop) : !mayFollow(slot, home?.owner, other?.owner))
      continue;
    const body = child(sweep, "body")!;
    const isPlace = (node: Node): boolean =>
      slot.binding !== null
        ? node.type === "Identifier" &&
          !isPropertyPosition(node) &&
          facts.scopes.resolve(node) === slot.binding
        : (isMember(node) || /Call/.test(node.type) || node.type === "Identifier") &&
          values.key(node) === slot.key;
    const read = partsOf(body).find(
      (node) =>
        isPlace(node) && !isTarget(node) && !isPropertyPosition(node) && !onlyOnce(facts, node, sweep),
    );
    // last, since it looks at the whole file
    if (read !== undefined && !storesAgain(facts, slot, loop, sweep)) return read;
  }
  return null;
}

/** A field of `this` is read by a method of the same class; a name is itself wherever it is seen. */
const mayFollow = (slot: Slot, mine: Node | null | undefined, other: Node | null | undefined): boolean =>
  !slot.key.startsWith("this.") || (mine != null && mine === other);

/** Something stores into the place again before the reverse loop reads it: in a turn of it, or after the forward loop. */
function storesAgain(facts: FileFacts, slot: Slot, loop: Node, sweep: Node): boolean {
  const values = valuesOf(facts);
  const home = runsIn(facts, sweep);
  const again = (node: Node): boolean =>
    !inside(node, loop) &&
    (inside(node, sweep) || (startOf(node) > endOf(loop) && runsIn(facts, node) === home));
  if (slot.binding !== null)
    return [...assignmentsTo(facts, slot.binding), ...updatesOf(facts, slot.binding)].some(again);
  return (
    facts.assignments.some((node) => {
      const key = values.key(child(node, "left")!);
      return (
        (key === slot.key || slot.key.startsWith(`${key}.`) || key.startsWith(`${slot.key}[`)) && again(node)
      );
    }) ||
    facts.calls.some((call) => {
      const holder = receiver(call);
      return (
        holder !== null &&
        /^(?:set|fill|clear|delete|push)$/.test(calleeName(call) ?? "") &&
        slot.key.startsWith(values.key(holder)) &&
        again(call)
      );
    })
  );
}

const isTarget = (node: Node): boolean =>
  node.parent?.type === "AssignmentExpression" && child(node.parent, "left") === node;

/** `t === last ? x : xs[t]`: asked for in one turn. */
function onlyOnce(_facts: FileFacts, node: Node, loop: Node): boolean {
  for (let from = node, at = node.parent; at != null && at !== loop; from = at, at = at.parent)
    if (/^(?:If|Conditional)/.test(at.type) && child(at, "test") !== from)
      return /^(?:[=!]==?|[<>]=?)$/.test(String(bare(child(at, "test")!).operator));
  return false;
}

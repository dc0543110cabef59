/** Who hands what to whom: closures that are run on their own node, and methods that hand a cotangent on to the next node. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { callsFrom, callsNamed } from "../lookups.js";
import { keptAs } from "../rules/shared/nodes.js";
import { isOne } from "../reverse.js";
import { argumentsOf, calleeName, receiver, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";
import type { Weighed } from "./evidence.js";
import { multiplies } from "./parts.js";
import { slotNamesOf } from "./slots.js";
import { related, startsAt } from "./upstream.js";

/** `c.rule(c)` of a closure that is kept under `rule`: keys of the parameters that are the output itself. */
export function handedNodes(facts: FileFacts, closure: Fn): ReadonlySet<string> {
  const cache = facts.once("handed nodes", () => new Map<Fn, ReadonlySet<string>>());
  let known = cache.get(closure);
  if (known !== undefined) return known;
  const values = valuesOf(facts);
  const found = new Set<string>();
  if (closure.params.length > 0)
    for (const name of keptAs(facts, closure))
      for (const call of callsNamed(facts, name)) {
        const node = receiver(call);
        if (node === null) continue;
        argumentsOf(call).forEach((argument, at) => {
          if (closure.params[at] !== undefined && values.key(argument) === values.key(node))
            found.add(values.key(closure.params[at]));
        });
      }
  cache.set(closure, (known = found));
  return known;
}

/**
 * What speaks for a method that keeps what it is handed, beyond the call itself: nodes hand products of their own slot on to
 * those that they are made of, and a sweep seeds it; leaves keep what inner nodes of other classes hand down scaled; or the
 * rules of several classes hand it to operands that they were given.
 */
export function messages(facts: FileFacts, fn: Fn, write: Write, call: Node, weighed: Weighed): number {
  if (write.objectKey !== "this") return 0;
  const { upstream, home } = weighed;
  if (home === null || upstream === null) return 0;
  const paid = { ...write, objectKey: valuesOf(facts).key(receiver(call) ?? call) };
  const slots = slotNamesOf(facts);
  if (
    upstream.kind === "field" &&
    slots.canonical(upstream.name) === slots.canonical(write.name) &&
    upstream.object === "this" &&
    related(facts, paid, upstream) === "push" &&
    argumentsOf(call).some((argument) => multiplies(facts, argument)) &&
    isSeeded(facts, write)
  )
    return 1;
  if (upstream.kind !== "param" || !startsAt(paid.objectKey, "this")) return 0;
  if (home.name !== fn.name) return paysOperands(facts, fn, home) ? 2 : 0;
  // layers in a row hand on to one each, and each is handed something once
  return branches(facts, fn.name) ? (home !== fn ? 2 : 0) : -2;
}

/** A function named for the sweep stores one, or what it is handed, into the slot. */
const isSeeded = (facts: FileFacts, write: Write): boolean =>
  writesOf(facts).some((other) => {
    const home = facts.home(other.node);
    if (other.name !== write.name || home === null || home.kind === "constructor") return false;
    return isBackward(facts, home) && (isOne(other.value) || facts.binding(other.value)?.kind === "param");
  });

/** A method of that name goes on to two different nodes of its own: the nodes form no chain. */
function branches(facts: FileFacts, name: string): boolean {
  const values = valuesOf(facts);
  return facts.functions.some((fn) => {
    if (fn.name !== name || fn.kind !== "method") return false;
    const keys = callsFrom(facts, fn)
      .filter((call) => calleeName(call) === name && receiver(call) !== null)
      .map((call) => values.key(receiver(call)!))
      .filter((key) => startsAt(key, "this"));
    return new Set(keys).size > 1 || keys.some((key) => key.endsWith("]"));
  });
}

/**
 * `a.receive(g * b.value)` in the backward method of an operation that keeps the operands it was given, gives nothing back
 * itself (a layer of a chain would), and is one of several that do so, one of them with two operands.
 */
function paysOperands(facts: FileFacts, setter: Fn, home: Fn): boolean {
  const table = facts.once("operands paid by setters", () => new Map<Fn, ReadonlySet<Fn>>());
  let rules = table.get(setter);
  if (rules === undefined) table.set(setter, (rules = rulesThatPay(facts, setter)));
  return rules.has(home);
}

function rulesThatPay(facts: FileFacts, setter: Fn): ReadonlySet<Fn> {
  const operands = new Map<Fn, Set<string>>();
  for (const call of callsOf(facts, setter)) {
    const rule = facts.home(call);
    const holder = receiver(call);
    if (rule === null || holder === null || !isBackward(facts, rule) || rule.returns.length > 0) continue;
    if (rule.owner === null || rule.owner === setter.owner) continue;
    const key = valuesOf(facts).key(holder);
    const field = /^this\.([\w$#]+)/.exec(key)?.[1];
    if (field === undefined || !isGiven(facts, field)) continue;
    operands.set(rule, (operands.get(rule) ?? new Set()).add(key));
  }
  const several = operands.size > 1 && [...operands.values()].some((keys) => keys.size > 1);
  return several ? new Set(operands.keys()) : new Set();
}

/** A parameter is kept in the field. */
const isGiven = (facts: FileFacts, field: string): boolean =>
  writesOf(facts).some(
    ({ objectKey, name, element, value }) =>
      objectKey === "this" && name === field && !element && facts.binding(value)?.kind === "param",
  );

/**
 * Segments that a checkpoint is handed, one or a list, and runs twice: in the forward pass, and in the closure that it leaves
 * behind or in its backward method. What is handed may stand in this file, or come out of one of its functions.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf, methodsNamed } from "../../local.js";
import { groupBy } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, keptAs } from "../shared/nodes.js";
import type { Replayed } from "./replayed.js";

export function* segments(facts: FileFacts): Iterable<Replayed> {
  const runs = groupBy(facts.calls, (call) => handleOf(facts, call));
  for (const [handle, calls] of runs) {
    const again = calls.find((call) => {
      const later = facts.home(call);
      return later !== null && calls.some((first) => first !== call && precedes(facts, first, later));
    });
    if (again === undefined) continue;
    const found = handedTo(facts, handle, again);
    for (const fn of found.length > 0 ? found : ofTheShape(facts, again))
      yield { fn, why: again, twice: true };
  }
}

/** What a call runs, where that is handed in: the key of a parameter, or of the list that it is taken from. */
function handleOf(facts: FileFacts, call: Node): string | null {
  const callee = bare(child(call, "callee")!);
  if (isMember(callee) && propertyName(callee) !== null) {
    // `this.fn(x)` of a field that is handed to the constructor
    const own = bare(child(callee, "object")!).type === "ThisExpression";
    return own && methodsNamed(facts, propertyName(callee)!).length === 0
      ? valuesOf(facts).key(callee)
      : null;
  }
  if (!isMember(callee) && identifier(callee) === null) return null;
  const key = valuesOf(facts).key(callee);
  const list = /^([^[\]]+)\[[^[\]]*\]$/.exec(key)?.[1];
  if (list !== undefined) return list.startsWith("?") ? null : list;
  const binding = facts.binding(callee);
  return binding?.kind === "param" && !binding.defaulted ? key : null;
}

/** The first run stands in the function around the later one, or in a forward method of the class whose backward method runs it again. */
function precedes(facts: FileFacts, first: Node, later: Fn): boolean {
  const home = facts.home(first);
  if (home === null || home === later) return false;
  if (later.owner !== null && later.kind === "method")
    return home.owner === later.owner && isBackward(facts, later) && !isBackward(facts, home);
  return inside(later.node, home.node) && isOfSweep(facts, later);
}

/** It is kept under a name of the sweep, or is handed a cotangent. */
function isOfSweep(facts: FileFacts, fn: Fn): boolean {
  if ([fn.name, ...keptAs(facts, fn)].some((name) => facts.names.backward(name) || SWEEP.test(name)))
    return true;
  return fn.params.some((param) => facts.names.gradient(identifier(bare(param)) ?? "") > 0);
}

const SWEEP = /^_*(?:pull|bwd|back|grad|vjp)/i;

/** Functions of this file that calls of the checkpoint hand to it. */
function handedTo(facts: FileFacts, handle: string, again: Node): readonly Fn[] {
  const values = valuesOf(facts);
  const out = new Set<Fn>();
  for (let fn = facts.home(again); fn !== null; fn = facts.outer(fn)) {
    const at = fn.params.findIndex((param) => values.key(inner(param)) === handle);
    if (at < 0) continue;
    const rest = fn.params[at].type === "RestElement";
    for (const call of callsOf(facts, fn))
      for (const argument of rest ? argumentsOf(call).slice(at) : argumentsOf(call).slice(at, at + 1))
        for (const one of functionsIn(facts, argument)) out.add(one);
  }
  return [...out];
}

function inner(param: Node): Node {
  const at = bare(param);
  if (at.type === "RestElement") return child(at, "argument")!;
  return at.type === "AssignmentPattern" ? child(at, "left")! : at;
}

/** `f`, `(x) => ...`, `dropout(0.8)` of a function that returns one, and lists of these. */
function functionsIn(facts: FileFacts, value: Node, depth = 0): readonly Fn[] {
  const at = bare(value);
  if (depth > 4) return [];
  if (at.type === "ArrayExpression")
    return children(at, "elements").flatMap((one) =>
      one === null ? [] : functionsIn(facts, one, depth + 1),
    );
  if (isFunction(at)) {
    const fn = facts.functionOf(at);
    return fn === null ? [] : [fn];
  }
  if (isCall(at)) {
    const made = functionsIn(facts, child(at, "callee")!, depth + 1).flatMap((fn) =>
      fn.returns.filter((one) => isFunctionOrName(one)).flatMap((one) => functionsIn(facts, one, depth + 1)),
    );
    return [...made, ...argumentsOf(at).flatMap((one) => functionsIn(facts, one, depth + 1))];
  }
  const binding = facts.binding(at);
  if (binding === null) return [];
  if (isFunction(binding.declaration)) return functionsIn(facts, binding.declaration, depth + 1);
  const [only, ...more] = binding.definitions.filter(({ kind }) => kind === "initial");
  return only === undefined || more.length > 0 || only.path.length > 0
    ? []
    : functionsIn(facts, only.expression, depth + 1);
}

const isFunctionOrName = (node: Node): boolean => isFunction(bare(node)) || identifier(bare(node)) !== null;

/** Where nothing is handed over in this file: functions that take as much as the segment does and leave a closure behind. */
function ofTheShape(facts: FileFacts, again: Node): readonly Fn[] {
  const count = argumentsOf(again).length;
  const around = facts.home(again);
  return facts.functions.filter((fn) => {
    if (fn.inline || fn.params.length !== count || fn.kind !== "function") return false;
    for (let at = around; at !== null; at = facts.outer(at)) if (at === fn) return false;
    return (byParent(facts).get(fn) ?? []).some(
      (one) => !one.inline && operationOf(facts, one)?.linked === true && isOfSweep(facts, one),
    );
  });
}

const byParent = (facts: FileFacts): ReadonlyMap<Fn, readonly Fn[]> =>
  facts.once("functions by the one around", (file) => groupBy(file.functions, ({ parent }) => parent));

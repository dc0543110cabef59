/** What gives something else each time it is asked: random numbers, clocks, counters of calls, globals that others set. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { groupBy } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { callsIn, inside, newsIn, nodesIn, partsOf, runsIn } from "../shared/nodes.js";
import { sourceCall } from "./draws.js";
import { flowsOut } from "./flows-out.js";
import { isPutBack } from "./generators.js";
import { isIdle } from "./idle.js";
import { isMadeOnce } from "./made-once.js";
import type { Replayed } from "./replayed.js";
import { fieldIn, globalIn } from "./settings.js";

export interface Source {
  readonly node: Node;
  readonly what: string;
}

/**
 * Sources in a function, and calls of local functions that have one. `twice`: it runs in the forward pass too, so that a
 * global that changes between the two matters. A count that a helper of a forward step keeps is told where it is counted.
 */
export function sourcesIn(facts: FileFacts, { fn, why, twice }: Replayed): readonly Source[] {
  const out: Source[] = [];
  for (const call of [...callsIn(facts, fn), ...newsIn(facts, fn)]) {
    if (isKept(facts, call, fn) || isIdle(facts, call, fn) || isRemembered(facts, call, fn)) continue;
    const found = sourceAt(facts, call, why === null ? null : fn);
    if (found !== null) out.push(found);
  }
  const counted = counterIn(facts, fn);
  if (counted !== null) out.push(counted);
  if (twice) {
    const global = globalIn(facts, fn, why) ?? fieldIn(facts, fn, why);
    if (global !== null) out.push(global);
  }
  return out;
}

/** The source that a call is, itself or in what it runs. */
export function sourceAt(facts: FileFacts, call: Node, runAgain: Fn | null): Source | null {
  const what = sourceCall(facts, call);
  if (what !== null) return { node: call, what };
  const local = call.type === "NewExpression" ? null : localFunction(facts, call);
  if (local === null || local === runAgain) return null;
  const deep = unsteady(facts, local, 0);
  if (deep === null) return null;
  const counted = runAgain === null ? null : counterIn(facts, local);
  // `(h) => dropout(h, 0.5)` only runs the step that draws; a step that makes a node draws for itself
  const around = facts.enclosing(call);
  const only = around !== null && around.returns.length === 1 && bare(around.returns[0]) === call;
  const drawn =
    only || (runAgain !== null && isOperation(facts, local))
      ? callsIn(facts, local).find((inner) => sourceCall(facts, inner) !== null)
      : undefined;
  return counted ?? { node: drawn ?? call, what: `\`${local.name}\` (${deep})` };
}

const isOperation = (facts: FileFacts, fn: Fn): boolean =>
  facts.functions.some(
    (one) => !one.inline && facts.outer(one) === fn && operationOf(facts, one)?.linked === true,
  );

/** `mask ??= draw()`, `if (mask === null) mask = draw()` of a name from outside: drawn by the first run, and there in the second. */
export function isKept(facts: FileFacts, call: Node, fn: Fn): boolean {
  for (let from = call, at = call.parent; at != null && at !== fn.node; from = at, at = at.parent) {
    if (at.type !== "AssignmentExpression" || child(at, "right") !== from) continue;
    const target = bare(child(at, "left")!);
    const binding = facts.binding(target);
    const outside = isMember(target) || (binding !== null && !inside(binding.declaration, fn.node));
    if (!outside) continue;
    if (at.operator === "??=" || at.operator === "||=") return true;
    if (binding !== null) return isMadeOnce(facts, binding);
    if (isFirst(facts, at, target)) return true;
  }
  return false;
}

/** `drawn.set(step, z)` of a map from outside that the function asks first: drawn once for each step. */
export function isRemembered(facts: FileFacts, call: Node, fn: Fn): boolean {
  const outside = (node: Node | null): string | null => {
    const at = node === null ? null : bare(node);
    if (at === null) return null;
    const held = isMember(at) ? bare(child(at, "object")!).type === "ThisExpression" : false;
    const binding = facts.binding(at);
    return held || (binding !== null && !inside(binding.declaration, fn.node))
      ? valuesOf(facts).key(at)
      : null;
  };
  const asked = new Set<string>();
  for (const one of callsIn(facts, fn))
    if (/^(?:get|has)$/.test(calleeName(one) ?? "")) asked.add(outside(receiver(one)) ?? "");
  for (const one of nodesIn(facts, "MemberExpression", fn.node))
    if (propertyName(one) === null && one.parent?.type !== "AssignmentExpression")
      asked.add(outside(child(one, "object")) ?? "");
  asked.delete("");
  if (asked.size === 0) return false;
  const keeps = (value: Node): boolean => givenBy(facts, value, call);
  return (
    callsIn(facts, fn).some((one) => {
      const [, value] = argumentsOf(one);
      return (
        calleeName(one) === "set" &&
        value !== undefined &&
        asked.has(outside(receiver(one)) ?? "") &&
        keeps(value)
      );
    }) ||
    nodesIn(facts, "AssignmentExpression", fn.node).some((one) => {
      const target = bare(child(one, "left")!);
      const into =
        isMember(target) && propertyName(target) === null ? outside(child(target, "object")) : null;
      return into !== null && asked.has(into) && keeps(child(one, "right")!);
    })
  );
}

/** The draw stands in the value, or in what is stored in the local that it is. */
function givenBy(facts: FileFacts, value: Node, call: Node): boolean {
  if (inside(call, value)) return true;
  return (facts.binding(value)?.definitions ?? []).some(({ expression }) => inside(call, expression));
}

/** `if (!this.mask) this.mask = ...`. */
function isFirst(facts: FileFacts, store: Node, target: Node): boolean {
  const place = facts.source(target);
  for (let at = store.parent; at != null && !isFunction(at); at = at.parent) {
    if (at.type !== "IfStatement" || !inside(store, child(at, "consequent")!)) continue;
    const test = bare(child(at, "test")!);
    if (test.type === "UnaryExpression" && test.operator === "!")
      return facts.source(child(test, "argument")!) === place;
    if (test.type === "BinaryExpression" && /^===?$/.test(String(test.operator))) {
      const right = child(test, "right")!;
      const nothing = literal(right) === null || identifier(bare(right)) === "undefined";
      return nothing && facts.source(child(test, "left")!) === place;
    }
  }
  return false;
}

/** What makes a local function give something else each time, through what it calls. */
function unsteady(facts: FileFacts, fn: Fn, depth: number): string | null {
  const cache = facts.once("unsteady", () => new Map<Fn, string | null>());
  const known = cache.get(fn);
  if (known !== undefined || depth > 5) return known ?? null;
  cache.set(fn, null);
  let found: string | null = null;
  for (const call of callsIn(facts, fn)) {
    const what = sourceCall(facts, call);
    const local = what === null ? localFunction(facts, call) : null;
    if (what !== null && (!flowsOut(facts, fn, [call]) || isRemembered(facts, call, fn))) continue;
    found ??= what ?? (local === null || local === fn ? null : unsteady(facts, local, depth + 1));
  }
  const counted = found === null ? counterIn(facts, fn) : null;
  // a count that keeps a cache small is none of what the helper gives
  if (counted !== null && (fn.returns.length === 0 || flowsOut(facts, fn, [counted.node, ...counted.uses])))
    found = counted.what;
  cache.set(fn, found);
  return found;
}

/** A variable from outside that the function changes and decides or computes by. */
export function counterIn(facts: FileFacts, fn: Fn): (Source & { readonly uses: readonly Node[] }) | null {
  for (const { node, binding } of countersOf(facts).get(fn) ?? []) {
    if (facts.names.gradient(binding.name) === 2) continue;
    if (isPutBack(facts, fn, { target: node, binding })) continue;
    const uses = nodesIn(facts, "Identifier", fn.node).filter(
      (one) =>
        one.name === binding.name &&
        !inside(one, node) &&
        runsIn(facts, one) === fn &&
        facts.scopes.resolve(one) === binding &&
        decides(one),
    );
    const decidesAtOnce = decides(node);
    if (uses.length > 0 || decidesAtOnce)
      return { node, uses, what: `a counter of calls, \`${binding.name}\`,` };
  }
  return null;
}

/** A look before values are followed: the function changes a variable of the module. */
export const mayCount = (facts: FileFacts, fn: Fn): boolean => countersOf(facts).has(fn);

interface Counting {
  readonly node: Node;
  readonly binding: Binding;
  readonly fn: Fn | null;
}

/** Variables of the module that functions count up, by the function. */
const countersOf = (facts: FileFacts): ReadonlyMap<Fn, readonly Counting[]> =>
  facts.once("counters", (file) => {
    const found: Counting[] = [];
    for (const node of [
      ...file.updates,
      ...file.assignments.filter((one) => one.operator !== "=" || isOfItself(file, one)),
    ]) {
      const binding = file.binding(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);
      if (binding !== null && binding.scope.type === "Program" && binding.kind === "variable")
        found.push({ node, binding, fn: runsIn(file, node) });
    }
    return groupBy(found, ({ fn }) => fn);
  });

/** `flip = !flip`, `n = n + 1`. */
function isOfItself(facts: FileFacts, store: Node): boolean {
  const binding = facts.binding(child(store, "left")!);
  return (
    binding !== null &&
    partsOf(child(store, "right")!).some(
      (part) =>
        part.type === "Identifier" && part.name === binding.name && facts.scopes.resolve(part) === binding,
    )
  );
}

/** Stands in a test, a comparison or arithmetic; a number that names a node does not. */
export function decides(node: Node): boolean {
  for (let from = node, at = node.parent; at != null && !isFunction(at); from = at, at = at.parent) {
    if (/^(?:Binary|Unary)Expression$/.test(at.type)) return true;
    if (/^(?:If|Conditional|While)/.test(at.type)) return child(at, "test") === from;
    if (isMember(at) && at.computed === true && child(at, "property") === from) return true;
    if (isCall(at) && identifier(receiver(at)) === "Math") return true;
    if (/Statement$|Declarator$|Property$|CallExpression|NewExpression/.test(at.type)) return false;
  }
  return false;
}

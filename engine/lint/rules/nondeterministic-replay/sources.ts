/** What gives something else each time it is asked: random numbers, clocks, counters of calls, globals that others set. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { assignmentsTo, groupBy } from "../../lookups.js";
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
import { callsIn, inside, newsIn, nodesIn, partsOf, runsIn } from "../shared/nodes.js";
import type { Replayed } from "./replayed.js";
import { flowsOut } from "./flows-out.js";
import { isMadeOnce } from "./made-once.js";

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
    if (isKept(facts, call, fn)) continue;
    const found = sourceAt(facts, call, why === null ? null : fn);
    if (found !== null) out.push(found);
  }
  const counted = counterIn(facts, fn);
  if (counted !== null) out.push(counted);
  if (twice) {
    const global = globalIn(facts, fn);
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
  // `(h) => dropout(h, 0.5)` only runs the step that draws
  const around = facts.enclosing(call);
  const only = around !== null && around.returns.length === 1 && bare(around.returns[0]) === call;
  const drawn = only ? callsIn(facts, local).find((inner) => sourceCall(facts, inner) !== null) : undefined;
  return counted ?? { node: drawn ?? call, what: `\`${local.name}\` (${deep})` };
}

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
    found ??= what ?? (local === null || local === fn ? null : unsteady(facts, local, depth + 1));
  }
  const counted = found === null ? counterIn(facts, fn) : null;
  // a count that keeps a cache small is none of what the helper gives
  if (counted !== null && (fn.returns.length === 0 || flowsOut(facts, fn, [counted.node, ...counted.uses])))
    found = counted.what;
  cache.set(fn, found);
  return found;
}

/** `Math.random()`, `Date.now()`, `performance.now()`, `new Date()`, `crypto.getRandomValues(...)`. */
export function sourceCall(facts: FileFacts, call: Node): string | null {
  const name = calleeName(call) ?? "";
  const object = receiver(call);
  const on = object === null ? "" : (identifier(bare(object)) ?? propertyName(bare(object)) ?? "");
  if (object !== null && name === "next" && isStream(facts, object, true))
    return `the stream \`${facts.source(object)}\``;
  if (object !== null && bare(object).type === "ThisExpression" && isRandomField(facts, name))
    return "`Math.random`";
  if (object !== null && facts.binding(object) !== null) return null;
  if (object === null && isAlias(facts, call)) return "`Math.random`";
  if (object === null && isStream(facts, child(call, "callee")!, false)) return `the stream \`${name}\``;
  if (on === "Math" && name === "random") return "`Math.random`";
  if ((on === "Date" || on === "performance") && name === "now") return `\`${on}.now\``;
  if (on === "process" && /^(?:hrtime|uptime)$/.test(name)) return `\`process.${name}\``;
  if (on === "crypto" && /^random|^getRandom/.test(name)) return `\`crypto.${name}\``;
  if (call.type === "NewExpression" && name === "Date" && argumentsOf(call).length === 0)
    return "`new Date()`";
  return null;
}

/** Of the module, made by a function of this file that is a generator, or gives out one that moves a state of its own on. */
function isStream(facts: FileFacts, node: Node, generator: boolean): boolean {
  const binding = facts.binding(node);
  if (binding?.kind !== "variable" || binding.scope.type !== "Program" || binding.definitions.length !== 1)
    return false;
  const made = bare(binding.definitions[0].expression);
  const maker = isCall(made) ? localFunction(facts, made) : null;
  if (maker === null) return false;
  if (generator) return maker.node.generator === true;
  const given = maker.returns.length === 1 ? facts.functionOf(bare(maker.returns[0])) : null;
  if (given === null) return false;
  return [...facts.updates, ...facts.assignments].some((one) => {
    const state = facts.binding(child(one, one.type === "UpdateExpression" ? "argument" : "left")!);
    return state !== null && inside(one, given.node) && facts.scopes.declaredIn(state, maker.node);
  });
}

/** `this.rng()` of `this.rng = Math.random`. */
const isRandomField = (facts: FileFacts, name: string): boolean =>
  facts
    .once("fields that draw", (file) => {
      const names = file.assignments.flatMap((node) => {
        const target = bare(child(node, "left")!);
        const own = isMember(target) && bare(child(target, "object")!).type === "ThisExpression";
        return own && isMathRandom(bare(child(node, "right")!)) ? [propertyName(target)] : [];
      });
      return new Set(names);
    })
    .has(name);

const isMathRandom = (value: Node): boolean =>
  isMember(value) && propertyName(value) === "random" && identifier(child(value, "object")) === "Math";

/** `rand()` of `const rand = Math.random`, or of `(x, rand = Math.random) => ...`. */
function isAlias(facts: FileFacts, call: Node): boolean {
  const binding = facts.binding(child(call, "callee")!);
  if (binding === null || binding.definitions.length > 1) return false;
  const around = binding.declaration.parent;
  const value =
    binding.kind === "param" && around?.type === "AssignmentPattern"
      ? child(around, "right")
      : (binding.definitions[0]?.expression ?? null);
  const inner = value === null ? null : bare(value);
  return inner !== null && isMathRandom(inner);
}

/** A variable from outside that the function changes and decides or computes by. */
export function counterIn(facts: FileFacts, fn: Fn): (Source & { readonly uses: readonly Node[] }) | null {
  for (const { node, binding } of countersOf(facts).get(fn) ?? []) {
    if (facts.names.gradient(binding.name) === 2) continue;
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

/** A variable of the module that another function sets, read in a test or in arithmetic. */
function globalIn(facts: FileFacts, fn: Fn): Source | null {
  for (const node of nodesIn(facts, "Identifier", fn.node)) {
    if (runsIn(facts, node) !== fn) continue;
    const binding = facts.scopes.resolve(node);
    if (binding === null || binding.scope.type !== "Program" || binding.kind !== "variable") continue;
    const set = assignmentsTo(facts, binding).find(
      (other) => facts.home(other) !== null && facts.home(other) !== fn,
    );
    if (set === undefined || /grad|enabled|record|tape|trac/i.test(binding.name)) continue;
    if (isMadeOnce(facts, binding)) continue;
    if (decides(node) || nodesIn(facts, "BinaryExpression", fn.node).some((part) => inside(node, part)))
      return { node, what: `\`${binding.name}\`, a global that other code sets,` };
  }
  return null;
}

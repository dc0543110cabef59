/** Every write of a file judged once: does it add, does it assign a contribution, or is it none of either? */
import { adds, slotOf, type Slot } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { callsFrom, groupBy, partOf } from "../lookups.js";
import { loopsAround, operationOf } from "../reverse.js";
import { valuesOf } from "../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isFunction,
  isMember,
  keyName,
  literal,
  receiver,
  startOf,
  walk,
  within,
  type Node,
} from "../tree.js";
import { isBlank, slotNamesOf, startsOf } from "./slots.js";
import { derivedIndex, ENOUGH, isBackward, isEntry, weigh, type Weighed } from "./evidence.js";
import { storedEachTurn } from "./turns.js";
import { addingName, writesOf, type Write } from "../writes.js";

export type Verdict =
  /** adds a contribution: right */
  | "accumulates"
  /** assigns a contribution */
  | "overwrites"
  /** assigns a contribution into what this very function made afresh: a chain with one writer */
  | "single-use"
  /** initialises, seeds, resets, copies, publishes, scales: not about contributions */
  | "other";

export interface Judged {
  readonly write: Write;
  readonly verdict: Verdict;
  readonly weighed: Weighed | null;
  /** other only for lack of evidence here: what calls its function may bring it */
  readonly open: boolean;
  /** canonical name of the slot: field or container */
  readonly slot: string;
}

export const judgedWrites = (facts: FileFacts): readonly Judged[] =>
  facts.once("judged writes", (file) => {
    const all = writesOf(file);
    const first = all.map((write) => judge(file, write, all));
    return withSiblings(file, first);
  });

function slotName(facts: FileFacts, write: Write): string {
  return slotNamesOf(facts).canonical(write.name);
}

function judge(facts: FileFacts, write: Write, all: readonly Write[]): Judged {
  const slots = slotNamesOf(facts);
  const slot = slotName(facts, write);
  const done = (verdict: Verdict, weighed: Weighed | null = null, open = false): Judged => ({
    write,
    verdict,
    weighed,
    open,
    slot,
  });
  if (write.form === "scale" || !plausible(facts, write)) return done("other");
  if (write.form === "add" || write.form === "adding-call") return done("accumulates", weigh(facts, write));
  if (isBlank(facts, write.value) || isFunction(bare(write.value)) || holdsEdges(facts, write.value))
    return done("other");
  const home = facts.home(write.node);
  if (home === null || isSetup(facts, write, home)) return done("other");
  const old = slotOf(write, (name) => slots.same(name));
  if (write.form !== "merge" && adds(facts, write.value, old))
    return done("accumulates", weigh(facts, write));
  if (slots.addingSetters.has(write.name)) return done("accumulates", weigh(facts, write));
  if (slots.setters.has(home) && write.objectKey === "this") return done("other");
  if (keepsBest(facts, write, home)) return done("other");
  if (guarded(facts, write, home)) return done("other");
  const weighed = weigh(facts, write);
  if (storedEachTurn(facts, write, all)) return done("overwrites", weighed);
  if (madeHere(facts, write, home, weighed)) return done("other", weighed);
  if (weighed.own) return done("other", weighed, true);
  if (isSeed(facts, write, home, weighed)) return done("other", weighed);
  if (forwards(facts, write, home, weighed, all)) return done("other", weighed);
  if (freshBuffer(facts, write, home, all))
    return done(weighed.score >= ENOUGH - 2 && weighed.reverse ? "single-use" : "other", weighed);
  const enough = weighed.score >= ENOUGH && fits(facts, write, weighed);
  return done(enough ? "overwrites" : "other", weighed, !enough);
}

/** Could be a gradient's slot: by its name, or because it starts at nothing and something is scaled into it. */
function plausible(facts: FileFacts, write: Write): boolean {
  if (facts.names.gradient(write.name) > 0) return true;
  const { blank } = startsOf(facts);
  const slots = slotNamesOf(facts);
  if (slots.same(write.name).some((name) => facts.names.gradient(name) > 0)) return true;
  if (!blank.has(slots.canonical(write.name))) return false;
  const home = facts.home(write.node);
  return (
    home !== null &&
    (operationOf(facts, home) !== null || loopsAround(facts, write.node).some(({ reverse }) => reverse))
  );
}

const EDGE = /^(?:vjps?|bw|bwd|backward|fn|op|grad_?fn|pull_?back)$/i;

/** `x.grad = [{ backward: y, vjp }]`: the edges of a graph are kept under the name, no gradient. */
function holdsEdges(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  const parts =
    inner.type === "ArrayExpression"
      ? children(inner, "elements")
      : calleeName(inner) === "map"
        ? argumentsOf(inner).flatMap((fn) => facts.functionOf(fn)?.returns ?? [])
        : [inner];
  return parts.some((part) => {
    if (part === null || bare(part).type !== "ObjectExpression") return false;
    return children(bare(part), "properties").some((property) => {
      const key = property === null ? null : child(property, "key");
      return key !== null && EDGE.test(keyName(key, property!.computed === true) ?? "");
    });
  });
}

/** The sweep's own parameter stored before the sweep begins: `backward(seed) { this.grad = seed; for (...) ... }`. */
function isSeed(facts: FileFacts, write: Write, home: Fn, weighed: Weighed): boolean {
  if (weighed.upstream?.kind !== "param" || weighed.operation !== null) return false;
  if (loopsAround(facts, write.node).length > 0) return false;
  const after = startOf(write.node);
  const later = (node: Node): boolean => startOf(node) > after && facts.home(node) === home;
  return (
    facts.loops.some(later) ||
    facts.functions.some((fn) => fn.inline && startOf(fn.node) > after && facts.outer(fn) === home)
  );
}

/** Constructors and copies initialise. */
function isSetup(facts: FileFacts, write: Write, home: Fn): boolean {
  if (home.kind === "constructor") return write.objectKey === "this";
  return facts.names.copying(home.name) || facts.names.reset(home.name);
}

/** Entries need a place that comes out of data, not out of counting; whole fields need an object. */
function fits(facts: FileFacts, write: Write, weighed: Weighed): boolean {
  if (write.form === "merge") return false;
  if (!isEntry(write)) {
    // `t.error[3] = min(t.error[0], ...)`: one object's numbers, not the slots of several nodes
    const { upstream } = weighed;
    const within = upstream?.kind === "element" && upstream.container === write.container;
    if (within && write.element && facts.names.gradient(write.name) < 2 && !derivedIndex(facts, write))
      return false;
    return weighed.reverse || weighed.score > ENOUGH;
  }
  if (write.index === null) return false;
  const fromEntry = weighed.upstream?.kind === "element";
  if (write.form === "map-set" || write.form === "spread")
    return facts.names.gradient(write.name) > 0 || (fromEntry && weighed.score > ENOUGH);
  // `dx[i] = y[i] * bar[i]` fills a buffer of its own; an adjoint array is read and written
  if (!derivedIndex(facts, write)) return false;
  return fromEntry
    ? weighed.score > ENOUGH
    : facts.names.gradient(write.name) === 2 &&
        weighed.operation !== null &&
        !isLocal(facts, write, weighed.home);
}

export function isLocal(facts: FileFacts, write: Write, home: Fn | null): boolean {
  const root = rootOf(write.target);
  const binding = root === null ? null : facts.binding(root);
  return (
    home !== null &&
    binding !== null &&
    binding.kind === "variable" &&
    facts.scopes.declaredIn(binding, home.node)
  );
}

export function rootOf(target: Node): Node | null {
  let at: Node | null = target;
  while (at !== null && at.type !== "Identifier" && at.type !== "ThisExpression") {
    const next: Node | null = child(at, "object") ?? child(at, "expression") ?? child(at, "callee");
    at = next;
  }
  return at;
}

/** The written object was made by this very run: a copy, an output under construction. */
function madeHere(facts: FileFacts, write: Write, home: Fn, weighed: Weighed): boolean {
  if (write.object === null || isEntry(write)) return false;
  const root = rootOf(write.object);
  const binding = root === null ? null : facts.binding(root);
  if (binding === null || binding.kind !== "variable" || !facts.scopes.declaredIn(binding, home.node))
    return false;
  if (!write.objectKey.startsWith(`${binding.name}~${binding.id}`)) return false;
  if (write.objectKey !== `${binding.name}~${binding.id}`) return false;
  const made = binding.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  if (made === undefined) return false;
  const type = made.expression.type;
  return (
    type === "NewExpression" ||
    type === "ObjectExpression" ||
    (type === "CallExpression" &&
      weighed.operation === null &&
      home.returns.some((r) => facts.binding(r) === binding))
  );
}

/**
 * Forward mode has the same shape the other way round: the written object is the output. It shows where the same
 * function stores the primal of that object too, or reads the slot of several objects.
 */
function forwards(
  facts: FileFacts,
  write: Write,
  home: Fn,
  weighed: Weighed,
  all: readonly Write[],
): boolean {
  if (write.object === null || isEntry(write) || weighed.operation !== null) return false;
  if (/forward|jvp|tangent|fwd/i.test(home.name) && !/backward|reverse|vjp/i.test(home.name)) return true;
  return (
    all.some(
      (other) =>
        other !== write &&
        other.object !== null &&
        other.objectKey === write.objectKey &&
        other.name !== write.name &&
        /^_*(?:v|val|value|data|x|primal|re|real|f|out|w)$/i.test(other.name) &&
        facts.home(other.node) === home,
    ) && !facts.names.backward(home.name)
  );
}

/** `slot = fresh; slot[i] = contribution`: nothing was there to be lost. */
function freshBuffer(facts: FileFacts, write: Write, home: Fn, all: readonly Write[]): boolean {
  if (
    write.object === null ||
    !(write.element || write.form === "buffer-set" || write.form === "buffer-fill")
  )
    return false;
  return all.some(
    (other) =>
      other.object !== null &&
      !other.element &&
      (other.form === "assign" || other.form === "buffer-fill") &&
      other.objectKey === write.objectKey &&
      other.name === write.name &&
      other !== write &&
      facts.home(other.node) === home &&
      isBlank(facts, other.value) &&
      branchOf(other.node, home.node).length === 0,
  );
}

/** Conditions around a node inside its function, innermost first: the `if` or `?:` and the branch taken. */
export function branchOf(node: Node, home: Node): { readonly test: Node; readonly branch: Node }[] {
  const out: { test: Node; branch: Node }[] = [];
  for (
    let from = node, at = node.parent;
    at !== null && at !== undefined && at !== home;
    from = at, at = at.parent
  ) {
    if (isFunction(at) && at === home) break;
    if ((at.type === "IfStatement" || at.type === "ConditionalExpression") && child(at, "test") !== from)
      out.push({ test: at, branch: from });
    else if (at.type === "LogicalExpression" && child(at, "right") === from)
      out.push({ test: at, branch: from });
    else if (at.type === "SwitchCase") out.push({ test: at, branch: from });
  }
  return out;
}

const writesFrom = (facts: FileFacts, home: Fn): readonly Write[] =>
  facts
    .once("writes by function", (file) => groupBy(writesOf(file), ({ node }) => file.home(node)))
    .get(home) ?? [];

/** A first write with the adding one beside it: one branch stores, the other (or what follows its return) adds. */
function guarded(facts: FileFacts, write: Write, home: Fn): boolean {
  const slots = slotNamesOf(facts);
  const old = slotOf(write, (name) => slots.same(name));
  // the branches of a dispatch are other operations, not the first write and the later ones
  const branches = branchOf(write.node, home.node).filter(
    ({ test }) => test.type !== "SwitchCase" && !dispatches(test),
  );
  if (branches.length === 0) return false;
  return (
    writesFrom(facts, home).some((other) => {
      if (other === write || !sameSlot(facts, write, other)) return false;
      const adding = other.form === "add" || other.form === "adding-call" || adds(facts, other.value, old);
      const beside = branches.some(
        ({ test, branch }) => !within(other.node, branch) && (adding || asksFor(facts, test, old)),
      );
      return beside && (adding || startOf(other.node) > startOf(write.node));
    }) || collected(facts, old, home, branches)
  );
}

/** `if (d < dist[v]) dist[v] = d`: the better of two values stays, as in searches for shortest paths. */
function keepsBest(facts: FileFacts, write: Write, home: Fn): boolean {
  const { keys } = slotOf(write, (name) => slotNamesOf(facts).same(name));
  const sides = ["left", "right"] as const;
  return partOf(facts.byType.get("BinaryExpression") ?? [], home.node).some(
    (test) =>
      /^[<>]=?$/.test(String(test.operator)) &&
      sides.every((side) => bare(child(test, side)!).type !== "Literal") &&
      sides.some((side) => keys.has(valuesOf(facts).key(child(test, side)!))),
  );
}

/** `slot == null`, `!map.has(key)`: the test looks at the slot. */
function asksFor(facts: FileFacts, branch: Node, slot: Slot): boolean {
  const test = child(branch, "test");
  let asked = false;
  if (test !== null)
    walk(test, (node) => {
      if (isMember(node)) asked ||= slot.keys.has(valuesOf(facts).key(node));
    });
  return asked;
}

/** `op === "mul"`, `n instanceof Mul`: asks which operation it is. */
function dispatches(branch: Node): boolean {
  const test = child(branch, branch.type === "LogicalExpression" ? "left" : "test");
  if (test === null) return false;
  const inner = bare(test);
  if (inner.type === "LogicalExpression") {
    const parts = [child(inner, "left"), child(inner, "right")];
    return parts.some((part) => part !== null && comparesTag(bare(part)));
  }
  return comparesTag(inner);
}

function comparesTag(test: Node): boolean {
  if (test.type !== "BinaryExpression") return false;
  if (test.operator === "instanceof") return true;
  if (!/^[!=]==?$/.test(String(test.operator))) return false;
  return [child(test, "left"), child(test, "right")].some((side) => {
    if (side === null) return false;
    const inner = bare(side);
    return (
      (typeof literal(inner) === "string" && !typeTest(test)) ||
      (isMember(inner) && /^(?:[A-Z][A-Za-z]*)$/.test(identifier(child(inner, "object")) ?? ""))
    );
  });
}

/** `typeof x === "number"`. */
const typeTest = (test: Node): boolean =>
  [child(test, "left"), child(test, "right")].some(
    (side) => side !== null && bare(side).type === "UnaryExpression" && bare(side).operator === "typeof",
  );

/** `list.push(c)` beside `map.set(key, [c])`: contributions are kept side by side and summed later. */
function collected(
  facts: FileFacts,
  old: Slot,
  home: Fn,
  branches: readonly { readonly branch: Node }[],
): boolean {
  return callsFrom(facts, home).some((call) => {
    const name = calleeName(call);
    const object = receiver(call);
    if (object === null || name === null || !(name === "push" || addingName(name))) return false;
    return old.keys.has(valuesOf(facts).key(object)) && branches.some(({ branch }) => !within(call, branch));
  });
}

export function sameSlot(facts: FileFacts, a: Write, b: Write): boolean {
  const slots = slotNamesOf(facts);
  if (a.object !== null && b.object !== null && !isEntry(a) && !isEntry(b))
    return a.objectKey === b.objectKey && slots.canonical(a.name) === slots.canonical(b.name);
  return a.container !== "" && a.container === b.container && a.indexKey === b.indexKey;
}

/** Operations of the same engine that add into the same slot speak for those that only structure speaks for. */
function withSiblings(facts: FileFacts, first: readonly Judged[]): readonly Judged[] {
  return first.map((judged) => {
    const { write, weighed } = judged;
    if (!judged.open || weighed === null || weighed.upstream === null || weighed.own || !weighed.reverse)
      return judged;
    if (isEntry(write) && (write.index === null || !derivedIndex(facts, write)) && write.form !== "map-set")
      return judged;
    const spoken =
      (weighed.score + 3 >= ENOUGH && siblingsOf(facts, first, judged).length > 0) ||
      // an engine that assigns throughout: the clear writes of a slot speak for the plain ones
      (weighed.score + 2 >= ENOUGH &&
        first.some(
          (other) =>
            other.verdict === "overwrites" &&
            other.slot === judged.slot &&
            isEntry(other.write) === isEntry(write),
        ));
    if (!spoken) return judged;
    return { ...judged, verdict: "overwrites", open: false };
  });
}

/** Adding writes of functions that backward closures call: `receive(g) { this.grad += g }`. */
function addingHelpers(facts: FileFacts, all: readonly Judged[]): ReadonlySet<Write> {
  const found = new Set<Write>();
  for (const { write, verdict } of all) {
    const fn = verdict === "accumulates" ? facts.home(write.node) : null;
    if (fn === null || fn.name === "" || fn.params.length === 0) continue;
    const called = callsOf(facts, fn).some((call) => {
      const home = facts.home(call);
      return home !== null && home !== fn && (operationOf(facts, home) !== null || isBackward(facts, home));
    });
    if (called) found.add(write);
  }
  return found;
}

/** Accumulating writes of the reverse sweep into the same slot, elsewhere in the file. */
export function siblingsOf(facts: FileFacts, all: readonly Judged[], judged: Judged): readonly Judged[] {
  const adders = facts.once("adding helpers", () => addingHelpers(facts, all));
  return all.filter(
    (other) =>
      other !== judged &&
      other.verdict === "accumulates" &&
      other.slot === judged.slot &&
      isEntry(other.write) === isEntry(judged.write) &&
      other.weighed !== null &&
      other.weighed.carried &&
      ((other.weighed.reverse && !other.weighed.own && other.weighed.upstream !== null) ||
        adders.has(other.write)),
  );
}

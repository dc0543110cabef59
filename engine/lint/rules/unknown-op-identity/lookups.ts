/** A table of rules whose lookup falls back to the identity: `rules[op] ?? ((g) => [g])`, and its other spellings. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  keyName,
  literal,
  propertyName,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsIn, cotangentName, finding, handsOn, unchanged } from "./hands-on.js";
import { askedTable, isAbsent } from "./missing.js";
import { classAt, entriesOf, functionAt, holdsRules, isOpen, lookupOf, type Lookup } from "./tables.js";

export function* lookups(facts: FileFacts): Iterable<Finding> {
  for (const { lookup, fallback, called } of fallbacks(facts)) {
    if (called !== null) {
      const handed = argumentsOf(called).map((argument) => valuesOf(facts).key(argument));
      const same =
        handed.includes(valuesOf(facts).key(fallback)) ||
        (handsOn(facts, fallback) && argumentsOf(called).some((one) => unchanged(facts, one)));
      const rules = holdsRules(facts, lookup) || (isOpen(facts, lookup) && unchanged(facts, fallback));
      if (same && rules) yield finding(fallback, [], fallback);
      continue;
    }
    const hands =
      isIdentity(facts, fallback, lookup) &&
      (holdsRules(facts, lookup) || (isOpen(facts, lookup) && givesList(facts, fallback)));
    if (hands || givesOne(facts, fallback)) yield finding(fallback, [], fallback);
  }
}

interface Fallback {
  readonly lookup: Lookup;
  readonly fallback: Node;
  /** `rules[op]?.(g) ?? [g]`: the call of what was looked up, where the fallback stands for its result */
  readonly called: Node | null;
}

function* fallbacks(facts: FileFacts): Iterable<Fallback> {
  for (const node of facts.byType.get("LogicalExpression") ?? []) {
    if (node.operator === "&&") continue;
    yield* pair(facts, child(node, "left")!, child(node, "right")!);
  }
  // `rules.has(op) ? rules.get(op) : same`, `rule ? rule(g) : g`
  for (const node of facts.byType.get("ConditionalExpression") ?? []) {
    const test = child(node, "test")!;
    const asked = askedTable(facts, test);
    if (asked === null) continue;
    const [there, missing] = isAbsent(test) ? ["alternate", "consequent"] : ["consequent", "alternate"];
    yield* pair(facts, child(node, there)!, child(node, missing)!);
  }
  // `let rule = rules[op]; rule ??= same;`, `if (!rule) rule = same;`
  for (const node of facts.assignments) {
    const target = child(node, "left")!;
    const binding = facts.binding(target);
    if (binding === null || binding.kind !== "variable") continue;
    const lookup = lookupOf(facts, target);
    if (lookup === null) continue;
    const guarded = node.operator === "??=" || node.operator === "||=" || onlyIfAbsent(facts, node);
    if (guarded) yield { lookup, fallback: child(node, "right")!, called: null };
  }
  yield* destructured(facts);
}

function* pair(facts: FileFacts, found: Node, fallback: Node): Iterable<Fallback> {
  const inner = bare(found);
  const direct = lookupOf(facts, inner);
  if (direct !== null) {
    yield { lookup: direct, fallback, called: null };
    return;
  }
  if (!isCall(inner)) return;
  const callee = bare(child(inner, "callee")!);
  const lookup = lookupOf(facts, callee);
  if (lookup !== null) yield { lookup, fallback, called: inner };
}

function onlyIfAbsent(facts: FileFacts, node: Node): boolean {
  for (let at = node.parent; at != null && !isFunction(at); at = at.parent)
    if (at.type === "IfStatement")
      return isAbsent(child(at, "test")!) && askedTable(facts, child(at, "test")!) !== null;
  return false;
}

/** `const { [op]: rule = same } = rules;` */
function* destructured(facts: FileFacts): Iterable<Fallback> {
  for (const node of facts.byType.get("AssignmentPattern") ?? []) {
    const property = node.parent;
    if (property?.type !== "Property" || property.computed !== true) continue;
    if (keyName(child(property, "key")!, true) !== null) continue;
    const declarator = property.parent?.parent;
    const table = declarator?.type === "VariableDeclarator" ? child(declarator, "init") : null;
    if (table !== null)
      yield { lookup: { table, part: null }, fallback: child(node, "right")!, called: null };
  }
}

/** `(g) => [g]`, `() => inputs.map(() => g)`: contributions, one an operand, where a hook would give the one value back. */
function givesList(facts: FileFacts, fallback: Node): boolean {
  const fn = functionAt(facts, fallback);
  const named = fn?.params.some((param) => cotangentName(facts, param)) ?? false;
  return (
    fn !== null &&
    named &&
    fn.returns.length > 0 &&
    fn.returns.every((value) => /^(?:Array|Call)Expression$/.test(bare(value).type))
  );
}

/** A function that hands its cotangent on, a class whose backward method does, an entry of the same table that is one. */
function isIdentity(facts: FileFacts, fallback: Node, lookup: Lookup): boolean {
  const inner = bare(fallback);
  if (isMember(inner) && bare(child(inner, "object")!).type !== "ThisExpression") {
    const name = propertyName(inner);
    if (name === null || valuesOf(facts).key(child(inner, "object")!) !== valuesOf(facts).key(lookup.table))
      return false;
    const entry = entriesOf(facts, lookup.table).find((one) => one.name === name);
    return entry !== undefined && isIdentity(facts, entry.value, lookup);
  }
  const fn = functionAt(facts, inner);
  if (fn !== null) return handsItsOwnOn(facts, fn);
  const owner = classAt(facts, inner);
  return owner !== null && classHandsOn(facts, owner);
}

export function handsItsOwnOn(facts: FileFacts, fn: Fn): boolean {
  const own = (node: Node): boolean => {
    const binding = facts.binding(node);
    return binding?.kind === "param" && facts.scopes.declaredIn(binding, fn.node);
  };
  const passes = (value: Node): boolean => {
    const inner = bare(value);
    if (inner.type === "ArrayExpression") {
      const list = children(inner, "elements").filter((one) => one !== null);
      return list.length > 0 && list.every((one) => own(one) || unchanged(facts, one));
    }
    if (own(inner)) return true;
    // `inputs.map(() => g)`
    const each = isCall(inner) ? facts.functionOf(bare(argumentsOf(inner).at(-1) ?? inner)) : null;
    if (each !== null && each.returns.some(own)) return true;
    return handsOn(facts, inner);
  };
  if (fn.returns.length > 0) return fn.returns.every(passes);
  const paid = contributionsIn(facts, fn.node);
  return paid.length > 0 && paid.every(({ write }) => unchanged(facts, write.value) || own(write.value));
}

/** `() => 1` as the local derivative that a contribution is multiplied by: the identity's. */
function givesOne(facts: FileFacts, fallback: Node): boolean {
  const fn = functionAt(facts, fallback);
  if (fn === null || fn.returns.length === 0 || !fn.returns.every((value) => literal(value) === 1))
    return false;
  let holder = fallback.parent;
  while (holder != null && holder.type !== "VariableDeclarator" && !/Statement$/.test(holder.type))
    holder = holder.parent;
  if (holder == null) return false;
  const binding = holder.type === "VariableDeclarator" ? facts.binding(child(holder, "id")!) : null;
  return facts.calls.some((call) => {
    const callee = bare(child(call, "callee")!);
    const runs = binding === null ? callee === bare(fallback.parent!) : facts.binding(callee) === binding;
    return runs && (addedIn(facts, call) || scalesCotangent(facts, call));
  });
}

/** `bar *= rule(x)`, `bar = bar * rule(x)` of a cotangent that is handed through a chain. */
function scalesCotangent(facts: FileFacts, call: Node): boolean {
  const around = call.parent;
  if (around?.type === "AssignmentExpression")
    return around.operator === "*=" && cotangentName(facts, child(around, "left")!);
  if (around?.type !== "BinaryExpression" || around.operator !== "*") return false;
  const other = [child(around, "left")!, child(around, "right")!].find((side) => bare(side) !== call);
  return other !== undefined && facts.names.gradient(identifier(bare(other)) ?? "") === 2;
}

/** The value goes into a sum of contributions: layers, whose derivative may be left out on purpose, have none. */
function addedIn(facts: FileFacts, call: Node): boolean {
  for (let at: Node | null | undefined = call; at != null && !/Statement$/.test(at.type); at = at.parent)
    if (contributionsIn(facts, at).some(({ verdict }) => verdict === "accumulates")) return true;
  return false;
}

/** `table[op] ?? Identity`: a class whose backward method gives back what it is handed. */
const classHandsOn = (facts: FileFacts, owner: Node): boolean =>
  facts.functions.some(
    (fn) =>
      fn.owner === owner &&
      fn.kind === "method" &&
      facts.names.backward(fn.name) &&
      fn.params.length > 0 &&
      fn.returns.length > 0 &&
      fn.returns.every((value) => handsOn(facts, value)),
  );

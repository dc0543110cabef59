/** Conditions around a write: the first of several contributions, the better of two values, the branch of a dispatch. */
import { adds, slotOf, type Slot } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsFrom, groupBy, partOf } from "../lookups.js";
import { localFunction } from "../local.js";
import { valuesOf } from "../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isFunction,
  isMember,
  literal,
  receiver,
  startOf,
  walk,
  within,
  type Node,
} from "../tree.js";
import { isBlank, slotNamesOf } from "./slots.js";
import { isEntry } from "./entries.js";
import { startsAt } from "./upstream.js";
import { addingName, writesOf, type Write } from "../writes.js";

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

export const writesFrom = (facts: FileFacts, home: Fn): readonly Write[] =>
  facts
    .once("writes by function", (file) => groupBy(writesOf(file), ({ node }) => file.home(node)))
    .get(home) ?? [];

type Branch = ReturnType<typeof branchOf>[number];

/** A first write with the adding one beside it: one branch stores, the other (or what follows its return) adds. */
export function guarded(facts: FileFacts, write: Write, home: Fn): boolean {
  // the branches of a dispatch are other operations, not the first write and the later ones
  const branches = branchOf(write.node, home.node).filter(
    ({ test }) => test.type !== "SwitchCase" && !dispatches(test),
  );
  if (branches.length === 0 || !beside(facts, write, home, branches)) return false;
  const others = branches.filter(({ test }) => !codes(facts, test, home));
  return others.length === branches.length || (others.length > 0 && beside(facts, write, home, others));
}

function beside(facts: FileFacts, write: Write, home: Fn, branches: readonly Branch[]): boolean {
  const slots = slotNamesOf(facts);
  const rule = branchOf(write.node, home.node).flatMap(({ test, branch }) =>
    test.type === "SwitchCase" ? [test] : dispatches(test) ? [branch] : [],
  );
  const old = slotOf(write, (name) => slots.same(name));
  return (
    writesFrom(facts, home).some((other) => {
      // `have[k] += c[k]` of `have = map.get(key)` beside `map.set(key, c)`
      const part =
        other.element &&
        [...old.keys].some(
          (key) =>
            // another entry of the list that this one is in is another slot
            !(key === write.container && other.container === key && write.index !== null) &&
            (other.container === key || startsAt(other.container, key)),
        );
      if (other === write || !(part || sameSlot(facts, write, other))) return false;
      // what another operation adds is not beside the first write of this one
      if (!rule.every((branch) => within(other.node, branch))) return false;
      const adding = other.form === "add" || other.form === "adding-call" || adds(facts, other.value, old);
      const elsewhere = branches.some(
        ({ test, branch }) => !within(other.node, branch) && (adding || asksFor(facts, test, old)),
      );
      return elsewhere && (adding || startOf(other.node) > startOf(write.node));
    }) ||
    collected(facts, old, home, branches) ||
    addedByHelper(facts, write, home, branches)
  );
}

/** `if (d < dist[v]) dist[v] = d`: the better of two values stays, as in searches for shortest paths. */
export function keepsBest(facts: FileFacts, write: Write, home: Fn): boolean {
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

/** `code === 2` beside `code === 1`, `op === DIV` beside `op === MUL`: one word compared with several codes tells operations apart, too. */
function codes(facts: FileFacts, branch: Node, home: Fn): boolean {
  const compared = coded(facts, child(branch, branch.type === "LogicalExpression" ? "left" : "test"));
  if (compared === null) return false;
  const table = facts.once("codes compared", () => new Map<Fn, ReadonlyMap<string, ReadonlySet<unknown>>>());
  let known = table.get(home);
  if (known === undefined) {
    const found = new Map<string, Set<unknown>>();
    for (const test of partOf(facts.byType.get("BinaryExpression") ?? [], home.node)) {
      const one = coded(facts, test);
      if (one !== null) found.set(one.key, (found.get(one.key) ?? new Set()).add(one.code));
    }
    table.set(home, (known = found));
  }
  return (known.get(compared.key)?.size ?? 0) > 1;
}

/** Names of constants that may be codes of operations, and not how or when a slot is to be written: `req === WRITE`. */
const CONSTANT =
  /^(?!.*(?:WRITE|ASSIGN|STORE|SET|REPLACE|ACCUM|FIRST|INIT|START|FRESH|NULL|NONE))[A-Z][A-Z0-9_]+$/;

function coded(facts: FileFacts, test: Node | null): { readonly key: string; readonly code: unknown } | null {
  if (test === null || test.type !== "BinaryExpression" || !/^[!=]==?$/.test(String(test.operator)))
    return null;
  const right = bare(child(test, "right")!);
  const name = identifier(right);
  const code = name !== null && CONSTANT.test(name) ? name : literal(right);
  // by its text: aliases of a code are rarely used side by side
  return typeof code === "number" || (typeof code === "string" && code === name)
    ? { key: facts.source(child(test, "left")!), code }
    : null;
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

/** `if (b.grad === null) b.grad = c; else addInto(b, c);`: the other branch hands the node to a helper that adds into the slot. */
function addedByHelper(facts: FileFacts, write: Write, home: Fn, branches: readonly Branch[]): boolean {
  if (write.object === null || isEntry(write)) return false;
  const values = valuesOf(facts);
  return callsFrom(facts, home).some((call) => {
    const elsewhere = branches.some(({ test, branch }) => within(call, test) && !within(call, branch));
    const at = elsewhere
      ? argumentsOf(call).findIndex((argument) => values.key(argument) === write.objectKey)
      : -1;
    const fn = at === -1 ? null : localFunction(facts, call);
    const param = fn?.params[at] === undefined ? null : facts.binding(fn.params[at]);
    if (fn === null || param === null) return at !== -1 && addingName(calleeName(call) ?? "");
    const key = `${param.name}~${param.id}`;
    return writesFrom(facts, fn).some(
      (other) => other.form === "add" && other.objectKey === key && other.name === write.name,
    );
  });
}

export function sameSlot(facts: FileFacts, a: Write, b: Write): boolean {
  const slots = slotNamesOf(facts);
  if (a.index !== null && b.index !== null && a.container === b.container) return a.indexKey === b.indexKey;
  if (a.object !== null && b.object !== null && !isEntry(a) && !isEntry(b))
    return a.objectKey === b.objectKey && slots.canonical(a.name) === slots.canonical(b.name);
  return a.container !== "" && a.container === b.container && a.indexKey === b.indexKey;
}

/** `slot = slot ?? contribution`: what comes first stays, and later contributions are lost. */
export function keepsFirst(facts: FileFacts, write: Write, slot: Slot): boolean {
  const { keys } = slot;
  const value = bare(write.value);
  if (value.type === "ConditionalExpression") return choosesFirst(facts, value, slot);
  return (
    value.type === "LogicalExpression" &&
    value.operator !== "&&" &&
    keys.has(valuesOf(facts).key(child(value, "left")!)) &&
    !isBlank(facts, child(value, "right")!)
  );
}

/** `slot = slot === null ? contribution : slot`. */
function choosesFirst(facts: FileFacts, value: Node, slot: Slot): boolean {
  const isOld = (node: Node): boolean => slot.keys.has(valuesOf(facts).key(node));
  const branches = [child(value, "consequent")!, child(value, "alternate")!];
  const other = branches.find((branch) => !isOld(branch));
  if (other === undefined || branches.every((branch) => !isOld(branch)) || isBlank(facts, other))
    return false;
  const test = bare(child(value, "test")!);
  const asked = test.operator === "!" ? bare(child(test, "argument")!) : test;
  const sides = asked.type === "BinaryExpression" ? [child(asked, "left")!, child(asked, "right")!] : [asked];
  return (
    (asked === test || asked.type !== "BinaryExpression") &&
    (asked.type !== "BinaryExpression" || /^[!=]==?$/.test(String(asked.operator))) &&
    sides.some(isOld) &&
    !adds(facts, other, slot)
  );
}

/**
 * A layer that one pass uses twice: each forward call replaces what the one before kept in a field, and both backward calls
 * then read what the second kept.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed, groupBy } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { classOf, isMethod } from "./layer-keeps.js";

export function* usedTwice(facts: FileFacts): Iterable<Finding> {
  for (const backward of facts.functions) {
    if (!isMethod(backward) || !isBackward(facts, backward)) continue;
    const back = pairOf(facts, callsNamed(facts, backward.name));
    if (back === null) continue;
    for (const store of facts.assignments) {
      const forward = facts.home(store);
      if (forward === null || forward === backward || isBackward(facts, forward)) continue;
      if (!isMethod(forward) || classOf(forward) !== classOf(backward)) continue;
      const read = keptFor(facts, store, forward, backward);
      if (read === null) continue;
      const forth = pairOf(facts, callsNamed(facts, forward.name), back);
      if (forth === null) continue;
      yield {
        start: startOf(store),
        end: endOf(store),
        message: `\`${facts.source(child(store, "left")!)}\` is one place for both uses of the layer: lines ${lineOf(facts, forth[0])} and ${lineOf(facts, forth[1])} run \`${forward.name}\` on one object before either is run back, and \`${backward.name}\` reads what the second kept (line ${lineOf(facts, read)}). Keep it on a stack, or in a cache that is handed back.`,
        evidence: "structural",
        related: [
          place(read, "read in the backward pass"),
          place(forth[0], "first use"),
          place(forth[1], "second use"),
          place(back[0], "run back after both"),
        ],
      };
      break;
    }
  }
}

/** `this.cache = { x, y }`, or a variable around both methods, of what the forward one is handed: where the backward one reads it. */
function keptFor(facts: FileFacts, store: Node, forward: Fn, backward: Fn): Node | null {
  const target = bare(child(store, "left")!);
  const value = child(store, "right")!;
  const name = isMember(target) ? propertyName(target) : identifier(target);
  if (store.operator !== "=" || name === null || facts.names.gradient(name) === 2) return null;
  const binding = isMember(target) ? null : facts.binding(target);
  if (
    isMember(target) ? bare(child(target, "object")!).type !== "ThisExpression" : !isAround(binding, forward)
  )
    return null;
  if (isBlank(facts, value)) return null;
  const handed = valuesOf(facts)
    .reads(value)
    .some((read) => read.kind === "param" && facts.scopes.declaredIn(read.binding, forward.node));
  if (!handed) return null;
  const mine =
    binding === null
      ? nodesIn(facts, "MemberExpression", backward.node).filter(
          (member) =>
            propertyName(member) === name && bare(child(member, "object")!).type === "ThisExpression",
        )
      : nodesIn(facts, "Identifier", backward.node).filter((one) => facts.binding(one) === binding);
  const [read] = mine;
  return read === undefined || mine.some((one) => isStored(one) || isOneOfMany(one)) ? null : read;
}

/** A variable of the function that makes the layer. */
const isAround = (binding: Binding | null, forward: Fn): boolean =>
  binding?.kind === "variable" && binding.scope.type !== "Program" && !inside(binding.scope, forward.node);

const isStored = (node: Node): boolean =>
  node.parent?.type === "AssignmentExpression" && child(node.parent, "left") === node;

/** `this.stack.pop()`, `this.kept.get(id)`: one for each use. */
const isOneOfMany = ({ parent }: Node): boolean =>
  parent != null && isMember(parent) && /^(?:pop|shift|at|get|splice)$/.test(propertyName(parent) ?? "");

/**
 * Two calls on one object, the second whenever the first: in one block, neither in a loop of it. With `after`: both stand before
 * those calls, nothing of which stands between.
 */
function pairOf(
  facts: FileFacts,
  calls: readonly Node[],
  after: readonly [Node, Node] | null = null,
): readonly [Node, Node] | null {
  const values = valuesOf(facts);
  const groups = groupBy(calls, (call) => {
    const object = receiver(call);
    if (object === null || bare(object).type === "ThisExpression" || isCallResult(object)) return null;
    const key = values.key(object);
    const block = blockOf(call);
    return /[[?]/.test(key) || block === null ? null : `${key} ${startOf(block)}`;
  });
  for (const group of groups.values()) {
    const [first, second] = group;
    if (second === undefined || isAlone(facts, first) || isAlone(facts, second)) continue;
    if (after === null) return [first, second];
    if (matches(facts, [first, second], after)) return [first, second];
  }
  return null;
}

const isCallResult = (node: Node): boolean => /Call|New/.test(bare(node).type);

/** Both forward calls come first: in the text of one function, or in a method of the class whose other one runs back. */
function matches(facts: FileFacts, forth: readonly [Node, Node], back: readonly [Node, Node]): boolean {
  const values = valuesOf(facts);
  const key = values.key(receiver(forth[0])!);
  if (key !== values.key(receiver(back[0])!) || sameInput(facts, forth)) return false;
  const [all, other] = [facts.home(forth[0]), facts.home(back[0])];
  if (all === null || other === null) return false;
  const on = (name: Node): readonly Node[] =>
    callsNamed(facts, calleeName(name)!).filter((call) => {
      const home = facts.home(call);
      const object = receiver(call);
      return (home === all || home === other) && object !== null && values.key(object) === key;
    });
  // as many uses as are run back, and none of them in between: it may have kept the first's again
  const uses = on(forth[0]);
  if (uses.length !== on(back[0]).length) return false;
  if (uses.some((call) => facts.home(call) === other && startOf(call) > startOf(back[0]))) return false;
  if (all === other) return startOf(forth[1]) < startOf(back[0]) && inside(back[0], blockOf(forth[0])!);
  return (
    key.startsWith("this.") &&
    classOf(all) !== null &&
    classOf(all) === classOf(other) &&
    isBackward(facts, other)
  );
}

/** The same is run twice, or what one of them gives is thrown away: the other one was for its value alone. */
const sameInput = (facts: FileFacts, forth: readonly [Node, Node]): boolean => {
  const [one, two] = forth.map((call) =>
    argumentsOf(call)
      .map((given) => facts.source(given))
      .join(),
  );
  return one === two || forth.some((call) => call.parent?.type === "ExpressionStatement");
};

/** In a branch of an expression, or run for each of many. */
function isAlone(facts: FileFacts, call: Node): boolean {
  const block = blockOf(call);
  if (loopsAround(facts, call).some(({ node }) => block !== null && inside(node, block))) return true;
  for (let at = call.parent; at != null && at !== block; at = at.parent)
    if (/^(?:If|Conditional|Logical|Switch)/.test(at.type)) return true;
  return false;
}

/** The list of statements around a call. */
function blockOf(call: Node): Node | null {
  let at = call.parent ?? null;
  while (at !== null && at.type !== "BlockStatement" && at.type !== "Program") at = at.parent ?? null;
  return at;
}

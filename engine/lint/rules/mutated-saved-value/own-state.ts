/**
 * A statistic of a layer that its forward method works with and then moves on, and that the backward method reads again: the gradient is
 * that of the layer with the statistic of after the update.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsFrom, groupBy } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  bare,
  child,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, nodesIn, partsOf } from "../shared/nodes.js";
import { isNamedPullback } from "./kept-closures.js";
import { classOf, isMethod } from "./layer-keeps.js";
import { mentionsGradient } from "./shared-arrays.js";

export function* ownState(facts: FileFacts): Iterable<Finding> {
  for (const [forward, backward, late] of pairs(facts)) {
    const told = new Set<string>();
    for (const write of ownStores(facts).get(classOf(forward)!) ?? []) {
      const { node, name } = write;
      if (told.has(name) || facts.names.gradient(name) > 0) continue;
      if (inside(node, backward.node)) continue;
      const at = whereMoved(facts, node, forward);
      if (at === null || !movesOn(facts, write)) continue;
      const used = readsOf(facts, forward, name).filter(
        (read) => !inside(read, statementOf(at)) && !(late && inside(read, backward.node)),
      );
      const [first] = used;
      // what is read after the store is the new value: a state that is given out
      if (first === undefined || used.some((read) => startOf(read) > startOf(at) && !isUpdate(read)))
        continue;
      if (used.every((read) => isBranched(read, forward) || isUpdate(read))) continue;
      const theirs = readsOf(facts, backward, name);
      const [read] = theirs;
      if (read === undefined || theirs.some((one) => isUpdate(one) || isBranched(one, backward))) continue;
      told.add(name);
      const reader = late ? "the pullback that it gives back" : `\`${backward.name}\``;
      yield {
        start: startOf(node),
        end: endOf(node),
        message: `\`this.${name}\` moves on after \`${forward.name}\` worked with it (line ${lineOf(facts, first)}), and ${reader} reads it again (line ${lineOf(facts, read)}): it then works with another value than the forward pass. Keep the value that was used in a ${late ? "constant" : "field"} of its own.`,
        evidence: "structural",
        related: [place(first, "used in the forward pass"), place(read, "read in the backward pass")],
      };
    }
  }
}

/** Forward methods with the backward methods of their class, and with the pullbacks that they give back (true). */
function* pairs(facts: FileFacts): Iterable<readonly [Fn, Fn, boolean]> {
  for (const backward of facts.functions) {
    if (!isBackward(facts, backward) || !isMethod(backward)) continue;
    for (const forward of methodsByClass(facts).get(classOf(backward)!) ?? [])
      if (isForward(facts, forward)) yield [forward, backward, false];
  }
  for (const closure of facts.functions) {
    if (closure.inline || closure.kind !== "function" || closure.returns.length === 0) continue;
    const forward = facts.outer(closure);
    if (forward === null || forward.params.length === 0 || !isMethod(forward)) continue;
    if (isNamedPullback(facts, closure) && operationOf(facts, closure)?.linked === true)
      yield [forward, closure, true];
  }
}

const methodsByClass = (facts: FileFacts): ReadonlyMap<Node | string, readonly Fn[]> =>
  facts.once("methods by class", (file) =>
    groupBy(file.functions, (fn) => (isMethod(fn) ? classOf(fn) : null)),
  );

const isForward = (facts: FileFacts, fn: Fn): boolean =>
  !isBackward(facts, fn) && !OUTSIDE.test(fn.name) && fn.returns.length > 0 && fn.params.length > 0;

/** Where a method moves the field: the store itself, or its call of the method of the class that stores. Null: not in each of its runs. */
function whereMoved(facts: FileFacts, store: Node, forward: Fn): Node | null {
  const home = facts.home(store);
  if (home === null || isBranched(store, home)) return null;
  if (home === forward) return store;
  if (!isMethod(home) || isBackward(facts, home)) return null;
  return (
    callsFrom(facts, forward).find(
      (call) =>
        call.parent?.type === "ExpressionStatement" &&
        receiver(call)?.type === "ThisExpression" &&
        localFunction(facts, call) === home &&
        !isBranched(call, forward),
    ) ?? null
  );
}

/** Stores of methods into fields of their own object, by the class. */
const ownStores = (facts: FileFacts): ReadonlyMap<Node | string, readonly Write[]> =>
  facts.once("stores into own fields by class", (file) =>
    groupBy(writesOf(file), ({ node, objectKey }) => {
      const home = objectKey === "this" ? file.home(node) : null;
      return home === null ? null : classOf(home);
    }),
  );

/** Methods that move parameters or set them up, apart from both passes. */
const OUTSIDE =
  /step|optim|update|apply|train|learn|fit|adam|sgd|init|reset|clip|normali|quanti|prune|load|set|zero/i;

/** `this.v = m * this.v + (1 - m) * p`, `this.v *= m`: a part of the old value stays; a `tanh` of it is a state of its own. */
function movesOn(facts: FileFacts, { node, form, value, name }: Write): boolean {
  if (movesByGradient(facts, value)) return false;
  if (form === "add" || form === "scale") return true;
  if (form !== "assign" || bare(value).type !== "BinaryExpression") return false;
  return nodesIn(facts, "MemberExpression", value).some(
    (member) => isField(member, name) && isLinear(member, node),
  );
}

/** A gradient is in the value; `const d = x - this.mean` is none, whatever it is called. */
const movesByGradient = (facts: FileFacts, value: Node): boolean =>
  mentionsGradient(facts, value) &&
  partsOf(value).some((part) => {
    const name = isMember(part) ? propertyName(part) : identifier(part);
    const strength = name === null ? 0 : facts.names.gradient(name);
    if (strength !== 1) return strength === 2;
    const [made, ...more] = facts.binding(part)?.definitions ?? [];
    return made?.kind !== "initial" || more.length > 0 || mentionsGradient(facts, made.expression);
  });

/** Between the field and the store stand sums and products alone. */
function isLinear(member: Node, store: Node): boolean {
  let from = member;
  while (from.parent != null && isMember(from.parent) && child(from.parent, "object") === from)
    from = from.parent;
  for (let at = from.parent; at != null && at !== store; at = at.parent)
    if (at.type !== "BinaryExpression" || !/^[-+*/]$/.test(String(at.operator))) return false;
  return true;
}

const isField = (node: Node, field: string): boolean =>
  isMember(node) && propertyName(node) === field && bare(child(node, "object")!).type === "ThisExpression";

/** Where a method looks at the field for its value. */
const readsOf = (facts: FileFacts, fn: Fn, field: string): readonly Node[] =>
  nodesIn(facts, "MemberExpression", fn.node).filter(
    (member) =>
      isField(member, field) &&
      !(
        member.parent?.type === "AssignmentExpression" &&
        child(member.parent, "left") === member &&
        member.parent.operator === "="
      ),
  );

/** `this.v *= m`, `this.n++`. */
const isUpdate = (node: Node): boolean =>
  node.parent != null &&
  (node.parent.type === "UpdateExpression" ||
    (node.parent.type === "AssignmentExpression" && child(node.parent, "left") === node) ||
    // `this.w[i] *= m`
    (isMember(node.parent) &&
      node.parent.computed === true &&
      child(node.parent, "object") === node &&
      isUpdate(node.parent)));

/** It runs in some calls of the method only, or is asked for and not worked with. */
function isBranched(node: Node, fn: Fn): boolean {
  for (let at = node.parent; at != null && at !== fn.node; at = at.parent)
    if (/^(?:If|Switch|Conditional|Logical)/.test(at.type)) return true;
  return false;
}

function statementOf(node: Node): Node {
  let at = node;
  while (at.parent != null && !/Statement$|Declaration$/.test(at.type)) at = at.parent;
  return at;
}

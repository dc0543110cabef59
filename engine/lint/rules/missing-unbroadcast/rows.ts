/** A row that every row of a batch is made with, and whose contribution is the whole batch of cotangents. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { namesOf } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import { isBackward } from "../../overwriting/entries.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { bare, child, endOf, isMember, propertyName, receiver, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";

/** `b[j]` in a callback over columns inside one over the rows of something else; null where `b` is read otherwise, too. */
export function rowOfParam(facts: FileFacts, param: Binding, forward: Fn, closure: Fn): Node | null {
  let found: Node | null = null;
  for (const name of namesOf(facts, param)) {
    if (name === param.declaration || inside(name, closure.node)) continue;
    const member = name.parent;
    if (member == null || !isMember(member) || child(member, "object") !== name) return null;
    if (propertyName(member) === "length") continue;
    if (!isRowOfMany(facts, member, forward, valuesOf(facts).key(name))) return null;
    found = member;
  }
  return found;
}

/** The index is that of the inner of two callbacks over elements; the outer one walks another list. */
function isRowOfMany(facts: FileFacts, member: Node, forward: Fn, own: string): boolean {
  if (propertyName(member) !== null) return false;
  const around: Node[] = [];
  for (let at = member.parent; at != null && at !== forward.node; at = at.parent)
    if (facts.functionOf(at)?.inline === true) around.push(at);
  const index = facts.binding(child(member, "property")!);
  const outer = around.at(-1);
  // `x.map((v, i) => v + row[i % row.length])`
  const folded = bare(child(member, "property")!);
  if (folded.type === "BinaryExpression" && folded.operator === "%" && around.length === 1) {
    const counter = facts.binding(child(folded, "left")!);
    const walked = receiver(around[0].parent ?? around[0]);
    const counts = counter !== null && facts.scopes.declaredIn(counter, around[0]);
    return counts && walked !== null && valuesOf(facts).key(walked) !== own;
  }
  if (around.length < 2 || outer === undefined || index === null) return false;
  const call = outer.parent ?? null;
  const list = call === null ? null : receiver(call);
  const inner = around.slice(0, -1).some((one) => facts.scopes.declaredIn(index, one));
  return inner && list !== null && valuesOf(facts).key(list) !== own;
}

/** A layer whose bias row is added to every row of its batch, and whose backward method keeps the batch itself for it. */
export function* biasRows(facts: FileFacts): Iterable<Finding> {
  for (const write of writesOf(facts)) {
    const backward = facts.home(write.node);
    if (backward === null || write.objectKey !== "this" || write.element || !isBackward(facts, backward))
      continue;
    const given = facts.binding(write.value);
    if (given?.kind !== "param" || !facts.scopes.declaredIn(given, backward.node)) continue;
    const read = forwardRead(facts, backward, write.name);
    if (read === null) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`this.${write.name}\` becomes the cotangents of the whole batch; the forward pass adds \`${facts.source(read)}\` to each of its rows. Sum them over the rows.`,
      evidence: "structural",
      related: [place(read, "added to every row")],
    };
  }
}

/** `this.b[j]` in a forward method of the class, for a slot called `db`, `gradB`, `bGrad`. */
function forwardRead(facts: FileFacts, backward: Fn, slot: string): Node | null {
  const word = slot.replace(/[_$#]/g, "").toLowerCase();
  for (const fn of facts.functions) {
    if (fn.owner === null || fn.owner !== backward.owner || isBackward(facts, fn)) continue;
    for (const member of nodesIn(facts, "MemberExpression", fn.node)) {
      const holder = bare(child(member, "object")!);
      const name = isMember(holder) ? propertyName(holder) : null;
      if (name === null || bare(child(holder, "object")!).type !== "ThisExpression") continue;
      const base = name.replace(/[_$#]/g, "").toLowerCase();
      if (![`d${base}`, `grad${base}`, `${base}grad`, `g${base}`].includes(word)) continue;
      if (isRowOfMany(facts, member, fn, `this.${name}`)) return member;
    }
  }
  return null;
}

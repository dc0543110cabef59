/** A layer that pushes what it saves in its forward method, and takes it from the wrong end, or not off at all, in the backward one. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  child,
  isCall,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, nodesOf, runsIn } from "../shared/nodes.js";
import { callsOn, lastOf, reportTaking } from "./stack-reads.js";

export function* layerStacks(facts: FileFacts): Iterable<Finding> {
  const values = valuesOf(facts);
  for (const forward of callsNamed(facts, "push")) {
    const fn = runsIn(facts, forward);
    const list = receiver(forward);
    if (fn?.kind !== "method" || list === null || isBackward(facts, fn) || argumentsOf(forward).length !== 1)
      continue;
    const key = values.key(list);
    if (!key.startsWith("this.") || loopsAround(facts, forward).length > 0) continue;
    // a list that is made anew or emptied holds one run
    if (isEmptied(facts, fn, key) || isEmptiedElsewhere(facts, key.slice(5))) continue;
    for (const other of facts.functions) {
      if (other.owner !== fn.owner || other.inline || !isBackward(facts, other)) continue;
      for (const member of nodesIn(facts, "MemberExpression", other.node)) {
        if (values.key(child(member, "object")!) !== key || loopsAround(facts, member).length > 0) continue;
        if (runsIn(facts, member) !== other) continue;
        const wrong = takes(facts, member, key);
        if (wrong !== null && !(wrong.last === true && isWalked(facts, fn, key, wrong.node)))
          yield reportTaking(facts, wrong.node, forward, wrong.what, wrong.pops ? "pop" : null);
      }
    }
  }
}

interface Taking {
  readonly node: Node;
  readonly what: string;
  /** the last value, which stays on */
  readonly last?: boolean;
  /** `pop` in its place mends it */
  readonly pops?: boolean;
}

/** `list[0]`, `list.shift()`, `list.at(-1)`, `list[list.length - 1]`. */
function takes(facts: FileFacts, member: Node, key: string): Taking | null {
  if (member.computed === true && literal(child(member, "property")!) === 0)
    return { node: member, what: "the first value is read and never taken off" };
  const call = member.parent;
  const called = call != null && isCall(call) && child(call, "callee") === member;
  const name = called ? propertyName(member) : null;
  if (name === "shift")
    return { node: call!, what: "`shift` takes the first value, and the sweep needs the last", pops: true };
  const read = name === "at" && literal(argumentsOf(call!)[0] ?? call!) === -1;
  if (!read && lastOf(facts, member) !== key) return null;
  return {
    node: read ? call! : member,
    what: "the last value is read and never taken off, so that each call reads the same",
    last: true,
    pops: read,
  };
}

/** Something else looks into the list, or writes to its last: a tape that is walked, not a stack of what was saved. */
const isWalked = (facts: FileFacts, { owner }: Fn, key: string, top: Node): boolean =>
  isWritten(top) ||
  nodesIn(facts, "MemberExpression", owner!).some((member) => {
    if (valuesOf(facts).key(member) !== key || inside(member, top)) return false;
    if (facts.home(member)?.kind === "constructor") return false;
    const around = member.parent;
    return !(around != null && isMember(around) && propertyName(around) === "push");
  });

/** `list[list.length - 1].grad = 1`. */
function isWritten(top: Node): boolean {
  let at = top;
  while (at.parent != null && isMember(at.parent) && child(at.parent, "object") === at) at = at.parent;
  return at.parent?.type === "AssignmentExpression" && child(at.parent, "left") === at;
}

/** A method of the class takes values off, or starts the list anew. */
const isEmptied = (facts: FileFacts, { owner }: Fn, key: string): boolean =>
  callsOn(facts, key).some(
    (call) =>
      /^(?:pop|splice)$/.test(propertyName(bare(child(call, "callee")!)) ?? "") &&
      runsIn(facts, call)?.owner === owner,
  ) ||
  facts.assignments.some((node) => {
    const left = bare(child(node, "left")!);
    const home = isMember(left) ? runsIn(facts, node) : null;
    if (home === null || home.kind === "constructor" || home.owner !== owner) return false;
    const stored = valuesOf(facts).key(left);
    return stored === key || stored === `${key}.length`;
  }) ||
  facts.updates.some((node) => valuesOf(facts).key(child(node, "argument")!) === `${key}.length`);

/** `layer.inputs.pop()`, `net.inputs = []`: by the one who runs the layer. */
const isEmptiedElsewhere = (facts: FileFacts, name: string): boolean =>
  nodesOf(facts, "MemberExpression").some((member) => {
    if (propertyName(member) !== name || bare(child(member, "object")!).type === "ThisExpression")
      return false;
    const around = member.parent;
    if (around?.type === "AssignmentExpression") return child(around, "left") === member;
    return (
      around != null && isMember(around) && /^(?:pop|splice|shift|length)$/.test(propertyName(around) ?? "")
    );
  });

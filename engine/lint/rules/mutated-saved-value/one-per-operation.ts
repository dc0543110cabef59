/**
 * An operation that notes each use of it on a tape, or in the node that it gives back, and keeps what it saves in one place of the
 * module or the class: `saved.sigmoid = y; tape.push("sigmoid");`. The sweep finds what the last use kept.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { isBlank } from "../../overwriting/slots.js";
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
import { valuesOf } from "../../values.js";
import { inside, nodesIn, partsOf } from "../shared/nodes.js";
import { sweepLoops } from "./sweep-loops.js";

export function* onePerOperation(facts: FileFacts): Iterable<Finding> {
  const swept =
    sweepLoops(facts).length > 0 || facts.functions.some((fn) => fn.isStatic && isBackward(facts, fn));
  for (const store of swept ? facts.assignments : []) {
    const target = bare(child(store, "left")!);
    const value = child(store, "right")!;
    const home = facts.home(store);
    if (store.operator !== "=" || home === null || !isOneForAll(facts, target, home)) continue;
    if (isBackward(facts, home) || isBlank(facts, value) || !fromInput(facts, value, home)) continue;
    const name = isMember(target) ? propertyName(target)! : identifier(target)!;
    if (facts.names.gradient(name) > 0) continue;
    const noted = notedUse(facts, home, target);
    const read = noted === null ? null : readBack(facts, target, home, noted.list);
    if (noted === null || read === null) continue;
    yield {
      start: startOf(store),
      end: endOf(store),
      message: `\`${facts.source(target)}\` is one place for all uses of \`${home.name}\`, each of which is noted for the sweep (line ${lineOf(facts, noted.node)}): it then reads what the last use kept (line ${lineOf(facts, read)}). Keep it with the use that is noted.`,
      evidence: "structural",
      related: [place(noted.node, "each use is noted"), place(read, "read in the backward pass")],
    };
  }
}

/** A variable or a field of an object of the module, a static field of the class whose static method stores it. */
function isOneForAll(facts: FileFacts, target: Node, home: Fn): boolean {
  if (!isMember(target)) return ofModule(facts, target);
  if (propertyName(target) === null) return false;
  const object = bare(child(target, "object")!);
  if (object.type === "ThisExpression") return home.isStatic && home.kind === "method";
  const binding = facts.binding(object);
  return binding?.kind === "class"
    ? home.isStatic && home.owner === binding.declaration
    : ofModule(facts, object);
}

function ofModule(facts: FileFacts, name: Node): boolean {
  const binding = facts.binding(name);
  return binding?.kind === "variable" && binding.scope.type === "Program";
}

const fromInput = (facts: FileFacts, value: Node, home: Fn): boolean =>
  valuesOf(facts)
    .reads(value)
    .some((read) => read.kind === "param" && facts.scopes.declaredIn(read.binding, home.node));

/** `tape.push("square")` of a list of the module, `new Node(v, Square, x)`. */
function notedUse(
  facts: FileFacts,
  home: Fn,
  target: Node,
): { readonly node: Node; readonly list: string | null } | null {
  if (home.isStatic) {
    const name = identifier(home.owner === null ? null : child(home.owner, "id"));
    const given = home.returns.find(
      (value) =>
        /^(?:New|Call|Object)Expression$/.test(bare(value).type) &&
        partsOf(value).some(
          (part) =>
            (part.type === "ThisExpression" || (name !== null && identifier(part) === name)) &&
            !(part.parent != null && isMember(part.parent)),
        ),
    );
    return given === undefined ? null : { node: given, list: null };
  }
  const push = callsNamed(facts, "push").find((call) => {
    const list = receiver(call);
    return (
      facts.home(call) === home &&
      list !== null &&
      ofModule(facts, list) &&
      // what is pushed is the kept value itself: it is there
      !nodesIn(facts, "Identifier", call).some(
        (one) => facts.binding(one) === facts.binding(target) && !isMember(target),
      )
    );
  });
  return push === undefined ? null : { node: push, list: identifier(bare(receiver(push)!)) };
}

/** A read in a loop of the sweep that goes over the tape, or in a static method of the sweep of the same class. */
function readBack(facts: FileFacts, target: Node, home: Fn, list: string | null): Node | null {
  const values = valuesOf(facts);
  const key = values.key(target);
  const type = isMember(target) ? "MemberExpression" : "Identifier";
  const regions =
    list === null
      ? facts.functions
          .filter((fn) => fn.owner === home.owner && fn.isStatic && fn !== home && isBackward(facts, fn))
          .map(({ node }) => node)
      : sweepLoops(facts).filter((loop) =>
          nodesIn(facts, "Identifier", loop).some((name) => name.name === list),
        );
  for (const region of regions) {
    if (inside(home.node, region)) continue;
    const reads = nodesIn(facts, type, region).filter(
      (node) =>
        values.key(node) === key && (isMember(target) || facts.binding(node) === facts.binding(target)),
    );
    const [read] = reads;
    if (read === undefined || reads.some(isTakenOff)) continue;
    return read;
  }
  return null;
}

/** Stored in the sweep, or taken off a stack. */
function isTakenOff(node: Node): boolean {
  const parent = node.parent;
  if (parent == null) return false;
  if (parent.type === "AssignmentExpression") return child(parent, "left") === node;
  return (
    isMember(parent) &&
    child(parent, "object") === node &&
    (propertyName(parent) === null || /^(?:pop|shift|get|at|splice)$/.test(propertyName(parent) ?? ""))
  );
}

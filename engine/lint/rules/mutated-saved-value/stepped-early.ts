/** A backward function that steps its own parameters and only then works out the gradient of its input, with the new ones. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { isBackward } from "../../overwriting/entries.js";
import { writesFrom } from "../../overwriting/guards.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { bare, child, endOf, identifier, isMember, propertyName, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import type { Write } from "../../writes.js";
import { inside, nodesIn, partsOf } from "../shared/nodes.js";
import { exclusive } from "./refills.js";

export function* steppedEarly(facts: FileFacts): Iterable<Finding> {
  for (const fn of facts.functions) {
    if (fn.inline || !isBackward(facts, fn)) continue;
    const told = new Set<string>();
    for (const write of writesFrom(facts, fn)) {
      const key = parameterKey(write);
      if (key === null || told.has(key) || !isStep(facts, write) || !usedElsewhere(facts, write, fn))
        continue;
      const read = readAfter(facts, fn, write, key);
      if (read === null) continue;
      told.add(key);
      yield {
        start: startOf(write.node),
        end: endOf(write.node),
        message: `\`${facts.source(write.target)}\` is stepped here, and line ${lineOf(facts, read)} hands the cotangent on with the new value: the forward pass worked with the old one. Step it after that.`,
        evidence: "structural",
        related: [place(read, "read after the step")],
      };
    }
  }
}

/** The field or array that is stepped, by its key. */
function parameterKey(write: Write): string | null {
  if (write.object === null) return write.element ? write.container : null;
  return `${write.objectKey}.${write.name}`;
}

/** `w -= rate * g`, `w = w - rate * g`, `w = w.map((v) => v - rate * g)`: it moves, by a step. */
function isStep(facts: FileFacts, write: Write): boolean {
  const { form, value, name, node } = write;
  if (facts.names.gradient(name) > 0) return false;
  const speaksOfRate = partsOf(value).some((part) => {
    const word = isMember(part) ? propertyName(part) : identifier(part);
    return word !== null && /^_*(?:lr|eta|alpha|rate|step|stepSize|learn\w*|\w*Rate|\w*_lr|eps)$/.test(word);
  });
  if (!speaksOfRate) return false;
  if (form === "add") return node.operator === "-=" || node.operator === "+=";
  return form === "assign" && nodesIn(facts, "MemberExpression", value).length + partsOf(value).length > 3;
}

/** Another function that is none of the sweep works with the field: it is a parameter, not a velocity. */
const usedElsewhere = (facts: FileFacts, { name }: Write, fn: Fn): boolean =>
  name !== "" &&
  nodesIn(facts, "MemberExpression", facts.root).some((member) => {
    if (propertyName(member) !== name || inside(member, fn.node)) return false;
    const home = facts.home(member);
    return (
      home !== null &&
      home.kind !== "constructor" &&
      !isBackward(facts, home) &&
      !(member.parent?.type === "AssignmentExpression" && child(member.parent, "left") === member)
    );
  });

/** A later product of the parameter with a cotangent, outside of stores into the parameter. */
function readAfter(facts: FileFacts, fn: Fn, write: Write, key: string): Node | null {
  const values = valuesOf(facts);
  return (
    nodesIn(facts, "MemberExpression", fn.node).find(
      (member) =>
        startOf(member) > endOf(write.node) &&
        values.key(member) === key &&
        !exclusive(write.node, member) &&
        !exclusive(member, write.node) &&
        !isLengthOf(member) &&
        !inStoreOf(facts, member, key) &&
        worksWithCotangent(facts, member, fn),
    ) ?? null
  );
}

const isLengthOf = ({ parent }: Node): boolean =>
  parent != null && isMember(parent) && propertyName(parent) === "length";

function inStoreOf(facts: FileFacts, member: Node, key: string): boolean {
  for (let at = member.parent; at != null; at = at.parent) {
    if (at.type !== "AssignmentExpression") continue;
    let target = bare(child(at, "left")!);
    while (isMember(target) && propertyName(target) === null) target = bare(child(target, "object")!);
    if (valuesOf(facts).key(target) === key) return true;
  }
  return false;
}

/** The statement around it speaks of a gradient, or of what the function is handed. */
function worksWithCotangent(facts: FileFacts, member: Node, fn: Fn): boolean {
  let at = member;
  while (at.parent != null && !/Statement$|Declaration$/.test(at.type)) at = at.parent;
  return partsOf(at).some((part) => {
    const name = identifier(part);
    if (name === null) return false;
    return (
      facts.names.gradient(name) > 0 ||
      (fn.params[0] !== undefined && facts.binding(part) === facts.binding(bare(fn.params[0])))
    );
  });
}

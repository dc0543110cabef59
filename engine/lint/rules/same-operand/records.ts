/** A record from an operand's name to its local derivative: `{ [a.id]: b.v, [b.id]: a.v }` of `x * x` has one entry. */
import type { FileFacts } from "../../facts.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  bare,
  calleeName,
  child,
  children,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside } from "../shared/nodes.js";

export function* records(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const paid = paidByRecord(facts);
  if (paid === null) return;
  for (const object of facts.objects) {
    if (!byOperand(facts, object)) continue;
    yield {
      node: object,
      finding: {
        start: startOf(object),
        end: endOf(object),
        message:
          "a record from operand to local derivative has one entry for a repeated operand: of `x * x` the second derivative replaces the first. Keep operands and derivatives in lists.",
        evidence: "structural",
        related: [place(paid, "operands are paid through such a record here")],
      },
    };
  }
}

/** A contribution in a loop over the entries or keys of a record. */
function paidByRecord(facts: FileFacts): Node | null {
  const walks = [
    ...facts.loops.filter(({ type }) => type === "ForInStatement"),
    ...facts.calls
      .filter(
        (call) =>
          /^(?:entries|keys)$/.test(calleeName(call) ?? "") &&
          identifier(bare(receiver(call) ?? call)) === "Object",
      )
      .map((call) => loopOver(call)),
  ].filter((node) => node !== null);
  const found = contributionsOf(facts).find(
    ({ write, weighed }) => weighed!.carried && walks.some((walk) => inside(write.node, walk)),
  );
  return found?.write.node ?? null;
}

function loopOver(call: Node): Node | null {
  for (let at = call.parent, steps = 0; at != null && steps < 4; at = at.parent, steps++)
    if (at.type === "ForOfStatement" || at.type === "CallExpression") return at;
  return null;
}

/** Two keys that are the same field of two different nodes. */
function byOperand(facts: FileFacts, object: Node): boolean {
  const keys: Node[] = [];
  for (const property of children(object, "properties"))
    if (property?.type === "Property" && property.computed === true) keys.push(bare(child(property, "key")!));
  // `{ [a]: vals[b], [b]: vals[a] }` of the two parameters of an operation
  const own = (facts.home(object)?.params ?? []).map((param) => facts.binding(param));
  const params = keys.map((key) => facts.binding(key)).filter((one) => one !== null && own.includes(one));
  if (keys.length > 1 && params.length === keys.length && new Set(params).size === keys.length) return true;
  const fields = keys.filter((key) => isMember(key) && propertyName(key) !== null);
  return fields.some((key, i) =>
    fields
      .slice(0, i)
      .some(
        (other) =>
          propertyName(other) === propertyName(key) &&
          valuesOf(facts).key(child(other, "object")!) !== valuesOf(facts).key(child(key, "object")!),
      ),
  );
}

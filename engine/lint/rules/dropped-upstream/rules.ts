/**
 * One rule of several that leaves the cotangent out: a method of a visitor, an entry of a table or a branch of a dispatch stores a
 * local derivative in an operand's slot, where the others scale the same slot of the node at hand.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { isEntry } from "../../overwriting/entries.js";
import { branchOf } from "../../overwriting/guards.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { startsAt } from "../../overwriting/upstream.js";
import type { Finding } from "../../report.js";
import { child, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import type { Contribution } from "../shared/contributions.js";
import { candidate, LOSS, readsNamed, report, withUpstream } from "./stored.js";

export function* inRules(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  const paid = withUpstream(facts).filter(
    ({ weighed, write }) => weighed!.upstream?.kind === "field" && !isEntry(write),
  );
  if (paid.length < 2) return;
  const right = new Set(paid.map(({ write }) => write));
  for (const write of writesOf(facts)) {
    const home = facts.home(write.node);
    if (right.has(write) || home === null || write.object === null) continue;
    if (isEntry(write) || write.element) continue;
    if (!candidate(facts, write) || isBlank(facts, write.value) || readsNamed(facts, write.value)) continue;
    if (isLoss(facts, write, home)) continue;
    const slot = slots.canonical(write.name);
    const alike = paid.filter((one) => slots.canonical(one.write.name) === slot);
    const siblings = [...besides(facts, write, home, alike), ...ofFamily(facts, write, home, alike)];
    if (siblings.length > 1 && !readsSlot(facts, write, slot)) yield report(facts, write, siblings);
  }
}

/** The rule of a loss, where the cotangent is one. */
const isLoss = (facts: FileFacts, { node }: Write, home: Fn): boolean =>
  LOSS.test(home.name) ||
  branchOf(node, home.node).some(({ test }) => {
    const asked = child(test, "test");
    return asked !== null && LOSS.test(facts.source(asked));
  });

/** Other branches of the same function, which scale the slot of the node that this one pays an operand of. */
const besides = (
  facts: FileFacts,
  write: Write,
  home: Fn,
  paid: readonly Contribution[],
): readonly Contribution[] =>
  branchOf(write.node, home.node).length === 0
    ? []
    : paid.filter(
        ({ write: other, payer }) =>
          facts.home(other.node) === home &&
          payer !== "" &&
          startsAt(write.objectKey, payer) &&
          startsAt(other.objectKey, payer),
      );

/** The same in the other functions of its kind: methods of the class, entries of the table, functions named alike. */
function ofFamily(
  facts: FileFacts,
  write: Write,
  home: Fn,
  paid: readonly Contribution[],
): readonly Contribution[] {
  const at = nodeParam(facts, home, write.objectKey);
  if (at === -1) return [];
  return paid.filter(({ write: other, payer }) => {
    const fn = facts.home(other.node);
    return (
      fn !== null &&
      fn !== home &&
      alike(fn, home) &&
      nodeParam(facts, fn, other.objectKey) === at &&
      payer === valuesOf(facts).key(fn.params[at])
    );
  });
}

/** Which parameter the written object is reached from; -1: none. */
const nodeParam = (facts: FileFacts, fn: Fn, objectKey: string): number =>
  fn.params.findIndex(
    (param) => param.type === "Identifier" && startsAt(objectKey, valuesOf(facts).key(param)),
  );

function alike(a: Fn, b: Fn): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "method") return a.owner === b.owner;
  const [one, other] = [tableOf(a), tableOf(b)];
  if (one !== null || other !== null) return one === other;
  const word = /^_?[a-z]+/.exec(a.name)?.[0];
  return word !== undefined && word.length > 1 && word === /^_?[a-z]+/.exec(b.name)?.[0];
}

const tableOf = (fn: Fn): Node | null =>
  fn.node.parent?.type === "Property" ? (fn.node.parent.parent ?? null) : null;

function readsSlot(facts: FileFacts, write: Write, slot: string): boolean {
  const slots = slotNamesOf(facts);
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "field" &&
        (slots.canonical(read.name) === slot || facts.names.gradient(read.name) > 0) &&
        read.object !== write.objectKey,
    );
}

/** Closures that an operation hangs up, and entries of an adjoint array, that are paid a bare local derivative. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { groupBy, namesOf } from "../../lookups.js";
import { isEntry } from "../../overwriting/entries.js";
import { sweepsAfter } from "../../overwriting/inner-sweeps.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { operationOf } from "../../operations.js";
import type { Binding } from "../../scopes.js";
import { child, children, isMember, propertyName, within, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import type { Contribution } from "../shared/contributions.js";
import { mentionsNode, runsIn } from "../shared/nodes.js";
import { candidate, LOSS, readsNamed, report, seeded, withoutOld, withUpstream } from "./stored.js";

/** A closure that an operation hangs on its output and that adds into a gradient: with no cotangent in sight at all. */
export const showsClosures = (facts: FileFacts): boolean =>
  writesOf(facts).some(({ node, form, name, object }) => {
    if (form !== "add" || object === null || facts.names.gradient(name) !== 2) return false;
    const fn = runsIn(facts, node);
    const operation = fn === null ? null : operationOf(facts, fn);
    return operation !== null && operation.linked && operation.outputs.size > 0;
  });

const bySlot = (facts: FileFacts): ReadonlyMap<string, readonly Contribution[]> =>
  facts.once("contributions with an upstream, by slot", (file) =>
    groupBy(withUpstream(file), ({ write }) => slotNamesOf(file).canonical(write.name)),
  );

export function* inClosures(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of writesOf(facts)) {
    const fn = runsIn(facts, write.node);
    if (fn === null || (fn.kind !== "function" && !isEntry(write))) continue;
    const operation = operationOf(facts, fn);
    // most closures read their output's slot: that is known already, and cheaper than to follow all locals of a value
    if (operation !== null && readsUpstream(facts, write, fn, operation.outputs)) continue;
    if (!candidate(facts, write)) continue;
    const siblings = bySlot(facts).get(slots.canonical(write.name)) ?? [];
    if (operation !== null) {
      if (!operation.linked || LOSS.test(operation.fn.name)) continue;
      // `y.d += 1; for (let i = tape.length; i--; ) tape[i]();` is the seed of a sweep
      if (isBlank(facts, write.value) && sweepsAfter(facts, write.node, fn)) continue;
      if (readsNamed(facts, withoutOld(write))) continue;
      // it hangs on an output of its own, or is one of several operations that do it right
      const named = facts.names.gradient(write.name) === 2 && operation.outputs.size > 0;
      if (siblings.length === 0 && !named) continue;
      if (operation.outputs.has(write.objectKey)) continue;
      yield report(facts, write, siblings);
    } else if (isEntry(write) && siblings.length + seeded(facts, write) > 0) {
      // in whatever order the list is walked, where the turns pay others out of the same adjoints
      const loop = loopsAround(facts, write.node).find(
        ({ reverse, node }) => reverse || siblings.some((one) => within(one.write.node, node)),
      );
      // `adj[lhs[i]]`, which others pay too, is an operand
      const others = siblings.some((one) => one.write.indexKey === write.indexKey);
      if (loop === undefined || !/[.[]/.test(write.indexKey)) continue;
      if (!others && loop.isCurrent(write.indexKey)) continue;
      if (readsContainer(facts, write) || readsNamed(facts, write.value) || readsFlow(facts, write)) continue;
      yield report(facts, write, siblings);
    }
  }
}

function readsUpstream(facts: FileFacts, write: Write, fn: Fn, outputs: ReadonlySet<string>): boolean {
  const slots = slotNamesOf(facts);
  const own = slots.canonical(write.name);
  return (
    valuesOf(facts)
      .reads(write.value)
      .some((read) => {
        if (read.kind === "param" && onlyPrimal(facts, write, read.binding)) return false;
        if (read.kind === "param")
          return facts.scopes.declaredIn(read.binding, fn.node) || gradientParam(facts, read.binding.name);
        if (read.kind === "field") {
          if (facts.names.gradient(read.name) > 0 || slots.canonical(read.name) === own)
            return read.object !== write.objectKey || outputs.has(read.object);
          return false;
        }
        return readsGradientKey(facts, read.container) && read.index !== write.indexKey;
      }) || callsWithOutput(facts, write.value, outputs)
  );
}

const PRIMAL = /^_?(?:v|val|value|data|y|primal|x|out|output|result)$/;

/** `a.adj += out.val` of `(out) => ...`, where other closures read `out.adj` of what they are handed. */
function onlyPrimal(facts: FileFacts, write: Write, param: Binding): boolean {
  if (facts.names.gradient(param.name) > 0) return false;
  const uses = namesOf(facts, param).filter((name) => within(name, write.node));
  const primal = uses.every((name) => {
    const member = name.parent;
    return (
      member != null &&
      isMember(member) &&
      child(member, "object") === name &&
      PRIMAL.test(propertyName(member) ?? "")
    );
  });
  if (uses.length === 0 || !primal) return false;
  const slot = slotNamesOf(facts).canonical(write.name);
  return (bySlot(facts).get(slot) ?? []).some(
    ({ write: other, weighed }) =>
      other !== write &&
      weighed!.upstream?.kind === "field" &&
      slotNamesOf(facts).canonical(weighed!.upstream.name) === slot,
  );
}

const gradientParam = (facts: FileFacts, name: string): boolean => facts.names.gradient(name) > 0;

/** `rule(out)`, `chain(out, k)`: a helper that is handed the output may read its cotangent. */
function callsWithOutput(facts: FileFacts, value: Node, outputs: ReadonlySet<string>): boolean {
  const values = valuesOf(facts);
  const roots: Node[] = [value];
  const binding = facts.binding(value);
  if (binding?.kind === "variable") roots.push(...binding.definitions.map(({ expression }) => expression));
  return roots.some((root) =>
    mentionsNode(
      root,
      (node) =>
        (node.type === "CallExpression" || node.type === "NewExpression") &&
        children(node, "arguments").some(
          (argument) => argument !== null && outputs.has(values.key(argument)),
        ),
    ),
  );
}

function readsGradientKey(facts: FileFacts, key: string): boolean {
  const name = /([\w$#]+?)(?:~\d+)?(?:\[[^\]]*\])*$/.exec(key)?.[1] ?? "";
  return facts.names.gradient(name) > 0;
}

function readsContainer(facts: FileFacts, write: Write): boolean {
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "element" && read.container === write.container && read.index !== write.indexKey,
    );
}

/** `flow[j] * x[j]` where `flow[j] = yBar * w[j]` before: an array without such a name that cotangents are kept in. */
function readsFlow(facts: FileFacts, write: Write): boolean {
  const home = runsIn(facts, write.node);
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "element" &&
        writesOf(facts).some(
          (other) =>
            other.container === read.container &&
            runsIn(facts, other.node) === home &&
            readsNamed(facts, other.value),
        ),
    );
}

/**
 * Sweeps over stored local derivatives that add them as they are: `sens[deps[k]] += weights[k]` in a loop that seeds `sens` and
 * goes back over the nodes. Each has to be scaled by the cotangent of its node, which such a loop never reads.
 */
import { adds, slotOf } from "../../adds.js";
import type { FileFacts } from "../../facts.js";
import { isBackward, isEntry } from "../../overwriting/entries.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { seededAround } from "../../overwriting/sweeps.js";
import { derivedIndex } from "../../overwriting/upstream.js";
import type { Finding } from "../../report.js";
import { loopsAround, type Loop } from "../../reverse.js";
import { bare, child, isCall, isMember, walk, within, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { LOSS, report, withoutOld } from "./stored.js";

export function* inSweeps(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of writesOf(facts)) {
    const loop = loopsAround(facts, write.node).find(({ reverse }) => reverse);
    const home = facts.home(write.node);
    if (loop === undefined || home === null || LOSS.test(home.name)) continue;
    const slot = slots.canonical(write.name);
    if (!seededAround(facts, write.node).has(slot)) continue;
    if (facts.names.gradient(write.name) === 0 && !isBackward(facts, home)) continue;
    if (!addsStored(facts, write, loop) || !isOperand(facts, write, loop)) continue;
    const paid = writesOf(facts).filter(
      (other) => slots.canonical(other.name) === slot && within(other.node, loop.node),
    );
    if (paid.every((other) => !readsSlot(facts, other))) yield report(facts, write, []);
  }
}

/** Adds something that is kept with the node, and that no cotangent went into. */
function addsStored(facts: FileFacts, write: Write, loop: Loop): boolean {
  const own = slotOf(write, (name) => slotNamesOf(facts).same(name));
  if (write.form !== "add" && !(write.form === "assign" && adds(facts, write.value, own))) return false;
  const value = withoutOld(write);
  if (isBlank(facts, value)) return false;
  return keptWithNode(facts, value, loop);
}

/** Every name in it, indices apart, is of the turn: what was worked out before the loop, or by a call, may be scaled already. */
function keptWithNode(facts: FileFacts, value: Node, loop: Loop): boolean {
  let kept = false;
  let older = false;
  walk(value, (node) => {
    if (isMember(node)) {
      kept = true;
      let root = bare(node);
      while (isMember(root)) root = bare(child(root, "object")!);
      const holder = facts.binding(root);
      older ||= holder?.kind === "param" && !within(holder.declaration, loop.node);
      // `const parts = vjp(node)`: the call may have read the cotangent
      older ||=
        holder?.definitions.some(({ expression, path }) => path.length === 0 && isCall(bare(expression))) ===
        true;
      return false;
    }
    if (isCall(node)) older = true;
    const binding = node.type === "Identifier" ? facts.binding(node) : null;
    if (binding !== null && !within(binding.declaration, loop.node)) older = true;
    else
      for (const { expression, path } of binding?.definitions ?? []) {
        // `const w = node.weights[k]`, `for (const [p, w] of node.edges)`
        if (isMember(bare(expression)) || path.length > 0) kept = true;
        else older = true;
      }
    return true;
  });
  return kept && !older;
}

/** The slot of an operand of the node that the loop is at. */
function isOperand(facts: FileFacts, write: Write, loop: Loop): boolean {
  const target = isEntry(write) ? write.indexKey : write.objectKey;
  if (target === "" || target === "this" || loop.isCurrent(target)) return false;
  return isEntry(write) ? derivedIndex(facts, write) && target !== loop.counter : /\[/.test(target);
}

/** The old value of the slot apart, a cotangent goes into the value. */
function readsSlot(facts: FileFacts, write: Write): boolean {
  const slots = slotNamesOf(facts);
  const slot = slots.canonical(write.name);
  return valuesOf(facts)
    .reads(withoutOld(write))
    .some((read) =>
      read.kind === "field"
        ? slots.canonical(read.name) === slot || facts.names.gradient(read.name) > 0
        : read.kind === "element"
          ? read.container === write.container || facts.names.gradient(read.container) > 0
          : facts.names.gradient(read.binding.name) > 0,
    );
}

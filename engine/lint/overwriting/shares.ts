/** Finished sums that are handed out when a sweep is done, and shares that a call gives for the slot of the node at hand. */
import type { FileFacts } from "../facts.js";
import { loopsAround } from "../reverse.js";
import { bare, child, endOf, isMember, propertyName, startOf, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Read } from "../value-forms.js";
import type { Contribution } from "./entries.js";
import { writesFrom } from "./guards.js";
import { giverOf } from "./upstream.js";

/**
 * `for (const [n, g] of sums) n.grad = g`: finished sums are handed out. What a call gives for the slot of the node at hand
 * (`const pairs = rule(node.grad)`) are contributions.
 */
export function published(facts: FileFacts, write: Contribution, target: string, from: Read | null): boolean {
  const value = valuesOf(facts).key(write.value);
  const pairs = /^(.*\[\*\])\[\d\]$/.exec(value);
  const handedOut =
    target === `${value.replace(/\[\*\]$/, "")}[entries][*][0]` ||
    (pairs !== null && target.startsWith(`${pairs[1]}[`));
  if (handedOut) return from === null || !isGivenFor(facts, write.value, from);
  return write.container !== "" ? false : isSweptBefore(facts, write);
}

/** `leaf.gradient = adj[at]` when the loop that fills `adj` is done. */
function isSweptBefore(facts: FileFacts, write: Contribution): boolean {
  const value = bare(write.value);
  const home = facts.home(write.node);
  if (home === null || !isMember(value) || propertyName(value) !== null) return false;
  const list = valuesOf(facts).key(child(value, "object")!);
  const sums = writesFrom(facts, home).filter(({ form, container }) => form === "add" && container === list);
  return (
    sums.length > 0 &&
    sums.every(({ node }) => {
      const loop = loopsAround(facts, node).at(-1);
      return loop !== undefined && endOf(loop.node) < startOf(write.node);
    })
  );
}

/**
 * One of the parts that a call gives for the slot of the node at hand: `n.vjp(n.grad).forEach(([p, g]) => (p.grad = g))`. A call that
 * is handed the written slot, too, works on slots (`[a.grad, b.grad] = clip(a.grad, b.grad)`).
 */
export function isShare(facts: FileFacts, write: Contribution, upstream: Read | null): boolean {
  if (upstream === null || upstream.kind === "param" || !isGivenFor(facts, write.value, upstream))
    return false;
  const call = giverOf(facts, write.value);
  return (
    call !== null &&
    !valuesOf(facts)
      .reads(call)
      .some((read) =>
        read.kind === "field"
          ? read.object === write.objectKey && read.name === write.name
          : read.kind === "element" && read.container === write.container && read.index === write.indexKey,
      )
  );
}

/** The value is a part of what a call gives that is handed what was read. */
function isGivenFor(facts: FileFacts, value: Node, from: Read): boolean {
  const call = giverOf(facts, value);
  return (
    call !== null &&
    // the slot that the method reads for itself
    (call === from.node ||
      valuesOf(facts)
        .reads(call)
        .some(({ node }) => node === from.node))
  );
}

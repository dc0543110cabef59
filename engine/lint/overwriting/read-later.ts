/**
 * What was assigned to a slot is read from it again in the same run: `a.grad = g; b.grad += a.grad;`. With a sum in the slot
 * the reader would get more than the contribution, so that no rewrite of the assignment alone is right.
 */
import type { FileFacts } from "../facts.js";
import { child, endOf, isMember, startOf, walk } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";

export function readLater(facts: FileFacts, write: Write): boolean {
  const home = facts.home(write.node);
  if (home === null) return false;
  const values = valuesOf(facts);
  const place = values.key(write.target);
  const end = endOf(write.node);
  let found = false;
  walk(home.node, (node) => {
    if (found || endOf(node) <= end) return false;
    if (!isMember(node) || startOf(node) < end || values.key(node) !== place) return !found;
    const { parent } = node;
    // a later store of its own is no reader
    found = !(parent?.type === "AssignmentExpression" && child(parent, "left") === node);
    return !found;
  });
  return found;
}

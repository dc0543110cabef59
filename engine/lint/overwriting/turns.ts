/**
 * Parameters that every turn of a reversed loop uses (a recurrent net run back through time): `dW[i][j] = delta[i] * h[j]`
 * with nothing of the turn in the place keeps the gradient of the last turn only.
 */
import type { FileFacts } from "../facts.js";
import { loopsAround } from "../reverse.js";
import { child, isMember, propertyName, walk, within, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { eachPart } from "./evidence.js";

/** The value changes with the turns of a reversed counting loop, the place does not, and no turn reads it. */
export function storedEachTurn(facts: FileFacts, write: Write, all: readonly Write[]): boolean {
  if (write.form !== "assign" || !write.element) return false;
  const strength = facts.names.gradient(write.name);
  if (strength === 0) return false;
  const turns = loopsAround(facts, write.node).find(({ reverse, counter }) => reverse && counter !== null);
  if (turns === undefined) return false;
  const counter = turns.counter!;
  if (!placeIsFixed(facts, write, turns.node, counter) || !followsTurn(facts, write.value, counter))
    return false;
  if (isReadIn(facts, write, turns.node)) return false;
  if (strength === 2) return true;
  // a short name needs a gradient beside it that is summed over the same turns
  return all.some(
    (other) =>
      other.form === "add" &&
      other.element &&
      facts.names.gradient(other.name) > 0 &&
      within(other.node, turns.node) &&
      placeIsFixed(facts, other, turns.node, counter),
  );
}

/** Nothing in the written place is of one turn: no counter in it, and the buffer is older than the loop. */
function placeIsFixed(facts: FileFacts, write: Write, turns: Node, counter: string): boolean {
  let fixed = true;
  walkPlace(write.target, (node) => {
    if (node.type !== "Identifier") return;
    if (valuesOf(facts).key(node).includes(counter)) fixed = false;
    const root = node === rootOf(write.target) ? facts.binding(node) : null;
    if (root !== null && within(root.declaration, turns)) fixed = false;
  });
  return fixed;
}

function rootOf(target: Node): Node {
  let at = target;
  while (isMember(at)) at = child(at, "object")!;
  return at;
}

function walkPlace(target: Node, visit: (node: Node) => void): void {
  for (let at: Node = target; ; at = child(at, "object")!) {
    if (!isMember(at)) {
      visit(at);
      return;
    }
    if (propertyName(at) === null) walk(child(at, "property")!, visit);
  }
}

function followsTurn(facts: FileFacts, value: Node, counter: string): boolean {
  let found = false;
  eachPart(facts, value, (node) => {
    if (node.type === "Identifier" && valuesOf(facts).key(node) === counter) found = true;
  });
  return found;
}

/** A scratch buffer is read in the turn that fills it; a gradient of a parameter is not. */
function isReadIn(facts: FileFacts, write: Write, turns: Node): boolean {
  const values = valuesOf(facts);
  let read = false;
  walk(turns, (node) => {
    if (node.type === "AssignmentExpression" && isMember(child(node, "left")!)) {
      const own = rootKey(facts, child(node, "left")!) === write.container;
      if (own) {
        walk(child(node, "right")!, (inner) => {
          read ||= isContainer(inner);
        });
        return false;
      }
    }
    read ||= isContainer(node);
    return !read;
  });
  return read;

  function isContainer(node: Node): boolean {
    return (node.type === "Identifier" || isMember(node)) && values.key(node) === write.container;
  }
}

/** Key of what is left of a place without its indices. */
function rootKey(facts: FileFacts, target: Node): string {
  let at = target;
  while (isMember(at) && propertyName(at) === null) at = child(at, "object")!;
  return valuesOf(facts).key(at);
}

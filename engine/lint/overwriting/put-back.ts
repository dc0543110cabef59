/**
 * What stood in a slot is kept in a local, the slot is stored over, and what was kept is added again:
 * `const before = x.grad; x.grad = c; x.grad += before;`. A sum, in three steps.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { bare, endOf, startOf, walk, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { writesFrom } from "./guards.js";

export function putBack(facts: FileFacts, write: Write, home: Fn): boolean {
  if (write.form !== "assign") return false;
  const values = valuesOf(facts);
  const place = values.key(write.target);
  const line = statementOf(write.node);
  return writesFrom(facts, home).some(
    (later) =>
      startOf(later.node) >= endOf(write.node) &&
      values.key(later.target) === place &&
      // in one run of statements: what is added under a condition is not always added
      statementOf(later.node).parent === line.parent &&
      isSum(facts, later) &&
      holdsKept(facts, later.value, place, startOf(write.node)),
  );
}

function statementOf(node: Node): Node {
  let at = node;
  while (at.parent != null && !/Statement$|^Program$/.test(at.type)) at = at.parent;
  return at;
}

const isSum = (facts: FileFacts, write: Write): boolean =>
  write.form === "add" ||
  (write.form === "assign" &&
    adds(
      facts,
      write.value,
      slotOf(write, (name) => [name]),
    ));

/** The value has a local in it that was made of the slot before it was stored over. */
function holdsKept(facts: FileFacts, value: Node, place: string, before: number): boolean {
  const values = valuesOf(facts);
  let found = false;
  walk(value, (node) => {
    if (found || node.type !== "Identifier") return !found;
    const definitions = facts.binding(node)?.definitions ?? [];
    found = definitions.some(
      ({ expression: made, path }) =>
        path.length === 0 && startOf(made) < before && values.key(bare(made)) === place,
    );
    return !found;
  });
  return found;
}

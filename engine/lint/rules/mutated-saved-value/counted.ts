/** Indices that count over the elements of one buffer, told apart from those that name a node or a stretch of an arena. */
import type { FileFacts } from "../../facts.js";
import { updatesOf } from "../../lookups.js";
import { loopsAround } from "../../reverse.js";
import { bare, child, isMember, type Node } from "../../tree.js";
import { inside } from "../shared/nodes.js";

/** `i`, `0`, `i * n + j`, `3 * i + 1`; not `id`, `y.off + i`, `top++`. */
export function counted(facts: FileFacts, index: Node): boolean {
  const inner = bare(index);
  if (inner.type === "Literal") return true;
  if (inner.type === "Identifier") return isCounter(facts, inner);
  return inner.type === "BinaryExpression" && counters(facts, inner) === "some";
}

/** Sums and products of counters and numbers; what a counter is multiplied by may be anything plain. */
function counters(facts: FileFacts, node: Node): "some" | "none" | "other" {
  const inner = bare(node);
  if (inner.type === "Literal") return "none";
  if (inner.type === "Identifier") return isCounter(facts, inner) ? "some" : "other";
  if (inner.type !== "BinaryExpression" || !/^[-+*]$/.test(String(inner.operator))) return "other";
  const sides = [child(inner, "left")!, child(inner, "right")!];
  const found = sides.map((side) => counters(facts, side));
  if (inner.operator === "*" && found.includes("some") && sides.every((side) => isPlain(side))) return "some";
  if (found.includes("other")) return "other";
  return found.includes("some") ? "some" : "none";
}

function isPlain(node: Node): boolean {
  const inner = bare(node);
  return (
    /^(?:Literal|Identifier)$/.test(inner.type) ||
    isMember(inner) ||
    (inner.type === "BinaryExpression" && isPlain(child(inner, "left")!) && isPlain(child(inner, "right")!))
  );
}

function isCounter(facts: FileFacts, name: Node): boolean {
  const binding = facts.binding(name);
  if (binding === null) return false;
  const updates = updatesOf(facts, binding);
  return (
    updates.some((update) => loopsAround(facts, update).length > 0) ||
    (updates.length > 0 && facts.loops.some((loop) => inside(binding.scope, loop))) ||
    (binding.kind === "param" && facts.enclosing(binding.declaration)?.inline === true)
  );
}

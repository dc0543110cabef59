/** Globals that are made at their first use and are the same ever after: `if (!kept) kept = make();`, `kept ??= make()`. */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import { bare, child, identifier, isFunction, literal, type Node } from "../../tree.js";

export const isMadeOnce = (facts: FileFacts, binding: Binding): boolean =>
  assignmentsTo(facts, binding).every(
    (node) => node.operator === "??=" || node.operator === "||=" || isAskedFor(facts, binding, node),
  );

/** The store runs only where nothing is kept yet. */
function isAskedFor(facts: FileFacts, binding: Binding, store: Node): boolean {
  for (let from = store, at = store.parent; at != null && !isFunction(at); from = at, at = at.parent) {
    if (/^(?:If|Conditional)/.test(at.type) && child(at, "consequent") === from)
      if (asksIfAbsent(facts, binding, child(at, "test")!)) return true;
    // `kept || (kept = make())`
    if (at.type === "LogicalExpression" && child(at, "right") === from && at.operator !== "&&")
      if (facts.binding(child(at, "left")!) === binding) return true;
  }
  return false;
}

/** `!kept`, `kept == null`, `kept === undefined`. */
function asksIfAbsent(facts: FileFacts, binding: Binding, test: Node): boolean {
  const inner = bare(test);
  if (inner.type === "UnaryExpression")
    return inner.operator === "!" && facts.binding(child(inner, "argument")!) === binding;
  if (inner.type !== "BinaryExpression" || !/^===?$/.test(String(inner.operator))) return false;
  const right = bare(child(inner, "right")!);
  return (
    facts.binding(child(inner, "left")!) === binding &&
    (literal(right) === null || identifier(right) === "undefined")
  );
}

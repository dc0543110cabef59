/**
 * Cotangents on demand: a node asks its use for what it is due, `this.pull = () => out.adjoint * other.value`. A node with two uses
 * has to ask both; one field for the question keeps the last.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { bare, child, isCall, isMember, propertyName, calleeName, receiver, walk } from "../../tree.js";
import { valuesOf } from "../../values.js";

/** What a function gives back is worked out from the cotangent of one of these outputs. */
export function asksOutput(facts: FileFacts, fn: Fn, outputs: ReadonlyMap<string, string>): boolean {
  if (facts.names.minified) return false;
  const values = valuesOf(facts);
  let found = false;
  for (const value of fn.returns)
    walk(value, (node) => {
      // `out.adjoint`, `out.grad()`
      const name = isMember(node) ? propertyName(node) : null;
      const asked = name === null && isCall(node) ? calleeName(node) : name;
      const object = isMember(node) ? child(node, "object") : isCall(node) ? receiver(node) : null;
      if (asked === null || object === null || facts.names.gradient(asked) < 2) return;
      found ||= outputs.has(values.key(bare(object)));
    });
  return found;
}

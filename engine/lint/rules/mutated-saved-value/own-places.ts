/** Places in an arena of all values that an operation takes for its output: nobody has read them yet. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf, updatesOf } from "../../lookups.js";
import { bare, child, isMember, propertyName, type Node } from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { partsOf } from "../shared/nodes.js";

/** `vals[y.off + i]` of `const y = this.alloc(n)`, `vals[id]` of `const id = this.top++`. */
export function isOwnPlace(facts: FileFacts, index: Node | undefined, home: Fn): boolean {
  if (index === undefined) return false;
  return partsOf(index).some((part) => {
    const binding =
      part.type === "Identifier" && !isPropertyPosition(part) ? facts.scopes.resolve(part) : null;
    if (binding === null || binding.kind !== "variable" || !facts.scopes.declaredIn(binding, home.node))
      return false;
    const [made, ...more] = binding.definitions.filter(({ kind }) => kind !== "element");
    if (made === undefined || more.length > 0 || made.path.length > 0 || updatesOf(facts, binding).length > 0)
      return false;
    const value = bare(made.expression);
    return value.type === "UpdateExpression" || facts.isCall(value) || isTaken(facts, value, home);
  });
}

/** `const at = this.used; this.used += n;`, `const id = this.vals.length;` */
function isTaken(facts: FileFacts, value: Node, home: Fn): boolean {
  if (!isMember(value)) return false;
  if (propertyName(value) === "length") return true;
  const values = valuesOf(facts);
  const key = values.key(value);
  return (
    partOf(facts.assignments, home.node).some((one) => values.key(child(one, "left")!) === key) ||
    partOf(facts.updates, home.node).some((one) => values.key(child(one, "argument")!) === key)
  );
}

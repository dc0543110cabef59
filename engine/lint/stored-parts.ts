/** What is stored into parts of what a name holds, and whether it may be the part that is read. */
import type { FileFacts } from "./facts.js";
import type { Binding } from "./scopes.js";
import { bare, child, isMember, propertyName, type Node } from "./tree.js";

/** What is stored into a part of a value. */
export interface Stored {
  readonly expression: Node;
  /** names of the fields on the way to the part, null for an index */
  readonly fields: readonly (string | null)[];
}

/** Stores into one name that are told apart. */
const MANY = 400;

/** `l`, `value` of the `n` in `n.l.value`. */
export function fieldsOf(name: Node): readonly (string | null)[] {
  const out: (string | null)[] = [];
  let at = name;
  for (let parent = at.parent; parent != null; parent = at.parent) {
    if (bare(parent) !== parent) {
      at = parent;
      continue;
    }
    if (!isMember(parent) || bare(child(parent, "object")!) !== bare(at)) break;
    out.push(propertyName(parent));
    at = parent;
  }
  return out;
}

function fieldsWritten(store: Node): readonly (string | null)[] {
  const out: (string | null)[] = [];
  let target = store.type === "AssignmentExpression" ? bare(child(store, "left")!) : store;
  for (; isMember(target); target = bare(child(target, "object")!)) out.unshift(propertyName(target));
  return out;
}

/** `n.l.value` is not what is stored into `n.l.adjoint`: the fields of the two differ somewhere along the way. */
export const mayMeet = (read: readonly (string | null)[], written: readonly (string | null)[]): boolean =>
  written.every(
    (field, i) => field === null || read[i] === undefined || read[i] === null || read[i] === field,
  );

/** The stores into parts of a name; none where there are too many to tell apart, as in the memory of a compiled program. */
export function storesInto(facts: FileFacts, binding: Binding): readonly Stored[] {
  const table = facts.once("stores into parts", () => new Map<Binding, readonly Stored[]>());
  let known = table.get(binding);
  if (known === undefined) {
    const stores = binding.definitions
      .filter(({ kind, path }) => kind === "element" && !path.includes("[key]"))
      .map(({ expression, at }) => ({ expression, fields: fieldsWritten(at) }));
    table.set(binding, (known = stores.length > MANY ? [] : stores));
  }
  return known;
}

/** Spellings of a slot: parts of it, other names of it, and buffers told from maps. */
import type { FileFacts } from "./facts.js";
import {
  bare,
  calleeName,
  child,
  identifier,
  isMember,
  keyName,
  literal,
  propertyName,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";

const CONTENT = /^_?(?:[xyzwri]|re|im|real|imag|data|d|v|val|values?|buffer|buf|elements|array|arr|items)$/;

/** `a.bar.x`, `t.grad.data[i]`: a component, or the content, of a slot whose own name says gradient. */
export function partOfSlot(facts: FileFacts, field: string, object: Node): Node | null {
  if (facts.names.gradient(field) > 1 || !CONTENT.test(field) || !isMember(object)) return null;
  const slot = propertyName(object);
  return slot !== null && facts.names.gradient(slot) === 2 ? object : null;
}

/** `const have = bars.get(id); have[k] += c`: by the name that says gradient, where the local's own says nothing. */
export function aliasName(facts: FileFacts, base: Node): string {
  const name = identifier(base);
  if (name === null || facts.names.gradient(name) > 0) return name ?? "";
  const key = valuesOf(facts).key(base);
  const last = /([\w$#]+)(?:~\d+)?(?:\[.*\])?$/.exec(key)?.[1] ?? name;
  return facts.names.gradient(last) > 0 ? last : name;
}

/** `set(values, 3)`: a place in a buffer rather than a value of a map. */
export function isOffset(node: Node): boolean {
  const inner = bare(node);
  return (
    typeof literal(inner) === "number" ||
    (inner.type === "Identifier" && /^(?:offset|start|pos)$/i.test(String(inner.name)))
  );
}

/** The field or name is given a typed array somewhere in the file: `set` takes values and a place then. */
export function isTyped(facts: FileFacts, holder: Node): boolean {
  const name = isMember(holder) ? propertyName(holder) : identifier(holder);
  const typed = facts.once("typed arrays", (file) => {
    const names = new Set<string>();
    for (const made of file.news) {
      if (!/(?:Int|Uint|Float|UintClamped)\d+(?:Clamped)?Array$/.test(calleeName(made) ?? "")) continue;
      const parent = made.parent;
      if (parent == null) continue;
      const target =
        parent.type === "AssignmentExpression"
          ? bare(child(parent, "left")!)
          : (child(parent, "id") ?? child(parent, "key"));
      if (target === null) continue;
      const own = isMember(target) ? propertyName(target) : keyName(target, false);
      if (own !== null) names.add(own);
    }
    return names;
  });
  return name !== null && typed.has(name);
}

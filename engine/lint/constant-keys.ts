/**
 * Keys that stand in a constant: `const GRAD = Symbol("grad")`, `const SLOT = "grad"`. `node[GRAD]` is a field of `node`
 * then, as `node.grad` is, and no entry of a table.
 */
import type { FileFacts } from "./facts.js";
import type { Binding } from "./scopes.js";
import {
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  literal,
  nameKey,
  receiver,
  type Node,
} from "./tree.js";

const KEYED = [
  "MemberExpression",
  "OptionalMemberExpression",
  "Property",
  "PropertyDefinition",
  "MethodDefinition",
];

export function nameConstantKeys(facts: FileFacts): void {
  const names = new Map<Binding, string>();
  for (const node of facts.declarators) {
    const id = child(node, "id");
    const init = child(node, "init");
    if (node.parent?.kind !== "const" || init === null || id?.type !== "Identifier") continue;
    const name = constantName(id, init);
    const binding = name === null ? null : facts.scopes.resolve(id);
    if (binding !== null) names.set(binding, name!);
  }
  for (const type of KEYED)
    for (const node of facts.byType.get(type) ?? []) {
      if (node.computed !== true) continue;
      const key = child(node, "key") ?? child(node, "property");
      if (key === null || key.type !== "Identifier") continue;
      const binding = facts.scopes.resolve(key);
      const name = binding === null ? undefined : (names.get(binding) ?? imported(facts, binding));
      if (name !== undefined) nameKey(key, name);
    }
}

/** A text is its own name; a symbol goes by the constant's. */
function constantName(id: Node, init: Node): string | null {
  const text = literal(init);
  if (typeof text === "string") return text;
  const inner = bare(init);
  if (!isCall(inner)) return null;
  const object = receiver(inner);
  const symbol = object === null ? calleeName(inner) === "Symbol" : identifier(bare(object)) === "Symbol";
  return symbol ? identifier(id) : null;
}

/** A key from another file, where its name leaves no doubt. */
function imported(facts: FileFacts, { kind, name }: Binding): string | undefined {
  return kind === "import" && name === name.toUpperCase() && facts.names.gradient(name) === 2
    ? name
    : undefined;
}

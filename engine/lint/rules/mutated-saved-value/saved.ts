/** What backward closures read when they run: fields of operands and outputs, arrays of the forward pass, by reference. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { operationOf } from "../../operations.js";
import type { Binding } from "../../scopes.js";
import { bare, child, identifier, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import { nodesIn } from "../shared/nodes.js";
import { givingClosures, makesItsKind, sweepClosures } from "./pullbacks.js";

export interface SavedField {
  readonly closure: Fn;
  /** the operation that hung the closure up */
  readonly operation: Fn;
  /** key of the object it belongs to, as the operation knows it */
  readonly objectKey: string;
  readonly field: string;
  readonly node: Node;
}

const FORM =
  /^(?:length|shape|size|rows|cols|columns|dims|rank|id|op|name|label|strides|requiresGrad|requires_grad)$/;

/** A gradient's slot; a short name is one where contributions go into it, and data elsewhere. */
const isSlot = (facts: FileFacts, field: string): boolean =>
  facts.names.gradient(field) === 2 ||
  (facts.names.gradient(field) === 1 && contributionsOf(facts).some(({ write }) => write.name === field));

/** Fields that backward closures read: in their own text, or through a local of the operation that only renames. */
export const savedFields = (facts: FileFacts): readonly SavedField[] =>
  facts.once("saved fields", (file) => {
    const out: SavedField[] = [];
    const values = valuesOf(file);
    const giving = new Set(givingClosures(file));
    for (const closure of sweepClosures(file)) {
      const operation = operationOf(file, closure)!.fn;
      const ofLayer = giving.has(closure) && !makesItsKind(file, operation);
      const note = (member: Node, node: Node): void => {
        const field = propertyName(member);
        if (field === null || FORM.test(field) || isSlot(file, field)) return;
        const objectKey = values.key(child(member, "object")!);
        // what a layer holds is moved between two passes
        if (ofLayer && /^this(?:\.|$)/.test(objectKey)) return;
        out.push({ closure, operation, objectKey, field, node });
      };
      for (const member of nodesIn(file, "MemberExpression", closure.node)) {
        if (member.parent == null) continue;
        const written =
          member.parent.type === "AssignmentExpression" && child(member.parent, "left") === member;
        const called = member.parent.type === "CallExpression" && child(member.parent, "callee") === member;
        if (!written && !called) note(member, member);
      }
      for (const name of nodesIn(file, "Identifier", closure.node)) {
        const binding = file.scopes.resolve(name);
        const alias = binding === null ? null : aliasOf(file, binding, operation, closure);
        if (alias !== null) note(alias, name);
      }
    }
    return out;
  });

/** `const saved = x.data;` of the operation: the very array. Numbers are copied by this, arrays are not. */
function aliasOf(facts: FileFacts, binding: Binding, operation: Fn, closure: Fn): Node | null {
  if (
    binding.kind !== "variable" ||
    binding.definitions.length !== 1 ||
    !facts.scopes.declaredIn(binding, operation.node)
  )
    return null;
  const [{ expression, path }] = binding.definitions;
  const inner = bare(expression);
  if (path.length > 0 || !isMember(inner) || propertyName(inner) === null) return null;
  // read by element: it is an array
  return nodesIn(facts, "MemberExpression", closure.node).some((member) => {
    const object = bare(child(member, "object")!);
    return identifier(object) === binding.name && facts.binding(object) === binding;
  })
    ? inner
    : null;
}

/** Writes by where they go: a field of an object, an entry of a container. */
import type { FileFacts } from "./facts.js";
import { aliasName } from "./slot-spellings.js";
import { bare, child, isMember, propertyName, type Node } from "./tree.js";
import { valuesOf } from "./values.js";
import type { Write, WriteForm } from "./write-forms.js";

/** A store into a field of an object. */
export function field(
  facts: FileFacts,
  out: Write[],
  node: Node,
  object: Node,
  name: string,
  form: WriteForm,
  value: Node,
): void {
  out.push({
    node,
    target: object,
    form,
    value,
    object,
    objectKey: valuesOf(facts).key(object),
    name,
    element: false,
    container: "",
    index: null,
    indexKey: "",
  });
}

/** A store into an entry of a container, of which the key may not be seen. */
export function container(
  facts: FileFacts,
  out: Write[],
  node: Node,
  target: Node,
  form: WriteForm,
  value: Node,
  index: Node | null,
): void {
  const values = valuesOf(facts);
  const inner = bare(target);
  const name = isMember(inner) ? propertyName(inner) : aliasName(facts, inner);
  const object = isMember(inner) ? child(inner, "object") : null;
  out.push({
    node,
    target,
    form,
    value,
    object,
    objectKey: object === null ? "" : values.key(object),
    name: name ?? "",
    element: true,
    container: values.key(target),
    index,
    indexKey: index === null ? "*" : values.key(index),
  });
}

/** What of a pushed value is kept as it is, and how it is spelled as a copy. */
import type { FileFacts } from "../../facts.js";
import { bare, children, child, isMember, propertyName, type Node } from "../../tree.js";

/** The argument itself, values of a record, elements of a list; `...state` for the arrays of a record that is spread. */
export function keptParts(argument: Node): Node[] {
  const inner = bare(argument);
  if (inner.type === "ObjectExpression")
    return children(inner, "properties").flatMap((property) =>
      property?.type === "Property"
        ? keptParts(child(property, "value")!)
        : property?.type === "SpreadElement" && isPlace(child(property, "argument")!)
          ? [property]
          : [],
    );
  if (inner.type === "ArrayExpression")
    return children(inner, "elements").flatMap((one) => (one === null ? [] : keptParts(one)));
  return inner.type === "Identifier" || (isMember(inner) && propertyName(inner) !== null) ? [inner] : [];
}

const isPlace = (node: Node): boolean => bare(node).type === "Identifier" || isMember(bare(node));

/** `{ mask }` becomes `{ mask: mask.slice() }`. */
export function copyOf(facts: FileFacts, kept: Node): string {
  const text = facts.source(kept);
  const property = kept.parent;
  return property?.type === "Property" && property.shorthand === true
    ? `${text}: ${text}.slice()`
    : `${text}.slice()`;
}

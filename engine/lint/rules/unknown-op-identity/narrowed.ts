/** Last branches that the compiler has narrowed to operations by their names: one that somebody adds is an error of types. */
import type { FileFacts } from "../../facts.js";
import { bare, child, children, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { nodesIn } from "../shared/nodes.js";

/** `const only: "copy" = kind;`, `kind satisfies "copy" | "view";` of what the dispatch asks for. */
export function isNarrowed(facts: FileFacts, branch: Node, asked: string | null): boolean {
  const isAsked = (value: Node | null): boolean =>
    value !== null && bare(value) === value && valuesOf(facts).key(value) === asked;
  return (
    nodesIn(facts, "VariableDeclarator", branch).some((one) => {
      const annotation = child(child(one, "id")!, "typeAnnotation");
      return isAsked(child(one, "init")) && named(annotation && child(annotation, "typeAnnotation"));
    }) ||
    nodesIn(facts, "TSSatisfiesExpression", branch).some(
      (one) => isAsked(child(one, "expression")) && named(child(one, "typeAnnotation")),
    )
  );
}

/** A type of names alone, or of none. */
function named(type: Node | null): boolean {
  if (type === null) return false;
  if (type.type === "TSUnionType") return children(type, "types").every(named);
  return type.type === "TSLiteralType" || type.type === "TSNeverKeyword";
}

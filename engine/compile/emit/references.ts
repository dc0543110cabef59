/** Member expressions that are written to, or whose chain has been seen: they must not be wrapped as values. */
import type * as t from "@babel/types";
import { unwrap } from "../tree.js";

/** members and calls that are the inside of a chain whose outermost node has been seen, or an assignment's target */
export const inside = new WeakSet<t.Node>();

/** An assignment's (or `delete`'s) target must stay a reference: a marker goes around its object at most. */
export function keepReference(node: t.Node): void {
  const target = unwrap(node);
  if (target.type === "MemberExpression" || target.type === "OptionalMemberExpression") inside.add(target);
}

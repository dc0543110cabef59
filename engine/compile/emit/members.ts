/** Member expressions as values: computed keys see the primal. */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import type { Emitter } from "./emitter.js";

export function member(e: Emitter, node: t.MemberExpression | t.OptionalMemberExpression): void {
  e.visit(node.object);
  if (node.computed) computedKey(e, node.property);
}

/** A computed key: an index is no place for a derivative, so a traced one is noted. */
export function computedKey(e: Emitter, key: t.Node): void {
  if (neverTraced(key, e.scope)) {
    e.visit(key);
    return;
  }
  const close = e.wrap(key, "index");
  e.visit(key);
  close();
}

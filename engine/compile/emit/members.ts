/** Member expressions as values: computed keys see the primal. */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import type { Emitter } from "./emitter.js";
import { simple } from "./inline.js";

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
  // a number stays where it is, without a call
  const plain = simple(e, key);
  if (!plain && e.noTemps) {
    const close = e.wrap(key, "index");
    e.visit(key);
    close();
    return;
  }
  const index = plain ? e.text.slice(key.start!, key.end!) : e.temp();
  const rest = `typeof ${index} === "number" ? ${index} : ${e.prefix}.index(${index}${e.where(key)})`;
  if (plain) {
    e.edits.open(key.start!, "(");
    e.edits.blank(key.start!, key.end!);
    e.edits.close(key.end!, `${rest})`);
    return;
  }
  e.edits.open(key.start!, `(${index} = (`);
  e.visit(key);
  e.edits.close(key.end!, `), ${rest})`);
}

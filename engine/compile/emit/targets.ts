/** Targets of assignments: made repeatable where they are read and written, and named by what they are. */
import type * as t from "@babel/types";
import type { Emitter } from "./emitter.js";
import { computedKey } from "./members.js";
import { elementBase, namingText, propertyName, unnamed } from "./names.js";

/** A member target prepared for reading and writing: insertions are made, `read` reads it again. */
export interface Target {
  readonly read: string;
  /** text of the object and key, for naming an element; null for a named property */
  readonly element: { readonly object: string; readonly key: string; readonly base: string } | null;
  readonly name: string | null;
}

/** Visits a member target and makes it repeatable. */
export function target(e: Emitter, node: t.MemberExpression): Target {
  const { object, property } = node;
  let base: string;
  const inner =
    object.type === "Identifier" || object.type === "ThisExpression" || object.type === "Super"
      ? object
      : null;
  if (inner) {
    base = e.text.slice(object.start!, object.end!);
    e.visit(object);
  } else {
    base = e.temp();
    e.edits.open(object.start!, `(${base} = `);
    e.visit(object);
    e.edits.close(object.end!, ")");
  }
  if (!node.computed) {
    const name = propertyName(node)!;
    const written = property.type === "PrivateName" ? `#${name}` : name;
    return { read: `${base}.${written}`, element: null, name };
  }
  const literal = property.type === "NumericLiteral" || property.type === "StringLiteral";
  let key: string;
  if (literal) {
    key = e.text.slice(property.start!, property.end!);
  } else {
    // Read twice, it is converted twice, as V8 does for `o[k] += 1`.
    key = e.temp();
    e.edits.open(property.start!, `${key} = (`);
    computedKey(e, property);
    e.edits.close(property.end!, ")");
  }
  const name = propertyName(node);
  const element =
    name === null ? { object: base === "super" ? "null" : base, key, base: elementBase(object) } : null;
  return { read: `${base}[${key}]`, element, name };
}

/** [before, after] around the value that goes into the target. */
export function naming(e: Emitter, to: Target, place: t.Node): readonly [string, string] {
  if (to.element === null) return namingText(e, to.name!, true);
  const { object, key, base } = to.element;
  e.frame.used = true;
  return elementText(e, object, key, place, e.slot(base, e.frame));
}

/** [before, after] around a value stored as an element: plain numbers and, where no names are kept, ordinary arrays need no call. */
export function elementText(
  e: Emitter,
  object: string,
  key: string,
  place: t.Node,
  slot: string,
): readonly [string, string] {
  const p = e.prefix;
  const tail = `, ${object}, ${key}, ${e.site(place.start!, place.end!)}${slot})`;
  if (e.noTemps) return [`${p}.element(`, tail];
  const kept = e.temp();
  const plain = `typeof ${kept} === "number" || ${unnamed(e)} && !${p}.view(${object})`;
  return [`(${kept} = `, `, ${plain} ? ${kept} : ${p}.element(${kept}${tail})`];
}

/** The name of a declared variable: reading it twice does nothing. What nobody declares may be an accessor of the global object. */
export function declaredName(e: Emitter, target: t.Node): string | null {
  return target.type === "Identifier" && e.scope.resolve(target.name) !== null ? target.name : null;
}

/** Type-only wrappers around a target (`(x as T).p`, `x!`) are blanked; parentheses stay. */
export function unwrapTarget(e: Emitter, left: t.Node, bare: t.Node): void {
  if (left === bare) return;
  if (
    left.type === "TSNonNullExpression" ||
    left.type === "TSAsExpression" ||
    left.type === "TSSatisfiesExpression"
  ) {
    e.edits.blank(left.expression.end!, left.end!);
  } else if (left.type === "TSTypeAssertion") {
    e.edits.blank(left.start!, left.expression.start!);
  }
  unwrapTarget(e, (left as t.ParenthesizedExpression).expression, bare);
}

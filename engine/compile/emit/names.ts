/** Where a value gets its name: the first variable, property or element it is assigned to. */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import { patternNames, takesName, unwrap } from "../tree.js";
import type { Emitter } from "./emitter.js";
import { simple } from "./inline.js";

/** True if naming the value could matter: it may be a traced number or an array that holds some. */
function nameable(e: Emitter, value: t.Node): boolean {
  if (e.scope.untraced) return false;
  return unwrap(value).type === "ArrayExpression" || !neverTraced(value, e.scope);
}

/** True while no names are kept, so that no call is needed: nothing is recorded, or only numbers are asked for. */
export const unnamed = (e: Emitter): string => `${e.prefix}r.named === null`;

/** Wraps `value` so that it is named; visits it. `name` is a variable in scope or a property (`property`). */
export function namedValue(e: Emitter, value: t.Node, name: string, property: boolean): void {
  const binding = property ? null : e.scope.resolve(name);
  // A plain value counts as an instance of a variable that may also hold a traced one.
  const wanted =
    nameable(e, value) ||
    (!e.scope.untraced && binding !== null && !binding.plain && binding.values.length > 1);
  if (!wanted || takesName(value)) {
    e.visit(value);
    return;
  }
  const tail = e.slot(name, property ? e.frame : e.frameFor(binding), property);
  const idle = unnamed(e);
  if (simple(e, value)) {
    const text = e.text.slice(value.start!, value.end!);
    e.edits.open(value.start!, `(${idle} ? `);
    e.visit(value);
    e.edits.close(value.end!, ` : ${e.prefix}.name(${text}${tail}))`);
  } else if (e.noTemps) {
    e.edits.open(value.start!, `${e.prefix}.name(`);
    e.visit(value);
    e.edits.close(value.end!, `${tail})`);
  } else {
    const kept = e.temp();
    e.edits.open(value.start!, `(${kept} = `);
    e.visit(value);
    e.edits.close(value.end!, `, ${idle} ? ${kept} : ${e.prefix}.name(${kept}${tail}))`);
  }
}

/** Text that wraps generated text for a value assigned to a variable or property: [before, after]. */
export function namingText(e: Emitter, name: string, property: boolean): readonly [string, string] {
  const binding = property ? null : e.scope.resolve(name);
  const frame = property ? e.frame : e.frameFor(binding);
  const tail = e.slot(name, frame, property);
  if (e.noTemps) return [`${e.prefix}.name(`, `${tail})`];
  const kept = e.temp();
  return [`(${kept} = `, `, ${unnamed(e)} ? ${kept} : ${e.prefix}.name(${kept}${tail}))`];
}

/** Statements that name what a pattern has just bound. */
export function namePattern(e: Emitter, pattern: t.Node): string {
  let out = "";
  if (e.scope.untraced) return out;
  for (const name of new Set(patternNames(pattern))) {
    const binding = e.scope.resolve(name);
    if (binding?.plain) continue;
    out += `${unnamed(e)} || ${e.prefix}.name(${name}${e.slot(name, e.frameFor(binding))});`;
  }
  return out;
}

/** The name a property target gives: `p` for `o.p`, `#p`, `["p"]`; null for a computed key. */
export function propertyName(node: t.MemberExpression): string | null {
  const { property } = node;
  if (property.type === "PrivateName") return property.id.name;
  if (!node.computed && property.type === "Identifier") return property.name;
  if (node.computed && property.type === "StringLiteral") return property.value;
  return null;
}

/** What an element's name starts with: the variable or property that holds the array. */
export function elementBase(object: t.Node): string {
  const inner = unwrap(object);
  switch (inner.type) {
    case "Identifier":
      return inner.name;
    case "MemberExpression": {
      const name = propertyName(inner);
      if (name !== null) return name;
      // `A[i][j]`: the outer index is in the array's own name where it is a literal or a variable's text
      const key = inner.property;
      const text =
        key.type === "NumericLiteral" ? String(key.value) : key.type === "Identifier" ? key.name : "";
      return `${elementBase(inner.object)}[${text}]`;
    }
    default:
      return "element";
  }
}

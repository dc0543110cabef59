/** Parts of a write's target as text that gives them once more: what is told of a write must not be evaluated twice. */
import type * as t from "@babel/types";
import { unwrap } from "../tree.js";
import type { Emitter } from "./emitter.js";
import { propertyName } from "./names.js";

/** An expression as text that may be read a second time, or null: names, literals, members and indices of those. */
export function repeatable(node: t.Node): string | null {
  const at = unwrap(node);
  switch (at.type) {
    case "Identifier":
      return at.name;
    case "ThisExpression":
      return "this";
    case "NumericLiteral":
      return String(at.value);
    case "StringLiteral":
      return JSON.stringify(at.value);
    case "UnaryExpression": {
      const inner = repeatable(at.argument);
      return inner !== null && at.operator === "-" ? `(-${inner})` : null;
    }
    case "BinaryExpression": {
      const left = at.left.type === "PrivateName" ? null : repeatable(at.left);
      const right = repeatable(at.right);
      return left === null || right === null ? null : `(${left} ${at.operator} ${right})`;
    }
    case "MemberExpression": {
      const object = at.object.type === "Super" ? null : repeatable(at.object);
      if (object === null) return null;
      if (at.computed) {
        const key = repeatable(at.property);
        return key === null ? null : `${object}[${key}]`;
      }
      return `${object}.${at.property.type === "PrivateName" ? `#${at.property.id.name}` : propertyName(at)}`;
    }
    default:
      return null;
  }
}

/** Visits an expression; answers text that gives its value again, through a variable where that is the only way. */
export function kept(e: Emitter, node: t.Node): string | null {
  const text = repeatable(node);
  if (text !== null || e.noTemps || node.type === "Super") {
    e.visit(node);
    return text;
  }
  const temp = e.temp();
  e.edits.open(node.start!, `(${temp} = `);
  e.visit(node);
  e.edits.close(node.end!, ")");
  return temp;
}

/** The old value, read only while somebody listens. */
export function before(e: Emitter, text: string): string {
  return `${e.prefix}.o.sink === null ? undefined : ${text}`;
}

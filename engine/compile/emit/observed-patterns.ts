/**
 * Destructuring assignment in a module that is loaded to be observed: `[a.grad, b.grad] = parts` becomes
 * `[$b.into($bm, SITE, a, "grad").v, ...] = parts`, where setting `v` tells the write and makes it. Object and key are
 * evaluated when and as often as they would be.
 */
import type * as t from "@babel/types";
import type { Emitter } from "./emitter.js";
import { propertyName } from "./names.js";
import { repeatable } from "./observed-text.js";
import { keepReference } from "./references.js";

type Pattern = t.ArrayPattern | t.ObjectPattern;

/** Visits what a destructuring assignment writes to. */
export function assignedTo(e: Emitter, pattern: Pattern): void {
  if (pattern.type === "ArrayPattern") {
    for (const element of pattern.elements) if (element !== null) target(e, element);
    return;
  }
  for (const property of pattern.properties) {
    if (property.type === "RestElement") {
      e.visit(property);
      continue;
    }
    if (property.shorthand) {
      short(e, property.value);
      continue;
    }
    if (property.computed) e.visit(property.key);
    target(e, property.value);
  }
}

/** In `{ grad } = node` name and target are one text, in `{ grad = 0 } = node` too. */
function short(e: Emitter, node: t.Node): void {
  const variable = node.type === "AssignmentPattern" ? node.left : node;
  if (variable.type !== "Identifier") {
    e.visit(node);
    return;
  }
  through(e, variable, "null", variable.name, variable.name, `${variable.name}: `);
  if (node.type === "AssignmentPattern") e.visit(node.right);
}

function target(e: Emitter, node: t.Node): void {
  switch (node.type) {
    case "ArrayPattern":
    case "ObjectPattern":
      assignedTo(e, node);
      return;
    case "AssignmentPattern":
      target(e, node.left);
      e.visit(node.right);
      return;
    case "Identifier":
      through(e, node, "null", node.name, node.name);
      return;
    case "MemberExpression":
      keepReference(node);
      member(e, node);
      return;
    default:
      keepReference(node.type === "RestElement" ? node.argument : node);
      e.visit(node);
  }
}

function member(e: Emitter, node: t.MemberExpression): void {
  const { object, property } = node;
  if (object.type === "Super") {
    e.visit(node);
    return;
  }
  if (property.type === "PrivateName") {
    const owner = repeatable(object);
    if (owner === null) e.visit(node);
    else through(e, node, owner, propertyName(node)!, `${owner}.#${property.id.name}`);
    return;
  }
  e.edits.open(node.start!, `${e.prefix}.into(${place(e, node)}, `);
  e.visit(object);
  if (!node.computed) {
    e.edits.replace(object.end!, node.end!, `, ${JSON.stringify(propertyName(node))}).v`);
    return;
  }
  const comma = property.type === "SequenceExpression";
  e.edits.replace(object.end!, property.start!, comma ? ", (" : ", ");
  e.visit(property);
  e.edits.replace(property.end!, node.end!, comma ? ")).v" : ").v");
}

/** A target that only its own text can write to: a variable, a private field. */
function through(e: Emitter, node: t.Node, owner: string, key: string, text: string, head = ""): void {
  const x = e.fresh("x");
  const name = JSON.stringify(key);
  const ways = `() => ${text}, (${x}) => { ${text} = ${x}; }`;
  e.edits.replace(
    node.start!,
    node.end!,
    `${head}${e.prefix}.via(${place(e, node)}, ${owner}, ${name}, ${ways}).v`,
  );
}

function place(e: Emitter, node: t.Node): string {
  e.frame.used = true;
  return `${e.prefix}m, ${e.site(node.start!, node.end!)}`;
}

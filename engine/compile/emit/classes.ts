/** Classes and object literals: modifiers and declarations go, parameter properties are lowered, members keep their order. */
import type * as t from "@babel/types";
import { takesName, unwrap } from "../tree.js";
import type { Emitter } from "./emitter.js";
import { functionNode, keyName, optionalMark, type FunctionNode } from "./functions.js";
import { computedKey } from "./members.js";
import { namedValue } from "./names.js";
import { annotation, blank, mark, modifiers, typeOnly } from "./types.js";

export function classNode(e: Emitter, node: t.ClassDeclaration | t.ClassExpression): void {
  const { id, body, superClass } = node;
  if ((node as t.ClassDeclaration).declare) {
    typeOnly(e, node);
    return;
  }
  if ((node as t.ClassDeclaration).abstract) modifiers(e, node.start!, id ? id.start! : body.start!);
  if (node.typeParameters) blank(e, node.typeParameters);
  if (superClass) e.visit(superClass);
  const superTypes = node as { superTypeParameters?: t.Node | null; superTypeArguments?: t.Node | null };
  if (superTypes.superTypeParameters) blank(e, superTypes.superTypeParameters);
  if (superTypes.superTypeArguments) blank(e, superTypes.superTypeArguments);
  if (node.implements && node.implements.length > 0) {
    const last = node.implements[node.implements.length - 1];
    const word = e.text.lastIndexOf("implements", node.implements[0].start!);
    e.edits.blank(word, last.end!);
  }
  for (const member of body.body) {
    if (member.type === "ClassMethod" && member.kind === "constructor") {
      parameterProperties(e, member, body, superClass);
      e.nameHints.set(member, id?.name ?? e.nameHints.get(node) ?? "constructor");
    }
    e.visit(member);
  }
}

/** what the lowered parameter properties of a constructor add to its body: text, and where */
const constructorText = new WeakMap<t.Node, { readonly text: string; readonly after: t.Statement | null }>();

/** `constructor(private x)`: the fields are declared first in the class, and set before the body (behind `super()`). */
function parameterProperties(
  e: Emitter,
  node: t.ClassMethod,
  body: t.ClassBody,
  superClass: t.Node | null | undefined,
): void {
  const names: string[] = [];
  for (const parameter of node.params) {
    if (parameter.type !== "TSParameterProperty") continue;
    const inner = parameter.parameter;
    const name = inner.type === "AssignmentPattern" ? inner.left : inner;
    names.push((name as t.Identifier).name);
  }
  if (names.length === 0) return;
  e.edits.close(body.start! + 1, names.map((name) => ` ${name};`).join(""));
  const text = names.map((name) => ` this.${name} = ${name};`).join("");
  const after = superClass ? (node.body.body.find(isSuperCall) ?? null) : null;
  constructorText.set(node, { text, after });
}

function isSuperCall(node: t.Statement): boolean {
  if (node.type !== "ExpressionStatement") return false;
  const call = unwrap(node.expression);
  return call.type === "CallExpression" && call.callee.type === "Super";
}

export function method(e: Emitter, node: t.ClassMethod | t.ClassPrivateMethod | t.ObjectMethod): void {
  const computed = (node as t.ClassMethod).computed === true;
  modifiers(e, node.start!, node.key.start!);
  if (computed) computedKey(e, node.key);
  optionalMark(e, node, node.key, computed);
  const extra = constructorText.get(node);
  const name = e.nameHints.get(node) ?? keyName(node.key);
  if (extra && extra.after === null) {
    functionNode(e, node as FunctionNode, name, extra.text);
  } else {
    functionNode(e, node as FunctionNode, name);
    if (extra?.after)
      e.edits.close(extra.after.end!, `${e.text[extra.after.end! - 1] === ";" ? "" : ";"}${extra.text}`);
  }
}

/** Fields are evaluated once an instance, in the constructor: they belong to the scope around the class. */
export function field(e: Emitter, node: t.ClassProperty | t.ClassPrivateProperty): void {
  const { key, value } = node;
  const computed = (node as t.ClassProperty).computed === true;
  if ((node as t.ClassProperty).declare || (node as t.ClassProperty).abstract) {
    typeOnly(e, node);
    return;
  }
  modifiers(e, node.start!, key.start!);
  if (computed) computedKey(e, key);
  const keyEnd = computed ? e.find("]", key.end!) + 1 : key.end!;
  if ((node as t.ClassProperty).definite) mark(e, "!", keyEnd);
  annotation(e, node, keyEnd);
  if (value) {
    if (takesName(value)) e.nameHints.set(unwrap(value), keyName(key));
    e.visitApart(() => namedValue(e, value, keyName(key), true));
  }
  e.endStatement(node);
}

export function accessorField(e: Emitter, node: t.ClassAccessorProperty): void {
  e.fail("refused", "`accessor` fields are not supported", node.start!, node.key.end!);
}

/** Properties of object literals, and of patterns (where the value is the target). */
export function property(e: Emitter, node: t.ObjectProperty): void {
  const { key, value } = node;
  if (node.computed) computedKey(e, key);
  if (node.shorthand) {
    e.visit(value);
    return;
  }
  if (isExpression(value) && !e.patterns.has(value)) {
    if (takesName(value)) e.nameHints.set(unwrap(value), keyName(key));
    namedValue(e, value, keyName(key), true);
  } else {
    e.visit(value);
  }
}

function isExpression(node: t.Node): boolean {
  return node.type !== "AssignmentPattern" && node.type !== "ObjectPattern" && node.type !== "ArrayPattern";
}

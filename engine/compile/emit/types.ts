/** Types are blanked in place. What stays is the JavaScript of the same lines and, without rewriting, the same columns. */
import type * as t from "@babel/types";
import type { Emitter, Use } from "./emitter.js";
import { keepReference } from "./references.js";

const lineBreak = /[\n\r\u2028\u2029]/;

/** Blanks a node. */
export function blank(e: Emitter, node: t.Node): void {
  e.edits.blank(node.start!, node.end!);
}

/** A statement or class member that is only type: its place keeps a `;`, so that its neighbours stay apart. */
export function typeOnly(e: Emitter, node: t.Node): void {
  e.edits.blank(node.start!, node.end!, ";");
}

/** `f<T>(x)`, `new C<T>()`, `tag<T>`...``, `class extends B<T>`. */
export function typeArguments(e: Emitter, node: t.Node): void {
  const holder = node as { typeParameters?: t.Node | null; typeArguments?: t.Node | null };
  if (holder.typeParameters) blank(e, holder.typeParameters);
  if (holder.typeArguments) blank(e, holder.typeArguments);
}

/** The `?`, `!` and `: T` behind a name or pattern; `from` is where the name itself ends. */
export function annotation(e: Emitter, node: t.Node, from: number): void {
  const holder = node as { optional?: boolean | null; typeAnnotation?: t.Node | null };
  if (holder.optional) mark(e, "?", from);
  if (holder.typeAnnotation) blank(e, holder.typeAnnotation);
}

/** Blanks the one-character token that stands next. */
export function mark(e: Emitter, token: "?" | "!" | ",", from: number): void {
  const at = e.find(token, from);
  e.edits.blank(at, at + 1);
}

export function identifier(e: Emitter, node: t.Identifier): void {
  annotation(e, node, node.start! + node.name.length);
  if (node.name === "process" && e.scope.resolve("process") === null) {
    e.fail("refused", "`process` is refused in a module that Backsweep runs", node.start!, node.end!);
  }
}

export function pattern(e: Emitter, node: t.ObjectPattern | t.ArrayPattern): void {
  const { typeAnnotation } = node;
  if (node.type === "ObjectPattern") {
    for (const property of node.properties) {
      const value = property.type === "RestElement" ? property.argument : property.value;
      e.patterns.add(value);
      keepReference(value.type === "AssignmentPattern" ? value.left : value);
    }
  } else {
    for (const element of node.elements) {
      if (!element) continue;
      const inner = element.type === "AssignmentPattern" ? element.left : element;
      keepReference(inner.type === "RestElement" ? inner.argument : inner);
    }
  }
  e.childrenBut(node, typeAnnotation ?? null);
  const optional = (node as { optional?: boolean }).optional === true;
  if (typeAnnotation) {
    blank(e, typeAnnotation);
    // `?` stands between the closing bracket and the colon
    if (optional) e.edits.blank(e.text.lastIndexOf("?", typeAnnotation.start!), typeAnnotation.start!);
  } else if (optional) {
    e.edits.blank(node.end! - 1, node.end!);
  }
}

export function rest(e: Emitter, node: t.RestElement): void {
  e.visit(node.argument);
  if (node.typeAnnotation) blank(e, node.typeAnnotation);
}

/** `x as T`, `x satisfies T`, `f<T>`. */
export function suffix(
  e: Emitter,
  node: t.TSAsExpression | t.TSSatisfiesExpression | t.TSInstantiationExpression,
  use: Use,
): void {
  e.visit(node.expression, use);
  e.edits.blank(node.expression.end!, node.end!);
}

export function nonNull(e: Emitter, node: t.TSNonNullExpression, use: Use): void {
  e.visit(node.expression, use);
  mark(e, "!", node.expression.end!);
}

/** `<T>x`. Over more than one line it needs parentheses, or `return` would end at its first line. */
export function assertion(e: Emitter, node: t.TSTypeAssertion, use: Use): void {
  const { start, expression } = node;
  const broken = lineBreak.test(e.text.slice(start!, expression.start!));
  e.edits.blank(start!, expression.start!, broken ? "(" : "");
  e.visit(expression, use);
  if (broken) e.edits.close(node.end!, ")");
}

/** Type parameters of a function. `async <T>(x) =>` over lines would part `async` from its parameters. */
export function typeParameters(e: Emitter, node: t.Node): void {
  const holder = node as { typeParameters?: t.Node | null; async?: boolean };
  const parameters = holder.typeParameters;
  if (!parameters) return;
  const broken = lineBreak.test(e.text.slice(parameters.start!, parameters.end!));
  if (broken && holder.async === true && node.type === "ArrowFunctionExpression") {
    const paren = e.find("(", parameters.end!);
    e.edits.blank(parameters.start!, paren + 1, "(");
  } else {
    blank(e, parameters);
  }
}

/** A return type. Before `=>` the closing parenthesis moves to the type's last place if the type spans lines. */
export function returnType(e: Emitter, node: t.Node): void {
  const holder = node as { returnType?: t.Node | null; body: t.Node };
  const type = holder.returnType;
  if (!type) return;
  if (node.type === "ArrowFunctionExpression") {
    const paren = e.text.lastIndexOf(")", type.start!);
    if (lineBreak.test(e.text.slice(paren, type.end!))) {
      e.edits.blank(paren, type.end!, "", ")");
      return;
    }
  }
  blank(e, type);
}

/** Blanks the type-only modifiers before `end`. */
export function modifiers(e: Emitter, start: number, end: number): void {
  const words = /\b(?:public|private|protected|readonly|abstract|override|declare)\b/g;
  const text = e.text.slice(start, end);
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const at = start + match.index;
    // a word inside a comment is left alone
    if (e.skipTo(start, at) === at) e.edits.blank(at, at + match[0].length);
  }
}

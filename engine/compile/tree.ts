/** Small helpers over the syntax tree. */
import type { Node } from "@babel/types";

const notChildren = new Set([
  "type",
  "start",
  "end",
  "loc",
  "range",
  "extra",
  "errors",
  "tokens",
  "comments",
  "leadingComments",
  "trailingComments",
  "innerComments",
]);

/** Calls `visit` for every child node. */
export function eachChild(node: Node, visit: (child: Node) => void): void {
  for (const key in node) {
    if (notChildren.has(key)) continue;
    const value = (node as unknown as Record<string, unknown>)[key];
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item);
    } else if (isNode(value)) {
      visit(value);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The expression inside parentheses and type-only wrappers (`(x)`, `x as T`, `x!`). */
export function unwrap(node: Node): Node {
  let at = node;
  for (;;) {
    switch (at.type) {
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
        at = at.expression;
        break;
      default:
        return at;
    }
  }
}

/** True for `class`, `function` and arrow expressions, also in parentheses: they take a name from where they stand. */
export function takesName(node: Node): boolean {
  const inner = unwrap(node);
  return (
    inner.type === "FunctionExpression" ||
    inner.type === "ArrowFunctionExpression" ||
    inner.type === "ClassExpression"
  );
}

/** Every function-like node that has its own body scope. */
export function isFunction(node: Node): boolean {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
      return true;
    default:
      return false;
  }
}

/** Names that a pattern binds or assigns, in source order. */
export function patternNames(pattern: Node, out: string[] = []): string[] {
  switch (pattern.type) {
    case "Identifier":
      out.push(pattern.name);
      break;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        patternNames(property.type === "RestElement" ? property.argument : property.value, out);
      }
      break;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) patternNames(element, out);
      break;
    case "AssignmentPattern":
      patternNames(pattern.left, out);
      break;
    case "RestElement":
      patternNames(pattern.argument, out);
      break;
    case "TSParameterProperty":
      patternNames(pattern.parameter, out);
      break;
    default: // a member expression or a type-only wrapper around one
      break;
  }
  return out;
}

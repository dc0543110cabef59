/**
 * Babel's own tree turned into ESTree in place. Its `estree` plugin does the same while it parses, at three times the
 * price of parsing; rules need only what is levelled here. Kinds: github.com/estree/estree, es2022.
 */
import { numbered } from "./preorder.js";
import { child, type Node } from "./tree.js";

type Open = { -readonly [key in keyof Node]: Node[key] };

const LITERALS = new Set(["StringLiteral", "NumericLiteral", "BooleanLiteral"]);

const RENAMED: Readonly<Record<string, string>> = {
  ObjectProperty: "Property",
  ClassProperty: "PropertyDefinition",
  ClassPrivateProperty: "PropertyDefinition",
  ClassAccessorProperty: "AccessorProperty",
  // optional chains are read as plain ones, as `bare` reads those of other parsers
  OptionalMemberExpression: "MemberExpression",
  OptionalCallExpression: "CallExpression",
  // signatures without a body
  TSDeclareMethod: "TSAbstractMethodDefinition",
};

const METHODS = new Set(["ObjectMethod", "ClassMethod", "ClassPrivateMethod"]);

/** Changes the tree and numbers it; types and comments are left as they are. Without recursion. */
export const toEstree = (root: Node): void => void numbered(root, level);

function level(node: Open): void {
  const { type } = node;
  const renamed = RENAMED[type];
  if (renamed !== undefined) {
    node.type = renamed;
    if (type === "ObjectProperty") {
      node.kind = "init";
      node.method = false;
    }
  } else if (LITERALS.has(type)) node.type = "Literal";
  else if (type === "NullLiteral" || type === "RegExpLiteral" || type === "BigIntLiteral") {
    node.value = type === "BigIntLiteral" ? BigInt(String(node.value)) : null;
    node.type = "Literal";
  } else if (METHODS.has(type)) method(node);
  else if (type === "PrivateName") {
    node.name = child(node, "id")?.name;
    node.type = "PrivateIdentifier";
    node.id = undefined;
  } else if (type === "CallExpression" && child(node, "callee")?.type === "Import") {
    node.source = (node.arguments as Node[])[0] ?? null;
    node.arguments = undefined;
    node.callee = undefined;
    node.type = "ImportExpression";
  }
}

const OF_FUNCTIONS = ["params", "body", "generator", "async", "returnType", "typeParameters"] as const;

/** `{ m() {} }` and `class { m() {} }`: a key and a function. */
function method(node: Open): void {
  const key = child(node, "key");
  const fn: Record<string, unknown> = {
    type: "FunctionExpression",
    id: null,
    start: (key?.end ?? node.start ?? 0) + (node.computed === true ? 1 : 0),
    end: node.end,
    loc: node.loc,
  };
  for (const field of OF_FUNCTIONS) {
    fn[field] = node[field];
    node[field] = undefined;
  }
  node.value = fn;
  if (node.type === "ObjectMethod") {
    node.type = "Property";
    node.method = node.kind === "method";
    if (node.method === true) node.kind = "init";
  } else node.type = "MethodDefinition";
}

/**
 * The syntax tree that rules read: ESTree, as espree and @typescript-eslint/parser make it and as Babel's is turned into
 * (estree.ts). The few places where they differ are levelled here, so that no rule knows who parsed.
 */
export const TREE = Symbol("tree");
export const AT = Symbol("place in the tree");

/** The nodes of a tree in the order of the text: what stands inside the node at `i` are those up to `ends[i]`. */
export interface Preorder {
  readonly nodes: readonly Node[];
  readonly ends: Int32Array;
  /** place of the node around, -1 for the root */
  readonly parents: Int32Array;
  /** levels below the root of the deepest node */
  readonly depth: number;
}

export interface Node {
  readonly type: string;
  parent?: Node | null;
  /** of the root of a numbered tree (preorder.ts): the list of its nodes */
  [TREE]?: Preorder;
  /** place in that list */
  [AT]?: number;
  readonly start?: number;
  readonly end?: number;
  readonly range?: readonly [number, number];
  readonly [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** A child by its field name, null when absent. */
export function child(node: Node, field: string): Node | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** A list of children by its field name; holes of array patterns and literals are null. */
export function children(node: Node, field: string): readonly (Node | null)[] {
  const value = node[field];
  return Array.isArray(value) ? (value as (Node | null)[]) : [];
}

// `range` first: it is what ESLint's parsers all give, and ESLint's own tests refuse the other
export const startOf = (node: Node): number => node.range?.[0] ?? node.start ?? 0;
export const endOf = (node: Node): number => node.range?.[1] ?? node.end ?? 0;

/** Fields that hold no code: places, comments, and everything that exists for types only. */
export const TYPES_AND_PLACES: ReadonlySet<string> = new Set([
  "parent",
  "loc",
  "start",
  "end",
  "range",
  "type",
  "extra",
  "tokens",
  "comments",
  "errors",
  "leadingComments",
  "trailingComments",
  "innerComments",
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "superTypeArguments",
  "implements",
]);

/** Fields of the common kinds that hold code, in the order of the text; the others are asked for their keys. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Program: ["body"],
  Identifier: [],
  Literal: [],
  ThisExpression: [],
  Super: [],
  PrivateIdentifier: [],
  TemplateElement: [],
  EmptyStatement: [],
  DebuggerStatement: [],
  BreakStatement: [],
  ContinueStatement: [],
  BlockStatement: ["body"],
  StaticBlock: ["body"],
  ExpressionStatement: ["expression"],
  ReturnStatement: ["argument"],
  ThrowStatement: ["argument"],
  IfStatement: ["test", "consequent", "alternate"],
  ForStatement: ["init", "test", "update", "body"],
  ForOfStatement: ["left", "right", "body"],
  ForInStatement: ["left", "right", "body"],
  WhileStatement: ["test", "body"],
  DoWhileStatement: ["body", "test"],
  SwitchStatement: ["discriminant", "cases"],
  SwitchCase: ["test", "consequent"],
  TryStatement: ["block", "handler", "finalizer"],
  CatchClause: ["param", "body"],
  LabeledStatement: ["body"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id", "init"],
  FunctionDeclaration: ["id", "params", "body"],
  FunctionExpression: ["id", "params", "body"],
  ArrowFunctionExpression: ["params", "body"],
  ClassBody: ["body"],
  MemberExpression: ["object", "property"],
  OptionalMemberExpression: ["object", "property"],
  ChainExpression: ["expression"],
  ParenthesizedExpression: ["expression"],
  CallExpression: ["callee", "arguments"],
  OptionalCallExpression: ["callee", "arguments"],
  NewExpression: ["callee", "arguments"],
  AssignmentExpression: ["left", "right"],
  AssignmentPattern: ["left", "right"],
  BinaryExpression: ["left", "right"],
  LogicalExpression: ["left", "right"],
  ConditionalExpression: ["test", "consequent", "alternate"],
  UnaryExpression: ["argument"],
  UpdateExpression: ["argument"],
  AwaitExpression: ["argument"],
  YieldExpression: ["argument"],
  SpreadElement: ["argument"],
  RestElement: ["argument"],
  SequenceExpression: ["expressions"],
  ArrayExpression: ["elements"],
  ArrayPattern: ["elements"],
  ObjectExpression: ["properties"],
  ObjectPattern: ["properties"],
  Property: ["key", "value"],
  TemplateLiteral: ["quasis", "expressions"],
  TaggedTemplateExpression: ["tag", "quasi"],
  TSAsExpression: ["expression"],
  TSSatisfiesExpression: ["expression"],
  TSNonNullExpression: ["expression"],
  TSTypeAssertion: ["expression"],
};

const TYPE_ONLY = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSDeclareFunction",
  "TSAbstractMethodDefinition",
  "TSEmptyBodyFunctionExpression",
]);

/** A node that is there for types only: it and what is inside are no code. */
export const isTypeOnly = (node: Node): boolean => TYPE_ONLY.has(node.type);

/** Names of the fields of a node that hold code, in the order of the text. */
export const fieldsOf = (node: Node): readonly string[] =>
  FIELDS[node.type] ?? Object.keys(node).filter((field) => !TYPES_AND_PLACES.has(field));

/**
 * The tree that was asked for last: rules walk one tree at a time. No WeakRef: what one was made for stays until the job
 * ends, so that a loop over many files would keep every tree.
 */
let latest: Preorder | null = null;

/** Lets go of the tree that was asked for last. */
export function forgetTree(): void {
  latest = null;
}

/** The tree that a node has its number in; null: in none. */
function treeOf(node: Node): Preorder | null {
  const place = node[AT];
  if (place === undefined) return null;
  if (latest?.nodes[place] === node) return latest;
  let root = node;
  for (let at: Node | null | undefined = node; at !== null && at !== undefined; at = at.parent)
    if (at[AT] !== undefined) root = at;
  const tree = root[TREE];
  if (tree === undefined) return null;
  latest = tree;
  return tree;
}

/** Preorder in the order of the text. `enter` may return false to skip what is inside. */
export function walk(root: Node, enter: (node: Node) => boolean | void): void {
  const tree = treeOf(root);
  if (tree === null) return descend(root, enter);
  const { nodes, ends } = tree;
  const from = root[AT]!;
  for (let i = from, end = ends[from]; i < end;) i = enter(nodes[i]) === false ? ends[i] : i + 1;
}

/** The same through a tree without numbers: parts of types, and nodes that stand for several. */
function descend(root: Node, enter: (node: Node) => boolean | void): void {
  const stack: Node[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (isTypeOnly(node) || enter(node) === false) continue;
    const inside: Node[] = [];
    for (const field of fieldsOf(node)) {
      const value = node[field];
      if (Array.isArray(value)) inside.push(...value.filter(isNode));
      else if (isNode(value)) inside.push(value);
    }
    for (const item of inside) item.parent = node;
    stack.push(...inside.reverse());
  }
}

const WRAPPERS = new Set([
  "ParenthesizedExpression",
  "ChainExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "AwaitExpression",
]);

/** The expression without parentheses, casts, `!`, `await` and the wrapper of optional chains. */
export function bare(node: Node): Node {
  let inner = node;
  while (WRAPPERS.has(inner.type)) {
    const next = child(inner, "expression") ?? child(inner, "argument");
    if (next === null) break;
    inner = next;
  }
  return inner;
}

export const isFunction = (node: Node): boolean =>
  node.type === "FunctionDeclaration" ||
  node.type === "FunctionExpression" ||
  node.type === "ArrowFunctionExpression";

export const isMember = (node: Node): boolean =>
  node.type === "MemberExpression" || node.type === "OptionalMemberExpression";

export const isCall = (node: Node): boolean =>
  node.type === "CallExpression" || node.type === "OptionalCallExpression";

/** Name of an identifier, null for everything else. */
export function identifier(node: Node | null): string | null {
  return node !== null && node.type === "Identifier" ? (node.name as string) : null;
}

/** `a.b`, `a.#b` and `a["b"]` give `b` (`#b` for a private one); computed access gives null. */
export function propertyName(member: Node): string | null {
  const property = child(member, "property");
  return property === null ? null : keyName(property, member.computed === true);
}

/** Computed keys whose name is known from a constant: `node[GRAD]` of `const GRAD = Symbol("grad")`. */
const constantKeys = new WeakMap<Node, string>();

export const nameKey = (key: Node, name: string): void => void constantKeys.set(key, name);

/** Name of a key in an object, a class or a member expression. */
export function keyName(key: Node, computed: boolean): string | null {
  if (computed && key.type === "Identifier") return constantKeys.get(key) ?? null;
  if (key.type === "PrivateIdentifier") return `#${String(key.name)}`;
  if (key.type === "PrivateName") return `#${identifier(child(key, "id")) ?? ""}`;
  if (!computed && key.type === "Identifier") return key.name as string;
  if (key.type === "Literal" && typeof key.value === "string") return key.value;
  return !computed && key.type === "Literal" ? String(key.value) : null;
}

/** The called function's last name: `f` of `f(x)`, `m` of `o.m(x)`, `C` of `new C(x)`. */
export function calleeName(call: Node): string | null {
  const callee = child(call, "callee");
  if (callee === null) return null;
  const inner = bare(callee);
  return isMember(inner) ? propertyName(inner) : identifier(inner);
}

/** The object a method is called on, null for a plain call. */
export function receiver(call: Node): Node | null {
  const callee = child(call, "callee");
  if (callee === null) return null;
  const inner = bare(callee);
  return isMember(inner) ? child(inner, "object") : null;
}

export function argumentsOf(call: Node): readonly Node[] {
  return children(call, "arguments").filter((argument) => argument !== null);
}

export function literal(node: Node): unknown {
  const inner = bare(node);
  if (inner.type === "Literal") return inner.value;
  if (inner.type === "UnaryExpression" && inner.operator === "-") {
    const value = literal(child(inner, "argument")!);
    return typeof value === "number" ? -value : undefined;
  }
  return undefined;
}

/** True when `inner` is `outer` or stands inside it. */
export function within(inner: Node, outer: Node): boolean {
  return startOf(inner) >= startOf(outer) && endOf(inner) <= endOf(outer);
}

/** Order of the text, for stable output. */
export const byteOrder = (a: Node, b: Node): number => startOf(a) - startOf(b) || endOf(a) - endOf(b);

/**
 * What the parts of the lowering share: the text, the scopes, and the making of nodes. Python is turned into the tree that
 * the rules read (../tree.ts) by what the code does: `self` is `this`, `xs.append(x)` is a push, `for x in reversed(xs)`
 * walks a list turned round. Places stay those of the Python text, so that reports quote it.
 */
import { TooDeep, DEPTH_LIMIT } from "../facts.js";
import type { Node } from "../tree.js";
import type { Outline } from "./outline.js";
import { spelling } from "./outline.js";
import type { Syntax } from "./syntax.js";

/** A stretch of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Scope {
  readonly kind: "module" | "class" | "function" | "block";
  readonly names: Set<string>;
  /** names that `global` and `nonlocal` leave to the scopes around */
  readonly elsewhere: Set<string>;
  /** first parameter of a method, which stands for the node itself; of a class method for the class */
  readonly self: string | null;
  /** name of the class whose method this is, "" elsewhere */
  readonly owner: string;
  /** names that are first bound inside an expression: declared where the scope begins */
  readonly hoisted: string[];
  readonly parent: Scope | null;
}

export const make = (type: string, at: Span, fields: Readonly<Record<string, unknown>> = {}): Node => ({
  type,
  start: at.start,
  end: at.end,
  ...fields,
});

/** An empty stretch behind something: the place of what the text does not spell out. */
export const behind = (at: Span): Span => ({ start: at.end, end: at.end });

export const name = (text: string, at: Span): Node => make("Identifier", at, { name: text });

export const literalOf = (value: unknown, at: Span): Node => make("Literal", at, { value });

export const member = (object: Node, property: string, at: Span): Node =>
  make("MemberExpression", at, {
    object,
    property: name(property, behind({ start: object.start!, end: object.end! })),
    computed: false,
  });

export const entry = (object: Node, property: Node, at: Span): Node =>
  make("MemberExpression", at, { object, property, computed: true });

export const call = (callee: Node, args: readonly Node[], at: Span): Node =>
  make("CallExpression", at, { callee, arguments: args });

/** `object.method(args)` where the text says it otherwise. */
export const method = (object: Node, property: string, args: readonly Node[], at: Span): Node =>
  call(member(object, property, at), args, at);

export const construct = (callee: string, args: readonly Node[], at: Span): Node =>
  make("NewExpression", at, { callee: name(callee, { start: at.start, end: at.start }), arguments: args });

export const spread = (argument: Node): Node =>
  make("SpreadElement", { start: argument.start!, end: argument.end! }, { argument });

export const listOf = (elements: readonly Node[], at: Span): Node =>
  make("ArrayExpression", at, { elements });

export const assign = (left: Node, right: Node, at: Span, operator = "="): Node =>
  make("AssignmentExpression", at, { operator, left, right });

export const binary = (operator: string, left: Node, right: Node, at: Span): Node =>
  make("BinaryExpression", at, { operator, left, right });

export const statementOf = (expression: Node, at: Span): Node =>
  make("ExpressionStatement", at, { expression });

export const declare = (kind: "var" | "let", id: Node, init: Node | null, at: Span): Node =>
  make("VariableDeclaration", at, { kind, declarations: [make("VariableDeclarator", at, { id, init })] });

export const block = (body: readonly Node[], at: Span): Node => make("BlockStatement", at, { body });

export class Lowering {
  scope: Scope = scopeOf("module", null);
  #depth = 0;

  constructor(
    readonly text: string,
    readonly outline: Outline,
    readonly parts: {
      readonly expression: (low: Lowering, node: Syntax) => Node;
      readonly statement: (low: Lowering, node: Syntax, out: Node[]) => void;
    },
  ) {}

  source(node: Span): string {
    return this.text.slice(node.start, node.end);
  }

  /** Throws TooDeep. */
  expression(node: Syntax): Node {
    if (++this.#depth > DEPTH_LIMIT) throw new TooDeep();
    const out = this.parts.expression(this, node);
    this.#depth--;
    return out;
  }

  /** Throws TooDeep. */
  statements(nodes: readonly Syntax[]): Node[] {
    if (++this.#depth > DEPTH_LIMIT) throw new TooDeep();
    const out: Node[] = [];
    for (const node of nodes) this.parts.statement(this, node, out);
    this.#depth--;
    return out;
  }

  block(node: Syntax | null, at: Span): Node {
    return block(node === null ? [] : this.statements(node.children), node ?? at);
  }

  /** Runs with a scope of its own. */
  within<T>(scope: Scope, work: () => T): T {
    const before = this.scope;
    this.scope = scope;
    try {
      return work();
    } finally {
      this.scope = before;
    }
  }

  /** The scope that an assignment to a name binds it in. */
  binder(id: string): Scope {
    let at = this.scope;
    while (at.kind === "block" && !at.names.has(id)) at = at.parent!;
    return at;
  }

  /** True when an assignment here is the first that binds the name in its scope; it is bound from now on. */
  binds(id: string): boolean {
    const scope = this.binder(id);
    if (scope.names.has(id) || scope.elsewhere.has(id)) return false;
    scope.names.add(id);
    return true;
  }

  /** A name bound inside an expression is declared where its function begins. */
  bindInside(id: string): void {
    if (this.binds(id)) this.binder(id).hoisted.push(id);
  }

  /** The name as what it stands for: the node of a method, the class of a class method, or itself. */
  reference(id: string, at: Span): Node {
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.parent) {
      if (scope.self === id) return make("ThisExpression", at);
      if (scope.kind !== "class" && scope.names.has(id)) break;
    }
    return name(id, at);
  }

  /** The name of the class around, "" outside of one. */
  owner(): string {
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.parent)
      if (scope.owner !== "") return scope.owner;
    return "";
  }

  isDictionary(node: Syntax): boolean {
    const spelled = spelling(node, this.text);
    return spelled !== null && this.outline.dictionaries.has(spelled);
  }

  isCounter(node: Syntax): boolean {
    const spelled = spelling(node, this.text);
    return spelled !== null && this.outline.counters.has(spelled);
  }

  /** A built-in function is meant by its name: the file defines none of that name. */
  isBuiltIn(id: string): boolean {
    if (this.outline.defined.has(id)) return false;
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.parent)
      if (scope.names.has(id)) return false;
    return true;
  }
}

export function scopeOf(
  kind: Scope["kind"],
  parent: Scope | null,
  more: { readonly self?: string | null; readonly owner?: string; readonly names?: Iterable<string> } = {},
): Scope {
  return {
    kind,
    names: new Set(more.names ?? []),
    elsewhere: new Set(),
    self: more.self ?? null,
    owner: more.owner ?? "",
    hoisted: [],
    parent,
  };
}

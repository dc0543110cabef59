/**
 * The facts of one file, from one walk over its tree: functions, stores, calls, loops, and what every name holds.
 * Rules ask here and look at the tree only for the shapes that are theirs.
 */
import { describeFunction, type Fn } from "./functions.js";
import type { Names } from "./options.js";
import { nameConstantKeys } from "./constant-keys.js";
import { Scopes, type Binding } from "./scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isFunction,
  isMember,
  receiver,
  startOf,
  walk,
  type Node,
} from "./tree.js";

/** Deeper trees than this are not read: see the notes of the lint. */
export const DEPTH_LIMIT = 1000;

export class TooDeep extends Error {}

const LOOPS = new Set([
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

/** Methods that put their arguments into the receiver. */
const STORING = new Set([
  "push",
  "unshift",
  "set",
  "fill",
  "add",
  "splice",
  "copyWithin",
  "enqueue",
  "assign",
]);

export class FileFacts {
  readonly scopes = new Scopes();
  readonly functions: Fn[] = [];
  /** `=` and compound assignments */
  readonly assignments: Node[] = [];
  readonly updates: Node[] = [];
  readonly calls: Node[] = [];
  readonly news: Node[] = [];
  readonly loops: Node[] = [];
  readonly declarators: Node[] = [];
  readonly classes: Node[] = [];
  /** fields of classes: `grad = 0;` */
  readonly fields: Node[] = [];
  readonly objects: Node[] = [];
  readonly spreads: Node[] = [];
  readonly yields: Node[] = [];
  /** every node, by its type */
  readonly byType = new Map<string, Node[]>();
  readonly #functionOf = new Map<Node, Fn>();
  readonly #homes = new Map<Node, Fn | null>();
  readonly #memo = new Map<string, unknown>();

  /** Throws TooDeep. */
  constructor(
    readonly root: Node,
    readonly text: string,
    readonly names: Names,
  ) {
    walk(root, (node, depth) => {
      if (depth > DEPTH_LIMIT) throw new TooDeep();
      this.#enter(node);
    });
    nameConstantKeys(this);
    this.#collectDefinitions();
  }

  #enter(node: Node): void {
    const alike = this.byType.get(node.type);
    if (alike === undefined) this.byType.set(node.type, [node]);
    else alike.push(node);
    this.scopes.enter(node);
    if (isFunction(node)) {
      const parent = node.parent === null || node.parent === undefined ? null : this.enclosing(node.parent);
      const fn = describeFunction(node, parent);
      this.functions.push(fn);
      this.#functionOf.set(node, fn);
      return;
    }
    if (LOOPS.has(node.type)) this.loops.push(node);
    switch (node.type) {
      case "AssignmentExpression":
        this.assignments.push(node);
        return;
      case "UpdateExpression":
        this.updates.push(node);
        return;
      case "CallExpression":
      case "OptionalCallExpression":
        this.calls.push(node);
        return;
      case "NewExpression":
        this.news.push(node);
        return;
      case "VariableDeclarator":
        this.declarators.push(node);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.classes.push(node);
        return;
      case "PropertyDefinition":
      case "AccessorProperty":
        this.fields.push(node);
        return;
      case "ObjectExpression":
        this.objects.push(node);
        return;
      case "SpreadElement":
        this.spreads.push(node);
        return;
      case "YieldExpression":
        this.yields.push(node);
        return;
      case "ReturnStatement": {
        const value = child(node, "argument");
        if (value !== null) this.enclosing(node)?.returns.push(value);
      }
    }
  }

  #collectDefinitions(): void {
    const { scopes } = this;
    for (const node of this.declarators) {
      const init = child(node, "init");
      if (init !== null) scopes.define(child(node, "id")!, init, "initial", node);
    }
    for (const loop of this.loops) {
      if (loop.type !== "ForOfStatement" && loop.type !== "ForInStatement") continue;
      const left = child(loop, "left")!;
      const declared = left.type === "VariableDeclaration" ? (left.declarations as Node[])[0] : null;
      const pattern = declared === null || declared === undefined ? left : child(declared, "id");
      const step = loop.type === "ForOfStatement" ? "[*]" : "[key]";
      if (pattern !== null) scopes.define(pattern, child(loop, "right")!, "initial", loop, [step]);
    }
    for (const node of this.assignments) {
      const left = bare(child(node, "left")!);
      const right = child(node, "right")!;
      if (isMember(left)) this.#defineElement(left, right, node);
      else scopes.define(left, right, node.operator === "=" ? "assigned" : "compound", node);
    }
    for (const call of this.calls) {
      const name = calleeName(call);
      const object = receiver(call);
      if (name !== null && object !== null && STORING.has(name))
        for (const argument of argumentsOf(call)) this.#defineElement(object, argument, call);
      this.#defineParams(call, name, object);
    }
  }

  /** `local[i] = value`, `local.x = value`: the value reaches the local at the root of the target. */
  #defineElement(target: Node, value: Node, at: Node): void {
    let root = bare(target);
    while (isMember(root)) root = bare(child(root, "object")!);
    const binding = root.type === "Identifier" ? this.scopes.resolve(root) : null;
    if (binding !== null && binding.kind === "variable")
      binding.definitions.push({ expression: value, path: [], kind: "element", at });
  }

  /** Parameters of callbacks that run at once hold elements of the receiver; those of an invoked function its arguments. */
  #defineParams(call: Node, name: string | null, object: Node | null): void {
    const callee = bare(child(call, "callee")!);
    const args = argumentsOf(call);
    if (isFunction(callee)) {
      const params = this.#functionOf.get(callee)?.params ?? [];
      params.forEach((param, i) => {
        if (args[i] !== undefined) this.scopes.define(param, args[i], "initial", call);
      });
      return;
    }
    for (const argument of args) {
      const fn = isFunction(argument) ? this.#functionOf.get(argument) : undefined;
      if (fn === undefined || !fn.inline || object === null || name === null) continue;
      const folds = name === "reduce" || name === "reduceRight";
      const source = name === "from" ? args[0] : object;
      const at = folds ? 1 : 0;
      if (fn.params[at] !== undefined && source !== argument)
        this.scopes.define(fn.params[at], source, "initial", call, ["[*]"]);
      if (folds && fn.params[0] !== undefined && args[1] !== undefined)
        this.scopes.define(fn.params[0], args[1], "initial", call);
    }
  }

  functionOf(node: Node): Fn | null {
    return this.#functionOf.get(node) ?? null;
  }

  /** The nearest function around a node, the node itself not counted unless it is not a function. */
  enclosing(node: Node): Fn | null {
    for (let at: Node | null | undefined = node; at !== null && at !== undefined; at = at.parent) {
      const fn = this.#functionOf.get(at);
      if (fn !== undefined) return fn;
    }
    return null;
  }

  /** The function in whose run a node is evaluated: callbacks that are called at once belong to what is around them. */
  home(node: Node): Fn | null {
    let fn = this.#homes.get(node);
    if (fn !== undefined) return fn;
    fn = this.enclosing(node);
    while (fn !== null && fn.inline) fn = fn.parent;
    this.#homes.set(node, fn);
    return fn;
  }

  /** Home of the place where a function stands. */
  outer(fn: Fn): Fn | null {
    return fn.node.parent === null || fn.node.parent === undefined ? null : this.home(fn.node.parent);
  }

  binding(node: Node): Binding | null {
    const inner = bare(node);
    return identifier(inner) === null ? null : this.scopes.resolve(inner);
  }

  /** Source text of a node. */
  source(node: Node): string {
    const start = startOf(node);
    const end = endOf(node);
    return this.text.slice(start, end);
  }

  /** One computation a file: analyses that several rules read are kept under a name. */
  once<T>(name: string, compute: (facts: FileFacts) => T): T {
    if (!this.#memo.has(name)) this.#memo.set(name, compute(this));
    return this.#memo.get(name) as T;
  }

  /** Calls and constructions. */
  *invocations(): Iterable<Node> {
    yield* this.calls;
    yield* this.news;
  }

  isCall(node: Node): boolean {
    return isCall(node) || node.type === "NewExpression";
  }
}
